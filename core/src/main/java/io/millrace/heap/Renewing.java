package io.millrace.heap;

import io.millrace.Progress;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.Renewal;
import io.millrace.spi.WorkerStanding;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** A worker's heartbeat: progress, extensions, and the comparison of what it holds with what it should hold. */
final class Renewing {
    private final TaskTable table;
    private final WorkerTable workers;

    Renewing(TaskTable table, WorkerTable workers) {
        this.table = table;
        this.workers = workers;
    }

    Renewal renew(Heartbeat heartbeat, long now) {
        WorkerNode worker = workers.seenAlive(heartbeat.worker());
        Set<UUID> lost = heartbeat.holding() == null ? new HashSet<>() : new HashSet<>(heartbeat.holding());
        if (worker == null) {
            WorkerStanding standing = workers.standing(heartbeat.worker());
            return new Renewal(
                    standing,
                    lost,
                    Set.of(),
                    heartbeat.reports().stream().map(any -> false).toList());
        }
        List<Boolean> applied = new ArrayList<>();
        for (Heartbeat.Report report : heartbeat.reports()) {
            applied.add(apply(report, worker, now));
        }
        int givenUp = 0;
        Set<UUID> cancel = new HashSet<>();
        for (TaskNode node = worker.held.first(); node != null; node = node.next) {
            if (node.running().givenUp) {
                continue;
            }
            boolean listed = lost.remove(node.given.id());
            if (heartbeat.started().contains(node.given.id())) {
                table.started(node);
            }
            if (!listed && heartbeat.holding() != null && table.isOlder(node.running(), heartbeat.grace())) {
                giveUpUnknown(node);
                givenUp++;
            } else if (node.running().cancelRequested) {
                cancel.add(node.given.id());
            }
        }
        return new Renewal(workers.standing(worker), lost, cancel, applied, givenUp);
    }

    /** The answer to its claim was lost: unless the worker has ever said something of it, it was not started. */
    private void giveUpUnknown(TaskNode node) {
        if (!node.running().isStarted()) {
            table.leaseHasNoEnd(node);
        }
        workers.giveUp(node);
    }

    private boolean apply(Heartbeat.Report report, WorkerNode worker, long now) {
        TaskNode node = table.find(report.lease().task());
        if (node == null || node.list != worker.held || !node.isHeldUnder(report.lease())) {
            return false;
        }
        table.changed(node);
        table.started(node);
        if (report.percent() != null || report.message() != null) {
            table.progress(node, new Progress(report.percent(), report.message(), Instant.ofEpochMilli(now)));
        }
        if (report.extend() != null) {
            table.leaseEndsIn(node, report.extend().toMillis());
        }
        return true;
    }
}
