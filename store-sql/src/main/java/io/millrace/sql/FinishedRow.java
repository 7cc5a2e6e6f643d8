package io.millrace.sql;

import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.Progress;
import io.millrace.TaskState;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a task ended.
 *
 * @param token under which the last attempt that was reported had been leased
 * @param outcome of that attempt
 */
record FinishedRow(
        long num,
        int topic,
        TaskState state,
        long finished,
        long removal,
        long due,
        @Nullable Long deadline,
        int attempts,
        int retries,
        int losses,
        @Nullable LastAttempt last,
        @Nullable String token,
        @Nullable Outcome outcome,
        @Nullable Progress progress,
        @Nullable Payload result) {
    static final String COLUMNS = Table.FINISHED.columnNames();

    /** The attempt that ended it; there is none if it ended without one. */
    record LastAttempt(UUID runner, long since, @Nullable String error) {}

    static FinishedRow read(Row row) throws SQLException {
        return new FinishedRow(
                row.number(),
                row.smallNumber(),
                Codes.STATES.at(row.smallNumber()),
                row.number(),
                row.number(),
                row.number(),
                row.numberOrNull(),
                row.smallNumber(),
                row.smallNumber(),
                row.smallNumber(),
                lastAttempt(row),
                row.textOrNull(),
                Codes.OUTCOMES.orNull(row.smallNumberOrNull()),
                Aside.progress(row),
                payload(row));
    }

    private static @Nullable LastAttempt lastAttempt(Row row) throws SQLException {
        UUID runner = row.idOrNull();
        long since = row.number();
        String error = row.textOrNull();
        return runner == null ? null : new LastAttempt(runner, since, error);
    }

    static @Nullable Payload payload(Row row) throws SQLException {
        boolean json = row.flag();
        byte[] bytes = row.bytes();
        return bytes == null ? null : json ? Payload.json(bytes) : Payload.bytes(bytes);
    }

    @Nullable
    Object[] values() {
        return new Object[] {
            num,
            topic,
            Codes.STATES.of(state),
            finished,
            removal,
            due,
            deadline,
            attempts,
            retries,
            losses,
            last == null ? null : last.runner,
            last == null ? null : last.since,
            last == null ? null : last.error,
            token,
            Codes.OUTCOMES.orNull(outcome),
            progress == null ? null : progress.percent(),
            progress == null ? null : progress.message(),
            progress == null ? null : progress.at().toEpochMilli(),
            result == null ? null : result.isJson(),
            result == null ? null : result.toBytes()
        };
    }
}
