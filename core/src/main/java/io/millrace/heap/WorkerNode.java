package io.millrace.heap;

import io.millrace.Worker;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.spi.WorkerStanding;
import java.time.Duration;
import java.time.Instant;
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

    WorkerNode(UUID id, Introduction introduction, Duration expiresAfter, long now) {
        this.id = id;
        this.introduction = introduction;
        this.expiresAfter = expiresAfter.toMillis();
        registered = now;
        lastSeen = now;
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
