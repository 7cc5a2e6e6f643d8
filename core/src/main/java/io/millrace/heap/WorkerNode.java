package io.millrace.heap;

import io.millrace.Worker;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.spi.WorkerStanding;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/** A registered worker in memory. */
final class WorkerNode {
    final UUID id;
    final TaskList held = new TaskList();
    private Introduction introduction;
    private final long registered;
    private final long expiresAfter;
    private long lastSeen;
    private boolean stopRequested;
    private boolean expired;
    /** The journal says so too. */
    boolean expiryKept;
    /** Of the journal, where it stands. */
    int segment = TaskNode.NOT_KEPT;

    WorkerNode(UUID id, Introduction introduction, Duration expiresAfter, long now) {
        this.id = id;
        this.introduction = introduction;
        this.expiresAfter = expiresAfter.toMillis();
        registered = now;
        lastSeen = now;
    }

    /** A worker that is known by its leases only. */
    static WorkerNode knownById(UUID id) {
        WorkerNode worker = new WorkerNode(id, Introduction.ANONYMOUS, Duration.ZERO, 0);
        worker.expired = true;
        return worker;
    }

    void write(EntryWriter out) {
        out.id(id);
        out.text(introduction.name());
        out.text(introduction.host());
        out.number(introduction.topics().size());
        introduction.topics().forEach(out::text);
        out.number(expiresAfter);
        out.number(registered);
        out.number(lastSeen);
        out.flag(stopRequested);
        out.flag(expired);
    }

    /** A worker that was alive has its full time again: nobody could hear of it meanwhile. */
    static WorkerNode read(EntryReader in, long now) {
        UUID id = in.id();
        String name = in.text();
        String host = in.text();
        Set<String> topics = new HashSet<>();
        for (int i = in.smallNumber(); i > 0; i--) {
            topics.add(in.text());
        }
        Duration expiresAfter = Duration.ofMillis(in.number());
        WorkerNode worker =
                new WorkerNode(id, new Introduction(name, host, Set.copyOf(topics)), expiresAfter, in.number());
        long lastSeen = in.number();
        worker.stopRequested = in.flag();
        worker.expired = in.flag();
        worker.expiryKept = worker.expired;
        worker.lastSeen = worker.expired ? lastSeen : now;
        return worker;
    }

    /** Once expired, a worker stays so, even if it calls again: its tasks may run elsewhere already. */
    WorkerStanding standing(long now) {
        expired |= now - lastSeen >= expiresAfter;
        if (expired) {
            return WorkerStanding.EXPIRED;
        }
        return stopRequested ? WorkerStanding.STOPPING : WorkerStanding.ALIVE;
    }

    void seen(long now) {
        lastSeen = Math.max(lastSeen, now);
    }

    void serve(Set<String> topics) {
        introduction = new Introduction(introduction.name(), introduction.host(), Set.copyOf(topics));
    }

    void requestStop() {
        stopRequested = true;
    }

    /** An expired worker is remembered for as long as it lived, but at least for this long. */
    boolean isForgettable(long now, long atLeast) {
        return !standing(now).isAlive()
                && held.size() == 0
                && now - lastSeen > Math.max(atLeast, lastSeen - registered);
    }

    Worker snapshot(long now) {
        Worker.Status status = switch (standing(now)) {
            case ALIVE -> Worker.Status.ACTIVE;
            case STOPPING -> Worker.Status.STOPPING;
            case EXPIRED, UNKNOWN -> Worker.Status.EXPIRED;
        };
        return new Worker(
                id,
                introduction.name(),
                introduction.host(),
                introduction.topics(),
                status,
                Instant.ofEpochMilli(registered),
                Instant.ofEpochMilli(lastSeen),
                held.size());
    }
}
