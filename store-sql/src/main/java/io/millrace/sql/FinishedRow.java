package io.millrace.sql;

import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.Progress;
import io.millrace.TaskState;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How one task ended, or several that stand side by side in a lane, were leased together and ended alike.
 *
 * @param aside what a task that had stood aside brought along; null for tasks that ended at their first attempt, under the
 *     lease
 * @param last the attempt that ended them; there is none if they ended without one
 */
record FinishedRow(
        Stretch stretch,
        long lease,
        TaskState state,
        long finished,
        long removal,
        @Nullable FromAside aside,
        @Nullable LastAttempt last,
        @Nullable Outcome outcome,
        @Nullable Progress progress,
        @Nullable Payload result,
        boolean redriven) {
    static final String COLUMNS = Table.FINISHED.columnNames("f.");

    /** Tasks of a lane from lo, which is not included, to hi. */
    record Stretch(int lane, long lo, long hi, int tasks) {
        static Stretch read(Row row) throws SQLException {
            return new Stretch(row.smallNumber(), row.number(), row.number(), row.smallNumber());
        }

        static Stretch of(int lane, long num) {
            return new Stretch(lane, num - 1, num, 1);
        }
    }

    /**
     * @param token of the last lease that was ended by a report
     * @param endedBy who reported that, where it was not who ran the last attempt
     */
    record FromAside(
            long due,
            @Nullable Long deadline,
            int attempts,
            int retries,
            int losses,
            @Nullable String token,
            @Nullable UUID endedBy) {}

    record LastAttempt(UUID runner, long since, @Nullable String error) {}

    static FinishedRow read(Row row) throws SQLException {
        FinishedRow read = new FinishedRow(
                Stretch.read(row),
                row.number(),
                Codes.STATES.at(row.smallNumber()),
                row.number(),
                row.number(),
                fromAside(row),
                lastAttempt(row),
                Codes.OUTCOMES.orNull(row.smallNumberOrNull()),
                Aside.progress(row),
                payload(row),
                false);
        return read.with(row.idOrNull(), row.flag());
    }

    private FinishedRow with(@Nullable UUID endedBy, boolean isRedriven) {
        FromAside from = aside == null || endedBy == null
                ? aside
                : new FromAside(
                        aside.due, aside.deadline, aside.attempts, aside.retries, aside.losses, aside.token, endedBy);
        return new FinishedRow(
                stretch, lease, state, finished, removal, from, last, outcome, progress, result, isRedriven);
    }

    private static @Nullable FromAside fromAside(Row row) throws SQLException {
        Long due = row.numberOrNull();
        Long deadline = row.numberOrNull();
        int attempts = row.smallNumber();
        int retries = row.smallNumber();
        int losses = row.smallNumber();
        String token = row.textOrNull();
        return due == null ? null : new FromAside(due, deadline, attempts, retries, losses, token, null);
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

    int attempts() {
        return aside == null ? 1 : aside.attempts;
    }

    int retries() {
        return aside == null ? 0 : aside.retries;
    }

    int losses() {
        return aside == null ? 0 : aside.losses;
    }

    /** Under which the last attempt of the task that was reported had been leased. */
    @Nullable
    String token(long num, UUID id) {
        return aside == null ? Token.of(lease, stretch.lane(), num, id).toString() : aside.token;
    }

    /** Who reported how that ended. */
    @Nullable
    UUID endedBy() {
        if (aside != null && aside.endedBy != null) {
            return aside.endedBy;
        }
        return last == null ? null : last.runner;
    }

    /** The same end for other tasks. */
    FinishedRow over(Stretch other) {
        return new FinishedRow(
                other, lease, state, finished, removal, aside, last, outcome, progress, result, redriven);
    }

    /** The same end of one of the tasks, whose dead letter is redriven. */
    FinishedRow redriven(long num) {
        return over(Stretch.of(stretch.lane, num)).with(null, true);
    }

    @Nullable
    Object[] values() {
        return new Object[] {
            stretch.lane,
            stretch.lo,
            stretch.hi,
            stretch.tasks,
            lease,
            Codes.STATES.of(state),
            finished,
            removal,
            aside == null ? null : aside.due,
            aside == null ? null : aside.deadline,
            attempts(),
            retries(),
            losses(),
            aside == null ? null : aside.token,
            last == null ? null : last.runner,
            last == null ? null : last.since,
            last == null ? null : last.error,
            Codes.OUTCOMES.orNull(outcome),
            progress == null ? null : progress.percent(),
            progress == null ? null : progress.message(),
            progress == null ? null : progress.at().toEpochMilli(),
            result == null ? null : result.isJson(),
            result == null ? null : result.toBytes(),
            aside == null ? null : aside.endedBy,
            redriven ? true : null
        };
    }
}
