package io.millrace.heap;

import io.millrace.Limits;
import io.millrace.Worker;
import io.millrace.internal.TimeOrderedIds;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.spi.WorkerRoom;
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
    /** The size of all of them. */
    private long bytes;
    /** Tasks that wait for a reaper; one whose mark is gone was taken in the meantime. */
    final Deque<TaskNode> givenUp = new ArrayDeque<>();

    WorkerTable(HeapTime time, Journaling journaling) {
        this.time = time;
        this.journaling = journaling;
    }

    void restore(WorkerNode worker) {
        remove(worker.id);
        add(worker);
    }

    void restoreRemoval(UUID id) {
        remove(id);
    }

    private void add(WorkerNode worker) {
        byId.put(worker.id, worker);
        bytes += worker.size();
    }

    private void remove(UUID id) {
        WorkerNode removed = byId.remove(id);
        if (removed != null) {
            bytes -= removed.size();
        }
    }

    UUID register(Introduction introduction, Duration expiresAfter) {
        makeRoom(introduction, null);
        WorkerNode worker = new WorkerNode(TimeOrderedIds.next(), introduction, expiresAfter, time);
        add(worker);
        journaling.worker(worker);
        return worker.id;
    }

    /**
     * Forgets expired workers when the room for another worker may be short.
     *
     * @param instead of this one, if it is there already
     */
    private void makeRoom(Introduction introduction, @Nullable WorkerNode instead) {
        forgetWhereExpiredFor(REMEMBERED);
        if (byId.size() < Limits.WORKERS / 2 && bytes + introduction.size() <= Limits.WORKER_BYTES / 2) {
            return;
        }
        forgetWhereExpiredFor(0);
        long workers = 0;
        long size = 0;
        long ofOwner = 0;
        long sizeOfOwner = 0;
        for (WorkerNode worker : byId.values()) {
            if (worker != instead) {
                long each = worker.size();
                boolean owned = worker.introduction().owner().equals(introduction.owner());
                workers++;
                size += each;
                ofOwner += owned ? 1 : 0;
                sizeOfOwner += owned ? each : 0;
            }
        }
        new WorkerRoom(workers, size, ofOwner, sizeOfOwner).check(introduction);
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
        remove(id);
        journaling.workerGone(id);
        for (TaskNode node = worker.held.first(); node != null; node = node.next) {
            giveUp(node);
        }
        return true;
    }

    boolean serve(UUID id, Set<String> topics) {
        WorkerNode worker = seenAlive(id);
        if (worker != null) {
            Introduction serving = worker.introduction().serving(Set.copyOf(topics));
            makeRoom(serving, worker);
            bytes += serving.size() - worker.size();
            worker.serve(serving);
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

    private void forgetWhereExpiredFor(long millis) {
        List<WorkerNode> forgettable = byId.values().stream()
                .filter(worker -> worker.isForgettable(time.steady(), millis))
                .toList();
        for (WorkerNode worker : forgettable) {
            remove(worker.id);
            journaling.workerGone(worker.id);
        }
    }

    @Nullable
    Worker show(UUID id) {
        WorkerNode worker = byId.get(id);
        return worker == null ? null : worker.snapshot(time);
    }

    List<Worker> list() {
        forgetWhereExpiredFor(REMEMBERED);
        return byId.values().stream().map(worker -> worker.snapshot(time)).toList();
    }
}
