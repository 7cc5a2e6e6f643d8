package io.millrace.sql;

import io.millrace.sql.FinishedRow.Stretch;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The ends of tasks that a transaction notes, and those that it takes back. The lanes of the latter are locked. */
final class Ends {
    private final Tx tx;
    private final List<@Nullable Object[]> added = new ArrayList<>();
    private final Map<Long, FinishedRow> byNum = new HashMap<>();
    private final Map<Stretch, Gone> gone = new HashMap<>();

    /** Tasks of a row that have not ended any more: they are deleted, or run again. */
    private record Gone(FinishedRow row, TreeSet<Long> deleted, TreeSet<Long> revived) {}

    Ends(Tx tx) {
        this.tx = tx;
    }

    void add(long num, FinishedRow end) {
        byNum.put(num, end);
        add(end);
    }

    void add(FinishedRow end) {
        added.add(end.values());
    }

    /** Whether this transaction has ended the task, and how. */
    @Nullable
    FinishedRow of(long num) {
        return byNum.get(num);
    }

    void delete(FinishedRow row, long num) {
        gone(row).deleted.add(num);
    }

    void revive(FinishedRow row, long num) {
        gone(row).revived.add(num);
    }

    /** Marks a task: from now on it has a row of its own. */
    void redriven(FinishedRow row, long num) {
        gone(row).revived.add(num);
        add(num, row.redriven(num));
    }

    private Gone gone(FinishedRow row) {
        return gone.computeIfAbsent(row.stretch(), any -> new Gone(row, new TreeSet<>(), new TreeSet<>()));
    }

    void writeGone() throws SQLException {
        List<FinishedRow> pieces = new ArrayList<>();
        for (Gone each : gone.values()) {
            Stretch stretch = each.row.stretch();
            int left = stretch.tasks() - each.deleted.size() - each.revived.size();
            if (left > 0 && each.revived.isEmpty()) {
                tx.run(Sql.REDUCE_FINISHED, each.deleted.size(), stretch.lane(), stretch.hi());
            } else {
                tx.run(Sql.DELETE_FINISHED, stretch.lane(), stretch.hi());
                if (left > 0) {
                    pieces.addAll(pieces(each));
                }
            }
        }
        gone.clear();
        tx.insert(Table.FINISHED, pieces.stream().map(FinishedRow::values).toList());
    }

    /** A task that runs again will end again, with a row of its own: what is left and right of it gets one, too. */
    private List<FinishedRow> pieces(Gone cut) throws SQLException {
        Stretch whole = cut.row.stretch();
        List<FinishedRow> pieces = new ArrayList<>();
        long lo = whole.lo();
        TreeSet<Long> ends = new TreeSet<>(cut.revived);
        ends.add(whole.hi() + 1);
        for (long end : ends) {
            long hi = end - 1;
            int tasks = lo >= hi
                    ? 0
                    : tx.query(Sql.COUNT_STRETCH, Row::smallNumber, whole.lane(), lo, hi)
                            .get(0);
            int kept = tasks - cut.deleted.subSet(lo, false, end, false).size();
            if (kept > 0) {
                pieces.add(cut.row.over(new Stretch(whole.lane(), lo, hi, kept)));
            }
            lo = end;
        }
        return pieces;
    }

    void writeAdded() throws SQLException {
        tx.insert(Table.FINISHED, added);
        added.clear();
    }
}
