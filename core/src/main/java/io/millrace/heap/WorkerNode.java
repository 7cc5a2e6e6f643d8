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
    private long size;
    private final long registered;
    private final long expiresAfter;
    // steady moments
    /** When it was heard of, or had its full time again because nobody could hear of it. */
    private long lastSeen;
    /** When it was heard of. */
    private long lastHeard;

    private boolean stopRequested;
    private boolean expired;
    /** The journal says so too. */
    boolean expiryKept;
    /** Of the journal, where it stands. */
    int segment = TaskNode.NOT_KEPT;

    WorkerNode(UUID id, Introduction introduction, Duration expiresAfter, HeapTime time) {
        this(id, introduction, expiresAfter, time.steady());
    }

    private WorkerNode(UUID id, Introduction introduction, Duration expiresAfter, long now) {
        this.id = id;
        this.introduction = introduction;
        size = introduction.size();
        this.expiresAfter = expiresAfter.toMillis();
        registered = now;
        lastSeen = now;
        lastHeard = now;
    }

    /** A worker that is known by its leases only. */
    static WorkerNode knownById(UUID id) {
        WorkerNode worker = new WorkerNode(id, Introduction.ANONYMOUS, Duration.ZERO, 0);
        worker.expired = true;
        return worker;
    }

    void write(EntryWriter out, HeapTime time) {
        out.id(id);
        out.text(introduction.name());
        out.text(introduction.host());
        out.number(introduction.topics().size());
        introduction.topics().forEach(out::text);
        out.number(expiresAfter);
        out.number(time.shown(registered));
        out.number(time.shown(lastHeard));
        out.flag(stopRequested);
        out.flag(expired);
        out.flag(introduction.inProcess());
        out.text(introduction.owner());
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
        long registered = in.number();
        long lastHeard = in.number();
        boolean stopRequested = in.flag();
        boolean expired = in.flag();
        boolean inProcess = in.isSince(2) && in.flag();
        String owner = in.isSince(2) ? in.text() : "";
        WorkerNode worker = new WorkerNode(
                id, new Introduction(name, host, Set.copyOf(topics), owner, inProcess), expiresAfter, registered);
        worker.lastHeard = lastHeard;
        worker.stopRequested = stopRequested;
        worker.expired = expired;
        worker.expiryKept = worker.expired;
        worker.lastSeen = worker.expired ? worker.lastHeard : now;
        return worker;
    }

    /** The store is opened again: a worker of the process that had it open is dead, and nobody need wait for it. */
    void lostWithItsProcess() {
        expired |= introduction.inProcess();
    }

    /**
     * Once expired, a worker stays so, even if it calls again: its tasks may run elsewhere already. One of this process
     * lives as long as the store is open, however long the process was stopped.
     */
    WorkerStanding standing(long now) {
        expired |= !introduction.inProcess() && now - lastSeen >= expiresAfter;
        if (expired) {
            return WorkerStanding.EXPIRED;
        }
        return stopRequested ? WorkerStanding.STOPPING : WorkerStanding.ALIVE;
    }

    void seen(HeapTime time) {
        lastSeen = Math.max(lastSeen, time.steady());
        lastHeard = lastSeen;
    }

    boolean wasHeardOfSince(long moment) {
        return introduction.inProcess() || lastHeard >= moment;
    }

    Introduction introduction() {
        return introduction;
    }

    /** Of its introduction, which may take a while to add up. */
    long size() {
        return size;
    }

    void serve(Introduction serving) {
        introduction = serving;
        size = serving.size();
    }

    void requestStop() {
        stopRequested = true;
    }

    /**
     * Whether it has expired and holds nothing. It is remembered for as long as it lived, but at least for this long;
     * with zero, not at all.
     */
    boolean isForgettable(long now, long atLeast) {
        return !standing(now).isAlive()
                && held.size() == 0
                && (atLeast == 0 || now - lastSeen > Math.max(atLeast, lastSeen - registered));
    }

    Worker snapshot(HeapTime time) {
        Worker.Status status = switch (standing(time.steady())) {
            case ALIVE -> Worker.Status.ACTIVE;
            case STOPPING -> Worker.Status.STOPPING;
            case EXPIRED, UNKNOWN -> Worker.Status.EXPIRED;
        };
        return new Worker(
                id,
                introduction.name(),
                introduction.host(),
                introduction.topics(),
                introduction.owner(),
                status,
                Instant.ofEpochMilli(time.shown(registered)),
                Instant.ofEpochMilli(time.shown(lastHeard)),
                held.size());
    }
}
