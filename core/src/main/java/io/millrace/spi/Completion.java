package io.millrace.spi;

import io.millrace.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The end of a lease, decided.
 *
 * @param isAttempt whether the lease was an attempt. One that was given up before its task was started was none: it is not
 *     counted, and not among the attempts of the task.
 * @param next what to write
 * @param ifCancelled what to write instead if the task was asked to stop since it was claimed
 */
public record Completion(
        Lease lease,
        boolean isAttempt,
        Outcome outcome,
        @Nullable String error,
        Next next,
        Next ifCancelled) {
    /** The end of an attempt. */
    public Completion(Lease lease, Outcome outcome, @Nullable String error, Next next, Next ifCancelled) {
        this(lease, true, outcome, error, next, ifCancelled);
    }
}
