package io.millrace.heap;

import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.heap.TaskNode.RunningAttempt;
import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.OverdueLease;
import io.millrace.spi.OverdueLease.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Takes overdue leases away from their workers and hands them to a reaper. */
final class Reaping {
    /** A reaper that has not decided by then is stuck, and another may try. */
    private static final long REAPERS_TIME = Duration.ofMinutes(1).toMillis();

    private final TaskTable table;
    private final WorkerTable workers;

    Reaping(TaskTable table, WorkerTable workers) {
        this.table = table;
        this.workers = workers;
    }

    List<OverdueLease> claimExpired(UUID reaperId, int limit, long now) {
        WorkerNode reaper = workers.seenAlive(reaperId);
        List<OverdueLease> taken = new ArrayList<>();
        if (reaper == null) {
            return taken;
        }
        takeGivenUp(reaper, limit, now, taken);
        for (WorkerNode worker : workers.all()) {
            if (!workers.standing(worker).isAlive()) {
                workers.expired(worker);
                takeFromDead(worker, reaper, limit, now, taken);
            }
        }
        takeOverrun(reaper, limit, now, taken);
        return taken;
    }

    private void takeGivenUp(WorkerNode reaper, int limit, long now, List<OverdueLease> taken) {
        while (taken.size() < limit) {
            TaskNode node = workers.givenUp.poll();
            if (node == null) {
                return;
            }
            if (node.state == TaskState.RUNNING && node.running().givenUp) {
                boolean started = node.running().isStarted() || node.key != TaskNode.NONE;
                taken.add(take(node, started ? Reason.GIVEN_UP : Reason.NOT_STARTED, reaper, now));
            }
        }
    }

    private void takeFromDead(WorkerNode dead, WorkerNode reaper, int limit, long now, List<OverdueLease> taken) {
        while (taken.size() < limit) {
            TaskNode node = dead.held.first();
            if (node == null) {
                return;
            }
            taken.add(take(node, Reason.WORKER_LOST, reaper, now));
        }
    }

    /** While a worker was not heard of since the end of the time-to-run, it may be dead: that would be a loss, and no overrun. */
    private void takeOverrun(WorkerNode reaper, int limit, long now, List<OverdueLease> taken) {
        for (TaskNode node : table.overrun()) {
            if (taken.size() == limit) {
                return;
            }
            WorkerNode holder = workers.find(node.running().lease.worker());
            if (holder != null && holder.wasHeardOfSince(node.key)) {
                taken.add(take(node, Reason.TIME_EXCEEDED, reaper, now));
            }
        }
    }

    private OverdueLease take(TaskNode node, Reason found, WorkerNode reaper, long now) {
        Task before = table.snapshot(node);
        // what happened to an earlier reaper says nothing about the worker
        RunningAttempt running = node.running();
        Reason reason = running.overdue == null ? found : running.overdue;
        running.overdue = reason;
        Lease lease = table.takeOver(node, reaper, REAPERS_TIME, now);
        return new OverdueLease(new LeasedTask(before, lease, Duration.ofMillis(REAPERS_TIME)), reason);
    }
}
