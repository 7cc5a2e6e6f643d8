package io.millrace.sql;

import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What changes need to know of a task's row. */
record TaskRow(
        long num,
        UUID id,
        int lane,
        int priority,
        long created,
        @Nullable Long deadline,
        @Nullable Long timeout,
        @Nullable String uniqueKey) {
    static final String COLUMNS = "num, id, lane, priority, created, deadline, timeout, unique_key";

    static TaskRow read(Row row) throws SQLException {
        return new TaskRow(
                row.number(),
                row.id(),
                row.smallNumber(),
                row.smallNumber(),
                row.number(),
                row.numberOrNull(),
                row.numberOrNull(),
                row.textOrNull());
    }
}
