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
 * @param attempts those that ended, oldest first; of a task with very many the last {@value #ATTEMPTS_KEPT}
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

    /** A task that is snoozed for ever must not grow for ever. */
    public static final int ATTEMPTS_KEPT = 1_000;

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
     * @param until the end of the time-to-run; null while that has not begun, because the worker has not started the task
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

    /** The error of the last attempt that had one. */
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
