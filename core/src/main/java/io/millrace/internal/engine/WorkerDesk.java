package io.millrace.internal.engine;

import io.millrace.Event;
import io.millrace.Limits;
import io.millrace.Worker;
import io.millrace.internal.Events;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.Ending;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.Renewal;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerProtocol;
import io.millrace.spi.WorkerRegistry.Introduction;
import java.time.Duration;
import java.util.HashSet;
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

    /**
     * One worker.
     *
     * @param registered the topics it registered with
     * @param served those that it last asked for, as the store knows them
     */
    private record Desk(Set<String> registered, Set<String> served, LeaseListener listener) {}

    WorkerDesk(
            Node node,
            Dispatcher dispatcher,
            Reporter reporter,
            Producer producer,
            Runnable reap,
            Duration expiresAfter) {
        store = node.store();
        events = node.events();
        this.dispatcher = dispatcher;
        this.reporter = reporter;
        this.producer = producer;
        this.reap = reap;
        this.expiresAfter = expiresAfter;
    }

    @Override
    public Registration register(Introduction introduction, LeaseListener listener) {
        check(introduction);
        Set<String> topics = allOrThese(introduction.topics());
        UUID id = store.workers().register(introduction.serving(topics), expiresAfter);
        desks.put(id, new Desk(topics, topics, listener));
        events.tell(() -> new Event.WorkerRegistered(id, introduction.name()));
        return new Registration(id, expiresAfter.dividedBy(3), expiresAfter);
    }

    @Override
    public Renewal ping(UUID worker, @Nullable Set<UUID> holding, Set<UUID> started, List<Heartbeat.Report> reports) {
        reports.forEach(WorkerDesk::check);
        Renewal renewal = store.workers().renew(new Heartbeat(worker, holding, GRACE, started, reports));
        if (!renewal.worker().isAlive()) {
            desks.remove(worker);
        }
        if (renewal.givenUp() > 0) {
            reap.run();
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
    public CompletableFuture<Claim> claim(UUID worker, Wanted wanted, Executor executor) {
        try {
            Limits.between("max", wanted.max(), 1, Limits.CLAIM);
            Limits.notNegative("wait", wanted.patience());
            wanted.topics().forEach(topic -> Limits.topicOrAll("topics", topic));
            Set<String> topics = toClaimFrom(worker, Set.copyOf(wanted.topics()));
            return dispatcher.claim(
                    worker,
                    new Wanted(topics, wanted.max(), wanted.patience(), wanted.timeFrom(), wanted.order()),
                    executor);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** What a worker asks for tells what it serves, whatever it registered with. */
    private Set<String> toClaimFrom(UUID worker, Set<String> asked) {
        Desk desk = desks.get(worker);
        if (desk == null) {
            desk = deskOfOtherNode(worker);
        }
        Set<String> topics = asked.isEmpty() ? desk.registered : allOrThese(asked);
        if (!topics.equals(desk.served)) {
            store.workers().serve(worker, topics);
            desks.replace(worker, new Desk(desk.registered, topics, desk.listener));
        }
        return topics;
    }

    /** No topic stands for all. */
    private static Set<String> allOrThese(Set<String> topics) {
        return topics.contains(Limits.ALL_TOPICS) ? Set.of() : Set.copyOf(topics);
    }

    /** A worker that registered with another node; one that the store does not know is not remembered. */
    private Desk deskOfOtherNode(UUID worker) {
        Worker known = store.workers().find(worker);
        if (known == null) {
            return new Desk(Set.of(), Set.of(), LeaseListener.NONE);
        }
        Desk desk = new Desk(known.topics(), known.topics(), LeaseListener.NONE);
        desks.put(worker, desk);
        return desk;
    }

    /** Forgets workers that expired, or left by another node. */
    void forgetGone() {
        Set<UUID> gone = new HashSet<>(desks.keySet());
        for (Worker worker : store.workers().list()) {
            if (worker.status() != Worker.Status.EXPIRED) {
                gone.remove(worker.id());
            }
        }
        desks.keySet().removeAll(gone);
    }

    @Override
    public CompletableFuture<CompletionResult> report(UUID worker, Report report) {
        try {
            check(report.ending());
            return reporter.report(worker, report);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static void check(Introduction introduction) {
        Limits.atMost("name", introduction.name(), Limits.TAG_LENGTH);
        Limits.atMost("host", introduction.host(), Limits.TAG_LENGTH);
        Limits.atMost("owner", introduction.owner(), Limits.TAG_LENGTH);
        Limits.between("topics", introduction.topics().size(), 0, Limits.WORKER_TOPICS);
        introduction.topics().forEach(topic -> Limits.topicOrAll("topics", topic));
    }

    private static void check(Heartbeat.Report report) {
        if (report.percent() != null) {
            Limits.between("percent", report.percent(), 0, 100);
        }
        if (report.message() != null) {
            Limits.atMost("message", report.message(), Limits.ERROR_LENGTH);
        }
        if (report.extend() != null) {
            Limits.positive("extend", report.extend());
        }
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
