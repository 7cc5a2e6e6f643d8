package io.millrace.internal.lifecycle;

import io.millrace.NewTask;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.spi.Completion;
import io.millrace.spi.Ending;
import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** A task on its way through the life cycle, claimed as soon as it can be; it does what a store does with decisions. */
final class Walk {
    static final UUID WORKER = new UUID(7, 7);
    static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private final NewTask given;
    private final TopicPolicy policy;
    private final RandomGenerator chance;
    private final List<Duration> starts = new ArrayList<>();
    private Duration time = Duration.ZERO;
    private int attempts;
    private int retries;
    private int losses;
    private TaskState state = TaskState.READY;

    Walk(NewTask given, TopicPolicy policy) {
        this(given, policy, new Random(1));
    }

    Walk(NewTask given, TopicPolicy policy, RandomGenerator chance) {
        this.given = given;
        this.policy = policy;
        this.chance = chance;
    }

    /** A task in the hands of a worker. */
    static LeasedTask leased(NewTask given, int attempts, int retries, int losses) {
        Task task = new Task(
                given,
                TaskState.RUNNING,
                new Task.Moments(START, START, null, null, null),
                new Task.Tally(attempts, retries, losses, 0),
                new Task.Hold(WORKER, START, START.plusSeconds(60), false),
                List.of(),
                null,
                null,
                false);
        Lease lease = new Lease(given.id(), attempts, WORKER, "token-" + attempts);
        return new LeasedTask(task, lease, Duration.ofSeconds(60));
    }

    /** Runs the next attempt and ends it so. */
    Completion attempt(Ending ending) {
        if (state.isFinal()) {
            throw new IllegalStateException("it is over: " + state);
        }
        attempts++;
        starts.add(time);
        Completion completion = LifeCycle.decide(leased(given, attempts, retries, losses), ending, policy, chance);
        if (completion.next() instanceof Next.Requeue requeue) {
            retries += requeue.reason() == Next.Reason.RETRY ? 1 : 0;
            losses += requeue.reason() == Next.Reason.LOSS ? 1 : 0;
            time = time.plus(requeue.delay());
        } else if (completion.next() instanceof Next.Finish finish) {
            state = finish.state();
        }
        return completion;
    }

    /** Ends every attempt the same way until the task is final. */
    Walk untilFinal(Ending ending) {
        while (!isOver()) {
            attempt(ending);
        }
        return this;
    }

    boolean isOver() {
        return state.isFinal();
    }

    TaskState state() {
        return state;
    }

    int attempts() {
        return attempts;
    }

    int retries() {
        return retries;
    }

    int losses() {
        return losses;
    }

    /** When each attempt began, counted from the first; attempts themselves take no time. */
    List<Duration> starts() {
        return starts;
    }
}
