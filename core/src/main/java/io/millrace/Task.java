package io.millrace;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * All that Millrace knows of a task at one moment.
 *
 * @param given what it was enqueued with
 * @param hold the lease on it, while RUNNING
 * @param attempts those that ended, oldest first: the last {@value #ATTEMPTS_KEPT} at most, and fewer if their errors
 *     have
 *     more than {@value #ERRORS_KEPT} characters together; the newest is always there
 * @param redriven its dead letter was redriven, so that it cannot be retried itself
 */
public record Task(
        NewTask given,
        TaskState state,
        Moments moments,
        Tally tally,
        @Nullable Hold hold,
        List<Attempt> attempts,
        @Nullable Progress progress,
        @Nullable Payload result,
        boolean redriven) {

    /** Maximum number of ended attempts that are kept: a task that is snoozed for ever must not grow for ever. */
    public static final int ATTEMPTS_KEPT = 100;

    /** Maximum number of characters of their errors together. Six errors of the greatest length fit. */
    public static final int ERRORS_KEPT = 65_536;

    /**
     * @param due when it may run, or was last allowed to
     * @param removal when a final task is deleted
     */
    public record Moments(
            Instant created,
            Instant due,
            @Nullable Instant deadline,
            @Nullable Instant finished,
            @Nullable Instant removal) {}

    /**
     * @param attempts how many were started, ever
     * @param retries how many of them were retries, since the enqueue or the last retry by hand
     * @param losses how many workers were lost over it, counted likewise
     * @param waitingFor how many arrivals are still missing
     */
    public record Tally(int attempts, int retries, int losses, int waitingFor) {}

    /**
     * @param until the end of the time-to-run; null while that has not begun, because the worker has not started the
     *     task
     * @param cancelRequested the worker is asked to stop
     */
    public record Hold(UUID worker, Instant since, @Nullable Instant until, boolean cancelRequested) {}

    public UUID id() {
        return given.id();
    }

    public String topic() {
        return given.topic();
    }

    public Payload payload() {
        return given.payload();
    }

    /** How many ended attempts are not kept any more. */
    public int attemptsDropped() {
        return attempts.isEmpty() ? 0 : attempts.get(0).number() - 1;
    }

    /** The error of the last kept attempt that had one. */
    public @Nullable String lastError() {
        for (int i = attempts.size() - 1; i >= 0; i--) {
            String error = attempts.get(i).error();
            if (error != null) {
                return error;
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return given + " " + state;
    }
}
