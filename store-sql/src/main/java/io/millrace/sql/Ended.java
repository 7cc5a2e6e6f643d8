package io.millrace.sql;

import io.millrace.sql.FinishedRow.Stretch;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds which tasks have ended. The rows that tell are ranges of numbers; they are looked up by numbers that are known, since
 * not every database can jump to the first row behind a number that another row gives.
 */
final class Ended {
    /** Numbers that are not further apart are asked for together. */
    private static final int GAP = 10;

    private Ended() {}

    /** How those of the tasks ended that have. */
    static Map<Long, FinishedRow> rows(Tx tx, Collection<TaskRow> tasks) throws SQLException {
        Map<Integer, SortedSet<Long>> numsByLane = new TreeMap<>();
        tasks.forEach(task ->
                numsByLane.computeIfAbsent(task.lane(), any -> new TreeSet<>()).add(task.num()));
        Union union = new Union(tx);
        numsByLane.forEach(
                (lane, nums) -> runs(nums).forEach(run -> union.add(Sql.FINISHED_FROM, lane, run.first, run.length())));
        Map<Integer, NavigableMap<Long, FinishedRow>> rows = new HashMap<>();
        for (FinishedRow row : union.read(FinishedRow::read)) {
            rows.computeIfAbsent(row.stretch().lane(), any -> new TreeMap<>())
                    .put(row.stretch().hi(), row);
        }
        Map<Long, FinishedRow> found = new HashMap<>();
        for (TaskRow task : tasks) {
            Map.Entry<Long, FinishedRow> first =
                    rows.getOrDefault(task.lane(), new TreeMap<>()).ceilingEntry(task.num());
            if (first != null && first.getValue().stretch().lo() < task.num()) {
                found.put(task.num(), first.getValue());
            }
        }
        return found;
    }

    /** Which tasks of a lane have ended or stand aside, both at the same moment. */
    static Set<Long> endedOrAside(Tx tx, int lane, SortedSet<Long> nums) throws SQLException {
        Union union = new Union(tx);
        for (Run run : runs(nums)) {
            union.add(Sql.ENDED_FROM, lane, run.first, run.length());
            union.add(Sql.ASIDES_AS_STRETCHES, run.first - 1, run.last);
        }
        Closed closed = Closed.read(union);
        Set<Long> found = new HashSet<>();
        nums.stream().filter(closed::contains).forEach(found::add);
        return found;
    }

    /** The tasks of a lease that have neither ended nor stand aside. */
    static List<TaskRow> openTasks(Tx tx, LeaseRow lease) throws SQLException {
        Union union = new Union(tx);
        // no row is about tasks of several leases
        union.add(Sql.ENDED_IN_STRETCH, lease.lane(), lease.lo(), lease.hi());
        union.add(Sql.ASIDES_AS_STRETCHES, lease.lo(), lease.hi());
        Closed closed = Closed.read(union);
        // after that: a task that has ended may be deleted meanwhile
        return tx.query(Sql.TASK_ROWS_OF_STRETCH, TaskRow::read, lease.lane(), lease.lo(), lease.hi()).stream()
                .filter(task -> !closed.contains(task.num()))
                .toList();
    }

    /** Stretches of a lane that have ended, and numbers that stand aside. */
    private record Closed(NavigableMap<Long, Stretch> ended, Set<Long> asides) {
        static Closed read(Union union) throws SQLException {
            Closed closed = new Closed(new TreeMap<>(), new HashSet<>());
            for (Stretch stretch : union.read(Stretch::read)) {
                if (stretch.lane() == 0) {
                    closed.asides.add(stretch.hi());
                } else {
                    closed.ended.put(stretch.hi(), stretch);
                }
            }
            return closed;
        }

        boolean contains(long num) {
            Map.@Nullable Entry<Long, Stretch> first = ended.ceilingEntry(num);
            return asides.contains(num) || (first != null && first.getValue().lo() < num);
        }
    }

    /** Numbers that are close together. */
    private record Run(long first, long last) {
        /** Rows do not overlap: so many can be about these numbers at most. */
        long length() {
            return last - first + 1;
        }
    }

    private static List<Run> runs(SortedSet<Long> nums) {
        List<Run> runs = new ArrayList<>();
        long first = nums.first();
        long last = first;
        for (long num : nums) {
            if (num - last > GAP) {
                runs.add(new Run(first, last));
                first = num;
            }
            last = num;
        }
        runs.add(new Run(first, last));
        return runs;
    }
}
