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

/**
 * Finds which tasks have ended. The rows that tell are ranges of numbers; they are looked up by numbers that are known, since
 * not every database can jump to the first row behind a number that another row gives.
 *
 * <p>Such a row may be cut in two at any time, by somebody who makes a task run again. So what is said of a task must come from
 * one statement, which sees one moment.
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
        List<Run> runs = new ArrayList<>();
        numsByLane.forEach((lane, nums) -> runs.addAll(runs(lane, nums)));
        Map<Long, FinishedRow> found = new HashMap<>();
        for (int from = 0; from < runs.size(); from += Union.PARTS) {
            found.putAll(rowsOf(tx, runs.subList(from, Math.min(runs.size(), from + Union.PARTS))));
        }
        return found;
    }

    /** @param runs few enough for one statement */
    private static Map<Long, FinishedRow> rowsOf(Tx tx, List<Run> runs) throws SQLException {
        Union union = new Union(tx);
        for (Run run : runs) {
            // rows do not overlap: so many can be about these numbers at most
            union.add(Sql.FINISHED_FROM, run.lane, run.first(), run.last() - run.first() + 1);
        }
        Map<Integer, NavigableMap<Long, FinishedRow>> rows = new HashMap<>();
        for (FinishedRow row : union.read(FinishedRow::read)) {
            rows.computeIfAbsent(row.stretch().lane(), any -> new TreeMap<>())
                    .put(row.stretch().hi(), row);
        }
        Map<Long, FinishedRow> found = new HashMap<>();
        for (Run run : runs) {
            NavigableMap<Long, FinishedRow> ofLane = rows.getOrDefault(run.lane, new TreeMap<>());
            for (long num : run.nums) {
                Map.Entry<Long, FinishedRow> first = ofLane.ceilingEntry(num);
                if (first != null && first.getValue().stretch().lo() < num) {
                    found.put(num, first.getValue());
                }
            }
        }
        return found;
    }

    /** Which tasks of a lane have ended or stand aside, both at the same moment. */
    static Set<Long> endedOrAside(Tx tx, int lane, SortedSet<Long> nums) throws SQLException {
        Closed closed = Closed.read(tx, lane, nums.first() - 1, nums.last());
        Set<Long> found = new HashSet<>();
        nums.stream().filter(closed::contains).forEach(found::add);
        return found;
    }

    /** The tasks of a lease that have neither ended nor stand aside. */
    static List<TaskRow> openTasks(Tx tx, LeaseRow lease) throws SQLException {
        Closed closed = Closed.read(tx, lease.lane(), lease.lo(), lease.hi());
        // after that: a task that has ended may be deleted meanwhile
        return tx.query(Sql.TASK_ROWS_OF_STRETCH, TaskRow::read, lease.lane(), lease.lo(), lease.hi()).stream()
                .filter(task -> !closed.contains(task.num()))
                .toList();
    }

    /** Stretches of a lane that have ended, and numbers that stand aside. */
    private record Closed(NavigableMap<Long, Stretch> ended, Set<Long> asides) {
        /** From lo, which is not included, to hi. */
        static Closed read(Tx tx, int lane, long lo, long hi) throws SQLException {
            Union union = new Union(tx);
            union.add(Sql.ENDED_WITHIN, lane, lo, hi);
            union.add(Sql.ENDED_AROUND, lane, hi);
            union.add(Sql.ASIDES_AS_STRETCHES, lo, hi);
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
            Map.Entry<Long, Stretch> first = ended.ceilingEntry(num);
            return asides.contains(num) || (first != null && first.getValue().lo() < num);
        }
    }

    /** Numbers of a lane that are close together. */
    private record Run(int lane, List<Long> nums) {
        long first() {
            return nums.get(0);
        }

        long last() {
            return nums.get(nums.size() - 1);
        }
    }

    private static List<Run> runs(int lane, SortedSet<Long> nums) {
        List<Run> runs = new ArrayList<>();
        for (long num : nums) {
            if (runs.isEmpty() || num - runs.get(runs.size() - 1).last() > GAP) {
                runs.add(new Run(lane, new ArrayList<>()));
            }
            runs.get(runs.size() - 1).nums.add(num);
        }
        return runs;
    }
}
