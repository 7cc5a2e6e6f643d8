package io.millrace.sql;

import io.millrace.Task;
import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.OverdueLease;
import io.millrace.spi.OverdueLease.Reason;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Takes overdue leases away from their workers and hands them to a reaper. */
final class Reaping {
    /** A reaper that has not decided by then is stuck, and another may try. */
    private static final long REAPERS_TIME = Duration.ofMinutes(1).toMillis();

    private final Work work;
    private final Workers workers;
    private final Snapshots snapshots;
    private final UUID reaper;
    private final int limit;
    /** Why, by the number of the lease and of the task; the first reason found counts. */
    private final Map<Long, Reason> leases = new LinkedHashMap<>();

    private final Map<Long, Reason> asides = new LinkedHashMap<>();

    Reaping(Work work, Workers workers, Snapshots snapshots, UUID reaper, int limit) {
        this.work = work;
        this.workers = workers;
        this.snapshots = snapshots;
        this.reaper = reaper;
        this.limit = limit;
    }

    List<OverdueLease> claimExpired() throws SQLException {
        workers.load(List.of(reaper));
        if (!workers.seen(reaper)) {
            return List.of();
        }
        find();
        return take();
    }

    /** What others have locked is left to them: they end it, or take it themselves. */
    private void find() throws SQLException {
        Tx tx = work.tx;
        note(leases, Reason.GIVEN_UP, tx.query(Sql.GIVEN_UP_LEASES, Row::number, limit));
        note(asides, Reason.GIVEN_UP, tx.query(Sql.GIVEN_UP_ASIDES, Row::number, limit));
        note(leases, Reason.GIVEN_UP, tx.query(Sql.ORPHANED_LEASES, Row::number, limit));
        note(asides, Reason.GIVEN_UP, tx.query(Sql.ORPHANED_ASIDES, Row::number, limit));
        List<UUID> dead = tx.query(Sql.DEAD_WORKERS, Row::id, work.now);
        if (!dead.isEmpty()) {
            note(leases, Reason.WORKER_LOST, tx.query(Sql.LEASES_OF_WORKERS, Row::number, dead, limit));
            note(asides, Reason.WORKER_LOST, tx.query(Sql.ASIDES_OF_WORKERS, Row::number, dead, limit));
        }
        note(leases, Reason.TIME_EXCEEDED, tx.query(Sql.OVERRUN_LEASES, Row::number, work.now, limit));
        note(asides, Reason.TIME_EXCEEDED, tx.query(Sql.OVERRUN_ASIDES, Row::number, work.now, limit));
    }

    private static void note(Map<Long, Reason> into, Reason reason, List<Long> found) {
        found.forEach(number -> into.putIfAbsent(number, reason));
    }

    private List<OverdueLease> take() throws SQLException {
        Map<Long, Pending> tasks = new LinkedHashMap<>();
        Map<Long, Reason> reasons = new HashMap<>();
        for (Reason reason : List.of(Reason.GIVEN_UP, Reason.WORKER_LOST, Reason.TIME_EXCEEDED)) {
            takeStretches(reason, tasks, reasons);
            takeAsides(reason, tasks, reasons);
        }
        Map<UUID, Task> before = new HashMap<>();
        Places places = Places.of(tasks.values().stream().map(Pending::row).toList());
        snapshots.load(work.tx, places, work.now).values().forEach(task -> before.put(task.id(), task));
        List<OverdueLease> taken = new ArrayList<>();
        for (Pending pending : tasks.values()) {
            TaskRow row = pending.row();
            Aside aside = pending.aside();
            // what happened to an earlier reaper says nothing about the worker
            Reason found = reasons.getOrDefault(row.num(), Reason.WORKER_LOST);
            Reason reason = aside == null || aside.overdue == null ? decided(found, pending) : aside.overdue;
            String token = Token.of(work.numbers.next(), row.lane(), row.num(), row.id())
                    .toString();
            work.takeOver(pending, reaper, token, work.now + REAPERS_TIME, reason);
            int attempt = pending.aside() == null ? 1 : pending.aside().attempts;
            Task task = before.get(row.id());
            if (task != null) {
                Lease lease = new Lease(row.id(), attempt, reaper, token);
                taken.add(new OverdueLease(new LeasedTask(task, lease, Duration.ofMillis(REAPERS_TIME)), reason));
            }
        }
        return taken;
    }

    /** A lease that was given up and has no end was not started. */
    private static Reason decided(Reason found, Pending task) {
        Aside aside = task.aside();
        LeaseRow lease = task.lease();
        long until = aside != null ? aside.until : lease == null ? 0 : lease.until();
        return found == Reason.GIVEN_UP && until == LeaseRow.NO_END ? Reason.NOT_STARTED : found;
    }

    private void takeStretches(Reason reason, Map<Long, Pending> tasks, Map<Long, Reason> reasons) throws SQLException {
        List<Long> ids = withReason(leases, reason);
        if (ids.isEmpty()) {
            return;
        }
        for (LeaseRow lease : work.tx.query(Sql.LEASES, LeaseRow::read, ids)) {
            int room = limit - tasks.size();
            if (room > 0) {
                Closed.openTasks(work.tx, lease).stream().limit(room).forEach(row -> {
                    tasks.put(row.num(), new Pending(row, null, lease));
                    reasons.put(row.num(), reason);
                });
            }
        }
    }

    private void takeAsides(Reason reason, Map<Long, Pending> tasks, Map<Long, Reason> reasons) throws SQLException {
        List<Long> nums = withReason(asides, reason);
        if (nums.isEmpty()) {
            return;
        }
        List<Aside> found = work.tx.query(Sql.ASIDES, Aside::read, nums);
        Map<Long, TaskRow> rows = new HashMap<>();
        for (TaskRow row : Aside.places(work.tx, work.lanes, found).ask(work.tx, Sql.TASK_ROWS, TaskRow::read)) {
            rows.put(row.num(), row);
        }
        for (Aside aside : found) {
            TaskRow row = rows.get(aside.num);
            if (row != null && tasks.size() < limit && aside.state == Aside.Place.HELD) {
                tasks.put(aside.num, new Pending(row, aside, null));
                reasons.put(aside.num, reason);
            }
        }
    }

    private static List<Long> withReason(Map<Long, Reason> found, Reason reason) {
        return found.entrySet().stream()
                .filter(entry -> entry.getValue() == reason)
                .map(Map.Entry::getKey)
                .toList();
    }
}
