package io.millrace.sql;

import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A worker's hold on a stretch of a lane.
 *
 * @param tasks how many it was given for
 * @param remaining how many of them it still holds
 * @param others how many tasks of the stretch it was not given for, or that have left it other than by ending
 * @param keyed whether some of its tasks have a unique key
 * @param timeToRun of its tasks, which are not known to have been started; null in leases of version 1
 */
record LeaseRow(
        long id,
        int lane,
        long lo,
        long hi,
        UUID worker,
        long since,
        long until,
        int tasks,
        int remaining,
        int others,
        boolean keyed,
        boolean givenUp,
        @Nullable Long timeToRun) {
    /** When a lease ends whose tasks have not been started. */
    static final long NO_END = Long.MAX_VALUE;

    static final String COLUMNS = Table.LEASE.columnNames();

    static LeaseRow read(Row row) throws SQLException {
        return new LeaseRow(
                row.number(),
                row.smallNumber(),
                row.number(),
                row.number(),
                row.id(),
                row.number(),
                row.number(),
                row.smallNumber(),
                row.smallNumber(),
                row.smallNumber(),
                row.flag(),
                row.flag(),
                row.numberOrNull());
    }

    boolean covers(TaskRow task) {
        return task.lane() == lane && covers(task.num());
    }

    /** @param num of a task in the lane */
    boolean covers(long num) {
        return lo < num && num <= hi;
    }

    /** Whether all its tasks are still where they were when it was given. */
    boolean isWhole() {
        return remaining == tasks && others == 0;
    }

    @Nullable
    Object[] values() {
        return new Object[] {id, lane, lo, hi, worker, since, until, tasks, remaining, others, keyed, givenUp, timeToRun
        };
    }
}
