package io.millrace.sql;

import io.millrace.sql.FinishedRow.Stretch;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** Stretches of a lane that have ended, and numbers that stand aside, both at the same moment. */
record Closed(NavigableMap<Long, Stretch> ended, Set<Long> asides) {
    /** From lo, which is not included, to hi. */
    static Tx.Answer<Stretch> ask(Tx tx, int lane, long lo, long hi) throws SQLException {
        Union union = new Union(tx);
        union.add(Sql.ENDED_WITHIN, lane, lo, hi);
        union.add(Sql.ENDED_AROUND, lane, hi);
        union.add(Sql.ASIDES_AS_STRETCHES, lo, hi);
        return union.ask(Stretch::read);
    }

    static Closed of(List<Stretch> stretches) {
        Closed closed = new Closed(new TreeMap<>(), new HashSet<>());
        for (Stretch stretch : stretches) {
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

    /** The tasks of a lease that have neither ended nor stand aside. */
    static List<TaskRow> openTasks(Tx tx, LeaseRow lease) throws SQLException {
        Tx.Answer<Stretch> asked = ask(tx, lease.lane(), lease.lo(), lease.hi());
        // after that: a task that has ended may be deleted meanwhile
        List<TaskRow> tasks = tx.query(Sql.TASK_ROWS_OF_STRETCH, TaskRow::read, lease.lane(), lease.lo(), lease.hi());
        Closed closed = of(asked.rows());
        return tasks.stream().filter(task -> !closed.contains(task.num())).toList();
    }
}
