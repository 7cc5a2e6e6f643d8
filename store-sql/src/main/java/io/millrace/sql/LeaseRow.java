package io.millrace.sql;

import java.sql.SQLException;
import java.util.UUID;

/** A worker's hold on a stretch of a lane. */
record LeaseRow(
        long id, int lane, long lo, long hi, UUID worker, long since, long until, int remaining, boolean givenUp) {
    static final String COLUMNS = "id, lane, lo, hi, worker, since, until, remaining, given_up";

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
                row.flag());
    }

    boolean covers(TaskRow task) {
        return task.lane() == lane && lo < task.num() && task.num() <= hi;
    }

    Object[] values() {
        return new Object[] {id, lane, lo, hi, worker, since, until, remaining, givenUp};
    }
}
