package io.millrace.internal.engine;

import io.millrace.Event;
import io.millrace.StoreFullException;
import io.millrace.Task;
import io.millrace.Worker;
import io.millrace.internal.Events;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.Ending;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.OverdueLease;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes tasks from workers that are lost, left, or overran the time-to-run, and ends their attempts. It is a worker of
 * its own to the store, so that another node's reaper takes over what this one leaves behind when it dies.
 */
final class Reaper {
    private static final Logger log = LoggerFactory.getLogger(Reaper.class);
    private static final int BATCH = 500;
    private static final Duration EXPIRY = Duration.ofSeconds(60);
    private static final Duration GRACE = Duration.ofSeconds(10);
    /** No topic has such a name: the engine itself serves none. */
    private static final String NO_TOPIC = "#engine";

    private final TaskStore store;
    private final Reporter reporter;
    private final Events events;
    private final LeaseLossListener losses;
    /** What the engine holds for other reasons than reaping. */
    private final Supplier<Set<UUID>> held;

    private final Set<UUID> knownAlive = new HashSet<>();
    private @Nullable UUID self;

    /** Is told when a lease was taken away, to stop the work where it runs in this process. */
    interface LeaseLossListener {
        void lost(UUID worker, UUID task);
    }

    Reaper(Node node, Reporter reporter, LeaseLossListener losses, Supplier<Set<UUID>> held) {
        store = node.store();
        events = node.events();
        this.reporter = reporter;
        this.losses = losses;
        this.held = held;
    }

    static boolean isEngine(Worker worker) {
        return worker.topics().contains(NO_TOPIC);
    }

    /** This engine as a worker, registered anew if it was taken for dead. */
    synchronized UUID self() {
        if (self == null || !isAlive(self)) {
            self = store.workers()
                    .register(new WorkerRegistry.Introduction("engine", "", Set.of(NO_TOPIC), "", true), EXPIRY);
        }
        return self;
    }

    /** Says that the engine lives, and what it moves between topics; whatever else it holds is given up. */
    private boolean isAlive(UUID id) {
        Heartbeat heartbeat = new Heartbeat(id, held.get(), GRACE, List.of());
        return store.workers().renew(heartbeat).worker().isAlive();
    }

    void run() {
        UUID reaper = self();
        List<OverdueLease> overdue;
        do {
            overdue = store.claimExpired(reaper, BATCH);
            CompletableFuture.allOf(overdue.stream().map(this::end).toArray(CompletableFuture[]::new))
                    .join();
        } while (overdue.size() == BATCH);
        if (events.wanted()) {
            tellExpired();
        }
    }

    private CompletableFuture<?> end(OverdueLease overdue) {
        LeasedTask leased = overdue.leased();
        Task task = leased.task();
        Task.Hold hold = task.hold();
        UUID worker = hold == null ? leased.lease().worker() : hold.worker();
        if (wasToBeEnded(task)) {
            return reporter.expireOnce(leased).exceptionally(Reaper::later);
        }
        Ending ending = switch (overdue.reason()) {
            case GIVEN_UP -> new Ending.Released(true);
            case NOT_STARTED -> Ending.Released.NOT_STARTED;
            case WORKER_LOST -> new Ending.Lost("worker " + worker + " was not heard of in time");
            case TIME_EXCEEDED -> new Ending.TimedOut("the time-to-run was over");
        };
        if (!(ending instanceof Ending.Released)) {
            log.warn(
                    "Task {} attempt {} ends as {}: {}",
                    task,
                    task.tally().attempts(),
                    ending.outcome(),
                    ending.error());
        }
        losses.lost(worker, task.id());
        return reporter.end(leased, ending).exceptionally(Reaper::later);
    }

    /** It was handed out past its deadline, and whoever should have ended it has not. */
    private static boolean wasToBeEnded(Task task) {
        Instant deadline = task.moments().deadline();
        Task.Hold hold = task.hold();
        return deadline != null && hold != null && deadline.isBefore(hold.since());
    }

    /** A dead letter has no room now. The lease is this reaper's until it ends, and then comes up again. */
    private static @Nullable CompletionResult later(Throwable error) {
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        if (cause instanceof StoreFullException) {
            log.warn("An attempt cannot be ended yet; it is tried again: {}", cause.getMessage());
            return null;
        }
        throw cause instanceof RuntimeException known ? known : new CompletionException(cause);
    }

    private synchronized void tellExpired() {
        List<Worker> workers = store.workers().list();
        knownAlive.retainAll(workers.stream().map(Worker::id).toList());
        for (Worker worker : workers) {
            if (worker.status() != Worker.Status.EXPIRED) {
                knownAlive.add(worker.id());
            } else if (knownAlive.remove(worker.id())) {
                events.tell(() -> new Event.WorkerExpired(worker.id()));
            }
        }
    }

    /** Leaves; what it holds is another's to end. */
    synchronized void close() {
        if (self != null) {
            store.workers().leave(self);
        }
    }
}
