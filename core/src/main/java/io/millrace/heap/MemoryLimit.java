package io.millrace.heap;

import io.millrace.Attempt;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes of memory the tasks may take, about.
 *
 * <p>Above it, new tasks are refused and reports go on. A report then keeps little of the task's history, so that tasks
 * that fail again and again do not grow. Results and spawned tasks may use the reserve beyond the limit; a report that
 * needs more is refused.
 *
 * @param bytes above which new tasks are refused
 */
record MemoryLimit(long bytes) {
    static final MemoryLimit NONE = new MemoryLimit(Long.MAX_VALUE);

    /** What is kept of an error above the limit, in characters. */
    static final int ERROR_LENGTH = 1_000;

    /** One object for all tasks. */
    static final String ERROR_DROPPED = "the error is not kept: the store is full";

    private static final String CUT = " … (cut: the store is full)";
    private static final int RESERVE_SHARE = 8;

    boolean isExceededBy(long weight) {
        return weight > bytes;
    }

    boolean leavesNoReserveFor(long weight) {
        return weight - bytes > bytes / RESERVE_SHARE;
    }

    /** The same attempt with the beginning of its error. */
    static Attempt withShortError(Attempt attempt) {
        String error = attempt.error();
        return error == null || error.length() <= ERROR_LENGTH
                ? attempt
                : withError(attempt, error.substring(0, ERROR_LENGTH - CUT.length()) + CUT);
    }

    /** The same error, or the one object of it that is not counted. */
    static @Nullable String shared(@Nullable String error) {
        return ERROR_DROPPED.equals(error) ? ERROR_DROPPED : error;
    }

    static Attempt withoutError(Attempt attempt) {
        return attempt.error() == null ? attempt : withError(attempt, ERROR_DROPPED);
    }

    private static Attempt withError(Attempt attempt, String error) {
        return new Attempt(
                attempt.number(), attempt.worker(), attempt.startedAt(), attempt.endedAt(), attempt.outcome(), error);
    }
}
