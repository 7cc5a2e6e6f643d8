package io.millrace.sql;

import io.millrace.Progress;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.Lease;
import io.millrace.spi.Renewal;
import io.millrace.spi.WorkerStanding;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Notes that a worker lives, and how its tasks are. */
final class Renewing {
    private final Work work;
    private final Workers workers;
    private final Map<UUID, Pending> held = new HashMap<>();

    Renewing(Work work, Workers workers) {
        this.work = work;
        this.workers = workers;
    }

    Renewal renew(Heartbeat heartbeat) throws SQLException {
        workers.load(List.of(heartbeat.worker()));
        WorkerStanding standing = workers.standing(heartbeat.worker());
        Set<UUID> lost = heartbeat.holding() == null ? new HashSet<>() : new HashSet<>(heartbeat.holding());
        if (!standing.isAlive()) {
            return new Renewal(
                    standing,
                    lost,
                    Set.of(),
                    heartbeat.reports().stream().map(any -> false).toList());
        }
        loadHeld(heartbeat);
        // after the leases, as when attempts end
        var unused = workers.seen(heartbeat.worker());
        List<Boolean> applied = new ArrayList<>();
        for (Heartbeat.Report report : heartbeat.reports()) {
            applied.add(apply(report));
        }
        for (UUID started : heartbeat.started()) {
            start(held.get(started));
        }
        Set<UUID> cancel = new HashSet<>();
        long oldEnough = work.now - heartbeat.grace().toMillis();
        int givenUp = 0;
        for (Map.Entry<UUID, Pending> entry : held.entrySet()) {
            UUID id = entry.getKey();
            Pending task = entry.getValue();
            boolean listed = lost.remove(id);
            if (!listed && heartbeat.holding() != null && leasedAt(task) < oldEnough) {
                work.putAside(task).giveUpUnknown();
                givenUp++;
            } else if (task.aside() != null && task.aside().cancel) {
                cancel.add(id);
            }
        }
        return new Renewal(standing, lost, cancel, applied, givenUp);
    }

    /** What is known to have been started needs no row of its own for it. */
    private void start(@Nullable Pending task) {
        if (task != null && isToStart(task)) {
            work.putAside(task).start(work.now);
        }
    }

    private static boolean isToStart(Pending task) {
        Aside aside = task.aside();
        LeaseRow lease = task.lease();
        return aside != null ? aside.timeToRun != null : lease != null && lease.timeToRun() != null;
    }

    private static long leasedAt(Pending task) {
        Aside aside = task.aside();
        LeaseRow lease = task.lease();
        return aside != null ? aside.leasedAt : lease == null ? Long.MAX_VALUE : lease.since();
    }

    /** All that the worker holds and has not given up. */
    private void loadHeld(Heartbeat heartbeat) throws SQLException {
        Tx tx = work.tx;
        List<Long> ids = tx.query(Sql.LEASES_OF_WORKER, LeaseRow::read, heartbeat.worker()).stream()
                .map(LeaseRow::id)
                .toList();
        if (!ids.isEmpty()) {
            tx.run(Sql.LOCK_LEASES, new TreeSet<>(ids));
        }
        List<Long> nums = tx.query(Sql.ASIDES_OF_WORKER, Aside::read, heartbeat.worker()).stream()
                .map(aside -> aside.num)
                .toList();
        if (!nums.isEmpty()) {
            tx.run(Sql.LOCK_ASIDES, nums);
        }
        for (LeaseRow lease : tx.query(Sql.LEASES_OF_WORKER, LeaseRow::read, heartbeat.worker())) {
            if (!lease.givenUp() && ids.contains(lease.id())) {
                Closed.openTasks(tx, lease).forEach(row -> held.put(row.id(), new Pending(row, null, lease)));
            }
        }
        Map<Long, Aside> asides = new HashMap<>();
        for (Aside aside : tx.query(Sql.ASIDES_OF_WORKER, Aside::read, heartbeat.worker())) {
            if (!aside.givenUp) {
                asides.put(aside.num, aside);
            }
        }
        Places places = Aside.places(tx, work.lanes, asides.values());
        for (TaskRow row : places.ask(tx, Sql.TASK_ROWS, TaskRow::read)) {
            held.put(row.id(), new Pending(row, asides.get(row.num()), null));
        }
    }

    private boolean apply(Heartbeat.Report report) {
        Lease lease = report.lease();
        Pending task = held.get(lease.task());
        if (task == null || !isHeldUnder(task, lease)) {
            return false;
        }
        Aside aside = work.putAside(task);
        aside.start(work.now);
        if (report.percent() != null || report.message() != null) {
            aside.progress = new Progress(report.percent(), report.message(), Instant.ofEpochMilli(work.now));
        }
        if (report.extend() != null) {
            aside.until = work.now + report.extend().toMillis();
        }
        return true;
    }

    private static boolean isHeldUnder(Pending task, Lease lease) {
        Aside aside = task.aside();
        if (aside != null) {
            return lease.token().equals(aside.token)
                    && lease.worker().equals(aside.holder)
                    && lease.attempt() == aside.attempts;
        }
        LeaseRow row = task.lease();
        return row != null
                && row.worker().equals(lease.worker())
                && lease.attempt() == 1
                && lease.token()
                        .equals(Token.of(
                                        row.id(),
                                        row.lane(),
                                        task.row().num(),
                                        task.row().id())
                                .toString());
    }
}
