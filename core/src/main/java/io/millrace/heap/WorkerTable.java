package io.millrace.heap;

import io.millrace.Worker;
import io.millrace.internal.TimeOrderedIds;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.spi.WorkerStanding;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** All workers, and the leases that were given up. Not thread-safe: the store's lock guards it. */
final class WorkerTable {
    private static final long REMEMBERED = Duration.ofHours(1).toMillis();

    private final HeapTime time;
    private final Journaling journaling;
    private final Map<UUID, WorkerNode> byId = new LinkedHashMap<>();
    /** Tasks that wait for a reaper; one whose mark is gone was taken in the meantime. */
    final Deque<TaskNode> givenUp = new ArrayDeque<>();

    WorkerTable(HeapTime time, Journaling journaling) {
        this.time = time;
        this.journaling = journaling;
    }

    void restore(WorkerNode worker) {
        byId.put(worker.id, worker);
    }

    void restoreRemoval(UUID id) {
        byId.remove(id);
    }

    UUID register(Introduction introduction, Duration expiresAfter) {
        forgetLongExpired();
        WorkerNode worker = new WorkerNode(TimeOrderedIds.next(), introduction, expiresAfter, time);
        byId.put(worker.id, worker);
        journaling.worker(worker);
        return worker.id;
    }

    @Nullable
    WorkerNode find(UUID id) {
        return byId.get(id);
    }

    Collection<WorkerNode> all() {
        return byId.values();
    }

    WorkerStanding standing(UUID id) {
        WorkerNode worker = byId.get(id);
        return worker == null ? WorkerStanding.UNKNOWN : standing(worker);
    }

    WorkerStanding standing(WorkerNode worker) {
        return worker.standing(time.steady());
    }

    /** The worker, now seen, if it is alive. */
    @Nullable
    WorkerNode seenAlive(UUID id) {
        WorkerNode worker = byId.get(id);
        if (worker == null || !standing(worker).isAlive()) {
            return null;
        }
        worker.seen(time);
        return worker;
    }

    boolean leave(UUID id) {
        WorkerNode worker = byId.get(id);
        if (worker == null || !standing(worker).isAlive()) {
            return false;
        }
        byId.remove(id);
        journaling.workerGone(id);
        for (TaskNode node = worker.held.first(); node != null; node = node.next) {
            giveUp(node);
        }
        return true;
    }

    boolean serve(UUID id, Set<String> topics) {
        WorkerNode worker = seenAlive(id);
        if (worker != null) {
            worker.serve(topics);
            journaling.worker(worker);
        }
        return worker != null;
    }

    void giveUp(TaskNode node) {
        if (!node.running().givenUp) {
            node.running().givenUp = true;
            journaling.changed(node);
            givenUp.add(node);
        }
    }

    boolean requestStop(UUID id) {
        WorkerNode worker = byId.get(id);
        if (worker == null || !standing(worker).isAlive()) {
            return false;
        }
        worker.requestStop();
        journaling.worker(worker);
        return true;
    }

    /** Keeps that a worker has expired, or it would live again with every restart, and never be forgotten. */
    void expired(WorkerNode worker) {
        if (!worker.expiryKept) {
            worker.expiryKept = true;
            journaling.worker(worker);
        }
    }

    private void forgetLongExpired() {
        byId.values().removeIf(this::forget);
    }

    private boolean forget(WorkerNode worker) {
        boolean forgettable = worker.isForgettable(time.steady(), REMEMBERED);
        if (forgettable) {
            journaling.workerGone(worker.id);
        }
        return forgettable;
    }

    List<Worker> list() {
        forgetLongExpired();
        return byId.values().stream().map(worker -> worker.snapshot(time)).toList();
    }
}
