package io.millrace.internal.engine;

import io.millrace.Event;
import io.millrace.InvalidValueException;
import io.millrace.Limits;
import io.millrace.Worker;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.Ending;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.Renewal;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerProtocol;
import io.millrace.spi.WorkerRegistry.Introduction;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Serves workers, embedded and remote alike. */
final class WorkerDesk implements WorkerProtocol, Reaper.LeaseLossListener {
    /** A claim's answer may be on its way for this long before a ping without the task means that it was lost. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final TaskStore store;
    private final Dispatcher dispatcher;
    private final Reporter reporter;
    private final Producer producer;
    private final Events events;
    private final Runnable reap;
    private final Duration expiresAfter;
    /** Of the workers that registered here: what they serve, and whom to tell. */
    private final Map<UUID, Desk> desks = new ConcurrentHashMap<>();

    private record Desk(Set<String> topics, LeaseListener listener) {}

    WorkerDesk(
            TaskStore store,
            Dispatcher dispatcher,
            Reporter reporter,
            Producer producer,
            Events events,
            Runnable reap,
            Duration expiresAfter) {
        this.store = store;
        this.dispatcher = dispatcher;
        this.reporter = reporter;
        this.producer = producer;
        this.events = events;
        this.reap = reap;
        this.expiresAfter = expiresAfter;
    }

    @Override
    public Registration register(Introduction introduction, LeaseListener listener) {
        introduction.topics().forEach(topic -> Limits.topic("topics", topic));
        UUID id = store.workers().register(introduction, expiresAfter);
        desks.put(id, new Desk(introduction.topics(), listener));
        events.tell(() -> new Event.WorkerRegistered(id, introduction.name()));
        return new Registration(id, expiresAfter.dividedBy(3), expiresAfter);
    }

    @Override
    public Renewal ping(UUID worker, @Nullable Set<UUID> holding, List<Heartbeat.Report> reports) {
        Renewal renewal = store.workers().renew(new Heartbeat(worker, holding, GRACE, reports));
        if (!renewal.worker().isAlive()) {
            desks.remove(worker);
        }
        for (int i = 0; i < reports.size(); i++) {
            Heartbeat.Report report = reports.get(i);
            if (renewal.applied().get(i) && (report.percent() != null || report.message() != null)) {
                events.tell(() -> new Event.TaskProgressed(report.lease().task(), report.percent(), report.message()));
            }
        }
        return renewal;
    }

    @Override
    public CompletableFuture<Claim> claim(
            UUID worker, Collection<String> topics, int max, Duration wait, Executor executor) {
        try {
            Limits.between("max", max, 1, Limits.CLAIM);
            Limits.notNegative("wait", wait);
            topics.forEach(topic -> Limits.topic("topics", topic));
        } catch (InvalidValueException e) {
            return CompletableFuture.failedFuture(e);
        }
        return dispatcher.claim(worker, served(worker, topics), max, wait, executor);
    }

    /** The topics to claim from; what a worker asks for tells what it serves, whatever it registered with. */
    private Set<String> served(UUID worker, Collection<String> asked) {
        Desk desk = desks.computeIfAbsent(worker, any -> new Desk(registeredElsewhere(worker), LeaseListener.NONE));
        if (asked.isEmpty() || (asked.size() == desk.topics.size() && desk.topics.containsAll(asked))) {
            return desk.topics;
        }
        Set<String> topics = Set.copyOf(asked);
        store.workers().serve(worker, topics);
        desks.put(worker, new Desk(topics, desk.listener));
        return topics;
    }

    private Set<String> registeredElsewhere(UUID worker) {
        return store.workers().list().stream()
                .filter(known -> known.id().equals(worker))
                .findFirst()
                .map(Worker::topics)
                .orElse(Set.of());
    }

    @Override
    public CompletableFuture<CompletionResult> report(UUID worker, Report report) {
        try {
            check(report.ending());
        } catch (InvalidValueException e) {
            return CompletableFuture.failedFuture(e);
        }
        return reporter.report(worker, report);
    }

    private void check(Ending ending) {
        if (ending instanceof Ending.Succeeded succeeded) {
            producer.checkPayload("result", succeeded.result());
            if (!succeeded.spawned().isEmpty()) {
                producer.check(succeeded.spawned());
            }
        } else if (ending instanceof Ending.Snoozed snoozed) {
            Limits.notNegative("delay", snoozed.delay());
        }
    }

    @Override
    public void leave(UUID worker) {
        if (store.workers().leave(worker)) {
            events.tell(() -> new Event.WorkerLeft(worker));
            reap.run();
        }
        desks.remove(worker);
    }

    @Override
    public void lost(UUID worker, UUID task) {
        Desk desk = desks.get(worker);
        if (desk != null) {
            desk.listener.lost(task);
        }
    }

    void cancelRequested(UUID task) {
        desks.values().forEach(desk -> desk.listener.cancelRequested(task));
    }
}
