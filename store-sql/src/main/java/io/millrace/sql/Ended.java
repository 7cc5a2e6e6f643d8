package io.millrace.sql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
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
