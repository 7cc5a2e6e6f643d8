package io.millrace.internal.lifecycle;

import static io.millrace.TaskState.CANCELLED;
import static io.millrace.TaskState.EXPIRED;
import static io.millrace.TaskState.FAILED;
import static io.millrace.TaskState.SUCCEEDED;
import static io.millrace.TaskState.TIMED_OUT;

import io.millrace.Retry;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.spi.Completion;
import io.millrace.spi.Ending;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.Next.Reason;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What follows when an attempt ends: the task, what happened and the topic's policy in, what to write out. Nothing here
 * asks a clock or a store. Moments are delays, which the store adds to its own time.
 */
public final class LifeCycle {
    private LifeCycle() {}

    public static Completion decide(LeasedTask leased, Ending reported, TopicPolicy policy, RandomGenerator chance) {
        Task task = leased.task();
        Ending ending = named(task, reported, policy);
        Next next = next(task, ending, policy, chance);
        boolean success = ending instanceof Ending.Succeeded;
        Next ifCancelled = success ? next : Next.Finish.as(CANCELLED, policy.retentionOf(task.given(), CANCELLED));
        boolean isAttempt = !(ending instanceof Ending.Released released) || released.started();
        return new Completion(leased.lease(), isAttempt, ending.outcome(), ending.error(), next, ifCancelled);
    }

    /** The end of a task whose deadline passed before a worker took it. */
    public static Next.Finish expire(Task task, TopicPolicy policy) {
        return dead(task, EXPIRED, "its deadline, " + task.moments().deadline() + ", passed before it was run", policy);
    }

    private static Next next(Task task, Ending ending, TopicPolicy policy, RandomGenerator chance) {
        if (ending instanceof Ending.Succeeded done) {
            return new Next.Finish(
                    SUCCEEDED,
                    policy.retentionOf(task.given(), SUCCEEDED),
                    done.result(),
                    done.spawned(),
                    done.arrivals());
        }
        if (ending instanceof Ending.Failed failed) {
            return failed.stop()
                    ? dead(task, FAILED, failed.error(), policy)
                    : retryOr(FAILED, task, failed.error(), policy, chance);
        }
        if (ending instanceof Ending.TimedOut late) {
            return switch (policy.onTimeoutOf(task.given())) {
                case FINAL -> dead(task, TIMED_OUT, late.error(), policy);
                case RETRY -> retryOr(TIMED_OUT, task, late.error(), policy, chance);
                case REDELIVER -> new Next.Requeue(Duration.ZERO, Reason.REDELIVERY);
            };
        }
        if (ending instanceof Ending.Lost lost) {
            return isPoison(task, policy)
                    ? dead(task, FAILED, lost.error(), policy)
                    : new Next.Requeue(Duration.ZERO, Reason.LOSS);
        }
        if (ending instanceof Ending.Snoozed snoozed) {
            return new Next.Requeue(snoozed.delay(), Reason.SNOOZE);
        }
        return new Next.Requeue(Duration.ZERO, Reason.RELEASE);
    }

    private static boolean isPoison(Task task, TopicPolicy policy) {
        return task.tally().losses() + 1 >= policy.lossLimit();
    }

    /** The loss that makes a task poison says so, in the attempt and in the dead letter. */
    private static Ending named(Task task, Ending ending, TopicPolicy policy) {
        if (ending instanceof Ending.Lost lost && isPoison(task, policy)) {
            int losses = task.tally().losses() + 1;
            return new Ending.Lost("poison: " + losses + " workers were lost over it; " + lost.error());
        }
        return ending;
    }

    private static Next retryOr(TaskState end, Task task, String error, TopicPolicy policy, RandomGenerator chance) {
        Retry retry = policy.retryOf(task.given());
        int number = task.tally().retries() + 1;
        return number <= retry.max()
                ? new Next.Requeue(RetryDelay.of(retry, number, chance), Reason.RETRY)
                : dead(task, end, error, policy);
    }

    private static Next.Finish dead(Task task, TaskState state, String error, TopicPolicy policy) {
        Duration retention = policy.retentionOf(task.given(), state);
        String grave = policy.deadLetterOf(task.given(), state);
        if (grave == null) {
            return Next.Finish.as(state, retention);
        }
        return new Next.Finish(state, retention, null, List.of(DeadLetters.copyOf(task, grave, error)), List.of());
    }
}
