package io.millrace.testkit.store;

import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.TaskState;
import io.millrace.spi.Completion;
import io.millrace.spi.Lease;
import io.millrace.spi.Next;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Completions as the tests need them. */
final class Reports {
    static final Duration KEPT = Duration.ofDays(1);
    static final Duration KEPT_IF_CANCELLED = Duration.ofDays(2);
    static final String ERROR = "it broke";

    private Reports() {}

    static Completion success(Lease lease) {
        return success(lease, null, List.of(), List.of());
    }

    static Completion success(Lease lease, Payload result) {
        return success(lease, result, List.of(), List.of());
    }

    static Completion spawning(Lease lease, NewTask... spawned) {
        return success(lease, null, List.of(spawned), List.of());
    }

    static Completion arriving(Lease lease, UUID... arrivals) {
        return success(lease, null, List.of(), List.of(arrivals));
    }

    static Completion success(Lease lease, @Nullable Payload result, List<NewTask> spawned, List<UUID> arrivals) {
        Next next = new Next.Finish(TaskState.SUCCEEDED, KEPT, result, spawned, arrivals);
        return new Completion(lease, Outcome.SUCCEEDED, null, next, next);
    }

    static Completion failure(Lease lease) {
        return failure(lease, ERROR);
    }

    static Completion failure(Lease lease, String error) {
        return new Completion(lease, Outcome.FAILED, error, Next.Finish.as(TaskState.FAILED, KEPT), cancelled());
    }

    /** An end in the state, kept as long as said. */
    static Completion end(Lease lease, TaskState state, Duration retention) {
        Outcome outcome = switch (state) {
            case SUCCEEDED -> Outcome.SUCCEEDED;
            case TIMED_OUT -> Outcome.TIMED_OUT;
            default -> Outcome.FAILED;
        };
        return new Completion(lease, outcome, null, Next.Finish.as(state, retention), cancelled());
    }

    static Completion requeue(Lease lease, Next.Reason reason, Duration delay) {
        return new Completion(lease, outcomeOf(reason), ERROR, new Next.Requeue(delay, reason), cancelled());
    }

    /** A failure after which the task runs again at once. */
    static Completion retry(Lease lease, String error) {
        Next again = new Next.Requeue(Duration.ZERO, Next.Reason.RETRY);
        return new Completion(lease, Outcome.FAILED, error, again, cancelled());
    }

    /** A lease given up before its task was started. */
    static Completion notStarted(Lease lease) {
        Next next = new Next.Requeue(Duration.ZERO, Next.Reason.RELEASE);
        return new Completion(lease, false, Outcome.RELEASED, null, next, cancelled());
    }

    static Completion expired(Lease lease) {
        return expired(lease, KEPT);
    }

    /** The end of a task past its deadline. */
    static Completion expired(Lease lease, Duration retention, NewTask... letters) {
        Next end = new Next.Finish(TaskState.EXPIRED, retention, null, List.of(letters), List.of());
        return new Completion(lease, false, Outcome.RELEASED, null, end, end);
    }

    static Outcome outcomeOf(Next.Reason reason) {
        return switch (reason) {
            case RETRY -> Outcome.FAILED;
            case REDELIVERY -> Outcome.TIMED_OUT;
            case LOSS -> Outcome.LOST;
            case SNOOZE -> Outcome.SNOOZED;
            case RELEASE -> Outcome.RELEASED;
        };
    }

    private static Next cancelled() {
        return Next.Finish.as(TaskState.CANCELLED, KEPT_IF_CANCELLED);
    }
}
