package io.millrace.heap;

import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.heap.TaskNode.RunningAttempt;
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
        WorkerNode reaper = workers.seenAlive(reaperId, now);
        List<OverdueLease> taken = new ArrayList<>();
        if (reaper == null) {
            return taken;
        }
        takeGivenUp(reaper, limit, now, taken);
        for (WorkerNode worker : workers.all()) {
            if (!worker.standing(now).isAlive()) {
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
                taken.add(take(node, Reason.GIVEN_UP, reaper, now));
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

    private void takeOverrun(WorkerNode reaper, int limit, long now, List<OverdueLease> taken) {
        while (taken.size() < limit) {
            TaskNode node = table.leases.peek();
            if (node == null || node.key > now) {
                return;
            }
            taken.add(take(node, Reason.TIME_EXCEEDED, reaper, now));
        }
    }

    private OverdueLease take(TaskNode node, Reason found, WorkerNode reaper, long now) {
        Task before = node.snapshot();
        // what happened to an earlier reaper says nothing about the worker
        RunningAttempt running = node.running();
        Reason reason = running.overdue == null ? found : running.overdue;
        running.overdue = reason;
        return new OverdueLease(new LeasedTask(before, table.takeOver(node, reaper, now + REAPERS_TIME, now)), reason);
    }
}
