package io.millrace.sql;

import io.millrace.sql.FinishedRow.Stretch;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Those of some tasks of a lane that have neither ended nor stand aside, nor have left the lane.
 *
 * @param nums their numbers, in order
 * @param tasks the numbers of those that are in the lane, in order: of all from the first to the last, or of those alone
 * @param areAll whether it is all
 */
record OpenTasks(int lane, Set<Long> nums, List<Long> tasks, boolean areAll) {
    /** @param areMost whether these are most of the tasks from the first to the last; then all are read, which is cheaper */
    static OpenTasks among(Tx tx, int lane, SortedSet<Long> nums, boolean areMost) throws SQLException {
        long lo = nums.first() - 1;
        Tx.Answer<Stretch> asked = Closed.ask(tx, lane, lo, nums.last());
        // after that: a task that has ended may be deleted meanwhile
        List<Long> tasks =
                areMost ? tx.query(Sql.NUMS_OF_STRETCH, Row::number, lane, lo, nums.last()) : byKey(tx, lane, nums);
        Closed closed = Closed.of(asked.rows());
        SortedSet<Long> open = new TreeSet<>();
        for (long task : tasks) {
            if (nums.contains(task) && !closed.contains(task)) {
                open.add(task);
            }
        }
        return new OpenTasks(lane, open, tasks, areMost);
    }

    private static List<Long> byKey(Tx tx, int lane, SortedSet<Long> nums) throws SQLException {
        Places places = new Places();
        nums.forEach(num -> places.add(lane, num));
        List<Long> tasks = places.ask(tx, Sql.TASKS_THERE, Row::number);
        tasks.sort(null);
        return tasks;
    }

    /** They, in as few stretches as can be. */
    List<Stretch> stretches() {
        List<Stretch> stretches = new ArrayList<>();
        Stretch growing = null;
        for (long task : tasks) {
            if (!nums.contains(task)) {
                growing = null;
            } else if (growing != null && (areAll || growing.hi() + 1 == task)) {
                growing = new Stretch(lane, growing.lo(), task, growing.tasks() + 1);
                stretches.set(stretches.size() - 1, growing);
            } else {
                growing = Stretch.of(lane, task);
                stretches.add(growing);
            }
        }
        return stretches;
    }
}
