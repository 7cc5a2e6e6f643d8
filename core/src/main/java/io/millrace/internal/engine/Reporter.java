package io.millrace.internal.engine;

import io.millrace.Event;
import io.millrace.Event.BatchDone.Call;
import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.StoreFullException;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.When;
import io.millrace.internal.Events;
import io.millrace.internal.lifecycle.LifeCycle;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.CompletionResult.Status;
import io.millrace.spi.Ending;
import io.millrace.spi.EngineClock;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerProtocol.Report;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of attempts: decides what follows from a report, and has it written. */
final class Reporter {
    private static final Logger log = LoggerFactory.getLogger(Reporter.class);

    private static final int BATCH = 1_000;
    private static final Duration TROUBLE = Duration.ofSeconds(1);

    private final TaskStore store;
    private final Topics topics;
    private final Events events;
    private final HandedOut handedOut;
    private final WaitingList waiting;
    private final Alarm alarm;
    private final EngineClock clock;
    private final Finishes finishes;
    private final Batcher<Completion, CompletionResult> batcher;
    private volatile boolean closed;

    Reporter(Node node) {
        store = node.store();
        topics = node.topics();
        events = node.events();
        handedOut = node.handedOut();
        waiting = node.waiting();
        alarm = node.alarm();
        clock = node.clock();
        finishes = node.finishes();
        batcher = node.batcher(Call.COMPLETE, BATCH, completion -> 1, (completion, result) -> 1, store::complete);
    }

    /** A worker's report on a task that it was given. */
    CompletableFuture<CompletionResult> report(UUID worker, Report report) {
        LeasedTask leased = report.lease().worker().equals(worker) ? handedOut.find(report.lease()) : null;
        if (leased == null) {
            ignored(worker, report, false);
            return CompletableFuture.completedFuture(CompletionResult.LEASE_LOST);
        }
        return end(leased, report.ending(), report.ran()).thenApply(result -> {
            if (result.status() != Status.APPLIED) {
                ignored(worker, report, result.status() == Status.REPEATED);
            }
            return result;
        });
    }

    private void ignored(UUID worker, Report report, boolean repeated) {
        events.tell(() -> new Event.ReportIgnored(
                report.lease().task(), worker, report.ending().outcome(), repeated));
    }

    /** Puts back a task that nobody is there to take. */
    void giveBack(LeasedTask leased) {
        var unused = end(leased, Ending.Released.NOT_STARTED);
    }

    /**
     * Ends a task whose deadline has passed. Its worker does not know of the lease, so this is tried until it is kept.
     */
    void expire(LeasedTask leased) {
        var unused = expireOnce(leased).whenComplete((result, error) -> {
            if (error != null && !closed) {
                clock.after(TROUBLE, () -> expire(leased));
            }
        });
    }

    /** The same, and whoever calls tries again. */
    CompletableFuture<CompletionResult> expireOnce(LeasedTask leased) {
        Next.Finish end =
                LifeCycle.expire(leased.task(), topics.policy(leased.task().topic()));
        Completion completion = new Completion(leased.lease(), false, Outcome.RELEASED, null, end, end);
        return move(leased, completion).whenComplete((result, error) -> {
            if (error == null && result.status() == Status.APPLIED) {
                events.tell(() -> new Event.TaskExpired(leased.task()));
            }
        });
    }

    /** What could not be kept so far is left to the store's other nodes, or to the next opening. */
    void close() {
        closed = true;
    }

    /** Ends an attempt as the life cycle says. */
    CompletableFuture<CompletionResult> end(LeasedTask leased, Ending ending) {
        return end(leased, ending, null);
    }

    private CompletableFuture<CompletionResult> end(LeasedTask leased, Ending ending, @Nullable Duration ran) {
        TopicPolicy policy = topics.policy(leased.task().topic());
        return complete(leased, LifeCycle.decide(leased, ending, policy, ThreadLocalRandom.current()), true, ran);
    }

    /** Ends a lease that was no run of the task. */
    CompletableFuture<CompletionResult> move(LeasedTask leased, Completion completion) {
        return complete(leased, completion, false, null);
    }

    private CompletableFuture<CompletionResult> complete(
            LeasedTask leased, Completion completion, boolean isRun, @Nullable Duration ran) {
        return batcher.submit(completion).thenApply(result -> {
            if (result.status() == Status.STORE_FULL) {
                throw new StoreFullException("the store has no room for the result of " + leased.task()
                        + " or what it spawns; the lease is kept, and the report can be made again");
            }
            handedOut.remove(leased.lease());
            if (result.status() == Status.APPLIED) {
                try {
                    applied(leased, completion, result, isRun, ran);
                } catch (RuntimeException e) {
                    log.warn("{} has ended; who waits for it learns it from the next scan", leased.task(), e);
                }
            }
            return result;
        });
    }

    private void applied(
            LeasedTask leased, Completion completion, CompletionResult result, boolean isRun, @Nullable Duration ran) {
        Task task = leased.task();
        if (topics.policy(task.topic()).concurrency() != null) {
            waiting.signal(task.topic());
        }
        boolean asDecided = result.state() != TaskState.CANCELLED;
        if (asDecided
                && completion.next() instanceof Next.Requeue requeue
                && !requeue.delay().isZero()) {
            alarm.at(task.topic(), store.now().plus(requeue.delay()));
        }
        if (completion.next() instanceof Next.Finish finish && finish.state() == result.state()) {
            finish.spawned().forEach(this::setAlarm);
        }
        if (!result.released().isEmpty()) {
            store.get(result.released())
                    .forEach(released ->
                            alarm.at(released.topic(), released.moments().due()));
        }
        if (result.state() != null && result.state().isFinal()) {
            finishes.finished(task, completion, result.state());
        }
        if (events.wanted()) {
            tell(task, completion, result, isRun, ran == null ? sinceClaim(task) : ran);
        }
    }

    private void setAlarm(NewTask spawned) {
        if (!spawned.runAt().equals(When.NOW)) {
            alarm.at(spawned.topic(), spawned.runAt().from(store.now()));
        }
    }

    private Duration sinceClaim(Task task) {
        Task.Hold hold = task.hold();
        return hold == null ? Duration.ZERO : Duration.between(hold.since(), store.now());
    }

    private void tell(Task task, Completion completion, CompletionResult result, boolean isRun, Duration ran) {
        TaskState state = result.state();
        if (state != null && isRun && completion.isAttempt()) {
            events.tell(() -> new Event.AttemptEnded(task, completion.outcome(), completion.error(), state, ran));
        } else if (state != null && isRun) {
            events.tell(() -> new Event.TaskGivenBack(task, state));
        }
        if (completion.next() instanceof Next.Finish finish && finish.state() == result.state()) {
            finish.spawned().forEach(spawned -> events.tell(() -> new Event.TaskEnqueued(spawned)));
        }
        result.released().forEach(id -> events.tell(() -> new Event.TaskReleased(id)));
    }
}
