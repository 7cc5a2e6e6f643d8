package io.millrace.sql;

import io.millrace.NewTask;
import io.millrace.TaskState;
import io.millrace.spi.Change;
import io.millrace.spi.ChangeResult.Item;
import io.millrace.spi.ChangeResult.Status;
import io.millrace.spi.Next;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What operators and the janitor do to tasks. */
final class Changing {
    private final Work work;
    private final Snapshots snapshots;
    private final Change change;

    Changing(Work work, Snapshots snapshots, Change change) {
        this.work = work;
        this.snapshots = snapshots;
        this.change = change;
    }

    /** What tasks leave behind when they end. */
    static List<NewTask> letters(Change change) {
        return change instanceof Change.Expire expire
                ? expire.ends().values().stream()
                        .flatMap(end -> end.spawned().stream())
                        .toList()
                : List.of();
    }

    /** One item per task that is there, in the order of the numbers. */
    List<Item> change(Places places) throws SQLException {
        Tx tx = work.tx;
        work.lanes.learn(tx, places.lanes());
        List<TaskRow> rows = places.orParked(work.lanes).ask(tx, Sql.TASK_ROWS, TaskRow::read);
        if (rows.isEmpty()) {
            return List.of();
        }
        work.lanes.learnOf(tx, rows);
        lock(rows);
        // moves that were under way may have changed the lane, or removed the task
        rows = Places.of(rows).orParked(work.lanes).ask(tx, Sql.TASK_ROWS, TaskRow::read);
        rows.sort(Comparator.comparingLong(TaskRow::num));
        Standing standing = Standing.load(tx, rows, true, true);
        Map<Long, NewTask> given = new HashMap<>();
        if (change instanceof Change.Cancel) {
            snapshots
                    .tasks(tx, Places.of(rows))
                    .values()
                    .forEach(task -> given.put(task.row().num(), task.given()));
        }
        List<Item> items = new ArrayList<>();
        for (TaskRow row : rows) {
            items.add(changeOne(row, standing, given.get(row.num())));
        }
        return items;
    }

    /** Leases first, then lanes, then asides. */
    private void lock(List<TaskRow> rows) throws SQLException {
        Set<Integer> lanes = Enqueuing.lanesOfReady(work.lanes, letters(change), work.now);
        rows.forEach(row -> lanes.add(ready(row).id()));
        Set<Long> locked = leasesOver(rows);
        lockLeases(locked);
        work.tx.lockLanes(lanes);
        // a claim may have come first; it is rare enough that the wrong order, and a deadlock at worst, does not matter
        Set<Long> late = leasesOver(rows);
        late.removeAll(locked);
        lockLeases(late);
        work.promote(lanes);
        work.write();
        // a task that is not kept is gone with its aside, and nothing else tells that it has finished
        work.tx.run(Sql.LOCK_ASIDES, Places.of(rows).nums());
    }

    private void lockLeases(Set<Long> ids) throws SQLException {
        if (!ids.isEmpty()) {
            work.tx.run(Sql.LOCK_LEASES, ids);
        }
    }

    private Set<Long> leasesOver(List<TaskRow> rows) throws SQLException {
        Standing standing = Standing.load(work.tx, rows, false, true);
        Set<Long> leases = new TreeSet<>();
        for (TaskRow row : rows) {
            LeaseRow lease = standing.lease(row);
            if (lease != null && standing.aside(row.num()) == null) {
                leases.add(lease.id());
            }
        }
        return leases;
    }

    private Lane ready(TaskRow row) {
        Lane lane = work.lanes.byId(row.lane());
        return work.lanes.get(lane.topic(), row.priority());
    }

    private Item changeOne(TaskRow row, Standing standing, @Nullable NewTask given) throws SQLException {
        FinishedRow finished = standing.finished(row.num());
        Pending pending = standing.pending(row);
        TaskState before = finished == null ? pending.state(work.now) : finished.state();
        String topic = work.lanes.byId(row.lane()).topic();
        Status status = Status.WRONG_STATE;
        if (change.appliesTo(before)) {
            status = finished == null ? changePending(pending, given) : changeFinal(finished, row);
        }
        return new Item(row.id(), status, topic, before);
    }

    private Status changePending(Pending task, @Nullable NewTask given) throws SQLException {
        if (change instanceof Change.Cancel cancel) {
            if (task.state(work.now) == TaskState.RUNNING) {
                work.putAside(task).cancel = true;
            } else if (given != null) {
                String topic = given.topic();
                work.finish(
                        task,
                        TaskState.CANCELLED,
                        null,
                        cancel.policyOf(topic).retentionOf(given, TaskState.CANCELLED),
                        null,
                        false);
            }
        } else if (change instanceof Change.Expire expire) {
            return expire(task, expire.ends().get(task.row().id()));
        } else if (change instanceof Change.Reschedule reschedule) {
            work.requeue(
                    task,
                    reschedule.runAt().from(Instant.ofEpochMilli(work.now)).toEpochMilli());
        } else {
            work.deletePending(task);
        }
        return Status.CHANGED;
    }

    private Status expire(Pending task, Next.@Nullable Finish end) throws SQLException {
        if (end == null || !task.isOverdue(work.now)) {
            return Status.WRONG_STATE;
        }
        work.finish(task, end.state(), end.result(), end.retention(), null, false);
        if (!end.spawned().isEmpty()) {
            // what this transaction has freed so far must be seen
            work.write();
            Enqueuing.spawn(work, end.spawned());
        }
        return Status.CHANGED;
    }

    private Status changeFinal(FinishedRow finished, TaskRow row) throws SQLException {
        if (change instanceof Change.Delete) {
            work.deleteFinal(finished, row);
            return Status.CHANGED;
        }
        if (change instanceof Change.Redriven) {
            work.redriven(finished, row);
            return Status.CHANGED;
        }
        if (finished.redriven()) {
            return Status.REDRIVEN;
        }
        if (row.uniqueKey() != null && !takeKey(row, row.uniqueKey())) {
            return Status.KEY_TAKEN;
        }
        work.revive(finished, row);
        return Status.CHANGED;
    }

    /** A task that is past its deadline does not keep its key. @return whether the key is free now */
    private boolean takeKey(TaskRow row, String key) throws SQLException {
        work.write();
        Lane ready = ready(row);
        List<UUID> holders = work.tx.query(
                Sql.KEY_HOLDERS,
                holder -> {
                    String unused = holder.text();
                    return holder.id();
                },
                ready.topicId(),
                List.of(key));
        if (!Enqueuing.overdue(work, holders).containsAll(holders)) {
            return false;
        }
        holders.forEach(holder -> work.passKeyOn(ready.topic(), key, holder));
        work.write();
        return true;
    }
}
