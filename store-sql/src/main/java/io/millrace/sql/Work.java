package io.millrace.sql;

import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.spi.OverdueLease;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one transaction does to tasks: the moves between states, decided one by one in memory and written together at the
 * end. All rows that it needs were locked and read before.
 */
final class Work {
    final Tx tx;
    final Lanes lanes;
    final long now;
    final Tallies tallies = new Tallies();
    final LeaseChanges leases = new LeaseChanges();
    final Numbers numbers;

    private final Map<Long, Aside> asides = new LinkedHashMap<>();
    private final Set<Long> asidesGone = new HashSet<>();
    private final Ends ends;
    private final List<@Nullable Object[]> tasks = new ArrayList<>();
    private final Places tasksGone = new Places();
    private final Map<Long, TaskRow> parked = new HashMap<>();
    private final List<@Nullable Object[]> attempts = new ArrayList<>();
    private final Map<Long, Integer> oldAttempts = new HashMap<>();
    private final List<@Nullable Object[]> cursors = new ArrayList<>();
    private final List<@Nullable Object[]> keys = new ArrayList<>();
    private final List<@Nullable Object[]> keysGone = new ArrayList<>();
    private final Set<String> newlyReady = new LinkedHashSet<>();

    Work(Tx tx, Lanes lanes, long now) {
        this.tx = tx;
        this.lanes = lanes;
        this.now = now;
        numbers = new Numbers(tx);
        ends = new Ends(tx);
    }

    // coming in

    /** @param isAside whether it must not be put into its lane, which is not locked */
    void insert(long num, NewTask task, boolean isAside) throws SQLException {
        Lane ready = lanes.get(task.topic(), task.priority());
        Long deadline = task.deadline() == null ? null : millis(task.deadline().from(at(now)));
        long due = Math.max(now, millis(task.runAt().from(at(now))));
        boolean simple = task.waitFor() == 0 && due <= now && !isAside;
        int lane = simple ? ready.id() : ready.topicId();
        tasks.add(TaskReader.values(num, lane, now, deadline, task));
        if (task.uniqueKey() != null) {
            keys.add(new Object[] {ready.topicId(), task.uniqueKey(), task.id()});
        }
        if (simple) {
            tallies.add(ready.topicId(), TaskState.READY, 1);
            newlyReady.add(ready.topic());
            return;
        }
        Aside aside = new Aside(num, ready.id());
        aside.state = task.waitFor() > 0 ? Aside.Place.WAITING : Aside.Place.SCHEDULED;
        aside.waitingFor = task.waitFor();
        aside.due = due;
        aside.deadline = deadline;
        keep(aside);
        tallies.add(ready.topicId(), aside.talliedState(), 1);
    }

    private static Instant at(long millis) {
        return Instant.ofEpochMilli(millis);
    }

    private static long millis(Instant moment) {
        return moment.toEpochMilli();
    }

    // moves of tasks that are there

    void keep(Aside aside) {
        asides.put(aside.num, aside);
    }

    private Lane lane(Pending task) {
        return lanes.byId(task.lane());
    }

    /** Takes a task out of where it is, and out of the counts. */
    private void leave(Pending task, boolean passed) {
        tallies.add(lane(task).topicId(), task.talliedState(now), -1);
        if (task.aside() != null) {
            return;
        }
        if (task.lease() != null) {
            leases.reduce(task.lease(), 1, passed ? 0 : 1);
        } else if (!passed) {
            parked.put(task.row().num(), task.row());
        }
    }

    /** Puts what is known of a task that runs aside, because there is more to say than its lease can. */
    Aside putAside(Pending task) {
        if (task.aside() != null) {
            return asideOf(task);
        }
        TaskRow row = task.row();
        Aside aside = asideOf(task);
        LeaseRow lease = Objects.requireNonNull(task.lease(), "it is in its queue");
        aside.state = Aside.Place.HELD;
        aside.attempts = 1;
        aside.token = Token.of(lease.id(), lease.lane(), row.num(), row.id()).toString();
        aside.holder = lease.worker();
        aside.runner = lease.worker();
        aside.since = lease.since();
        aside.leasedAt = lease.since();
        aside.until = lease.until();
        aside.givenUp = lease.givenUp();
        leases.reduce(lease, 1, 1);
        return aside;
    }

    /** An attempt under a lease has ended. */
    record Ended(
            UUID runner,
            long since,
            Outcome outcome,
            @Nullable String error,
            String token) {}

    void finish(
            Pending task,
            TaskState state,
            @Nullable Payload result,
            Duration retention,
            @Nullable Ended ended,
            boolean passed) {
        leave(task, passed);
        TaskRow row = task.row();
        Aside aside = task.aside();
        Lane lane = lane(task);
        freeKey(lane, row);
        if (aside != null) {
            asides.remove(row.num());
            asidesGone.add(row.num());
        }
        if (retention.isZero()) {
            removeTask(row);
            return;
        }
        boolean isParked = aside == null && task.lease() == null && !passed;
        FinishedRow end = new FinishedRow(
                FinishedRow.Stretch.of(isParked ? lane.topicId() : row.lane(), row.num()),
                task.lease() == null ? 0 : task.lease().id(),
                state,
                now,
                now + retention.toMillis(),
                fromAside(task, ended),
                ended == null ? null : new FinishedRow.LastAttempt(ended.runner, ended.since, ended.error),
                ended != null ? ended.outcome : aside == null ? null : aside.endedOutcome,
                aside == null ? null : aside.progress,
                result);
        ends.add(row.num(), end);
        tallies.add(lane.topicId(), state, 1);
    }

    private static FinishedRow.@Nullable FromAside fromAside(Pending task, @Nullable Ended ended) {
        TaskRow row = task.row();
        Aside aside = task.aside();
        if (aside == null) {
            return ended != null ? null : new FinishedRow.FromAside(row.created(), row.deadline(), 0, 0, 0, null);
        }
        String token = ended != null ? ended.token : aside.endedToken;
        return new FinishedRow.FromAside(aside.due, aside.deadline, aside.attempts, aside.retries, aside.losses, token);
    }

    /** Ends tasks that are simply held under a lease, at their first attempt. */
    void finishLeased(
            LeaseRow lease,
            FinishedRow.Stretch tasks,
            TaskState state,
            Duration retention,
            Outcome outcome,
            @Nullable String error,
            @Nullable Payload result) {
        Lane lane = lanes.byId(lease.lane());
        leases.reduce(lease, tasks.tasks(), 0);
        tallies.add(lane.topicId(), TaskState.RUNNING, -tasks.tasks());
        tallies.add(lane.topicId(), state, tasks.tasks());
        ends.add(new FinishedRow(
                tasks,
                lease.id(),
                state,
                now,
                now + retention.toMillis(),
                null,
                new FinishedRow.LastAttempt(lease.worker(), lease.since(), error),
                outcome,
                null,
                result));
    }

    private void freeKey(Lane lane, TaskRow row) {
        if (row.uniqueKey() != null) {
            keysGone.add(new Object[] {lane.topicId(), row.uniqueKey(), row.id()});
        }
    }

    private void removeTask(TaskRow row) {
        parked.remove(row.num());
        tasksGone.add(row.lane(), row.num());
        asides.remove(row.num());
        asidesGone.add(row.num());
    }

    /** Notes an attempt that was not the last. */
    void noteAttempt(Aside aside, Ended ended) {
        attempts.add(new Object[] {
            aside.num, aside.attempts, ended.runner, ended.since, now, Codes.OUTCOMES.of(ended.outcome), ended.error
        });
        aside.endedToken = ended.token;
        aside.endedOutcome = ended.outcome;
        if (aside.attempts > Task.ATTEMPTS_KEPT) {
            oldAttempts.put(aside.num, aside.attempts - Task.ATTEMPTS_KEPT);
        }
    }

    /** Queues a task anew. Its lane is locked if it is due. */
    void requeue(Pending task, long due) throws SQLException {
        Lane lane = lane(task);
        leave(task, false);
        Aside aside = asideOf(task);
        aside.letGo();
        aside.due = Math.max(due, now);
        aside.waitingFor = 0;
        enter(aside, lane);
    }

    /** What is to be said of a task, with what it has from its row. */
    private Aside asideOf(Pending task) {
        Aside known = task.aside();
        if (known != null) {
            keep(known);
            return known;
        }
        TaskRow row = task.row();
        Aside aside = new Aside(row.num(), row.lane());
        aside.place = row.num();
        aside.due = row.created();
        aside.deadline = row.deadline();
        aside.attempts = task.lease() == null ? 0 : 1;
        keep(aside);
        task.setAside(aside);
        return aside;
    }

    private void enter(Aside aside, Lane lane) throws SQLException {
        if (aside.due > now) {
            aside.state = Aside.Place.SCHEDULED;
        } else {
            aside.state = Aside.Place.QUEUED;
            aside.place = numbers.next();
            newlyReady.add(lane.topic());
        }
        tallies.add(lane.topicId(), aside.talliedState(), 1);
    }

    /** Puts a task back to where it stood before it was claimed. */
    void putBack(Pending task) {
        Lane lane = lane(task);
        leave(task, false);
        Aside aside = asideOf(task);
        aside.letGo();
        aside.state = Aside.Place.RETURNED;
        tallies.add(lane.topicId(), TaskState.READY, 1);
        newlyReady.add(lane.topic());
    }

    /** Counts one arrival. @return whether it was the last */
    boolean arrive(Pending task) throws SQLException {
        Aside aside = task.aside();
        if (aside == null || aside.state != Aside.Place.WAITING) {
            return false;
        }
        aside.waitingFor--;
        keep(aside);
        if (aside.waitingFor > 0) {
            return false;
        }
        requeue(task, aside.due);
        return true;
    }

    /** Makes READY what has come due in lanes that are locked, in the order of due times. */
    void promote(Collection<Integer> locked) throws SQLException {
        Map<Lane, Tx.Answer<Long>> answers = new LinkedHashMap<>();
        for (int id : locked) {
            Lane lane = lanes.byId(id);
            if (!lane.isParking()) {
                answers.put(lane, tx.ask(Sql.DUE, Row::number, id, now));
            }
        }
        for (Map.Entry<Lane, Tx.Answer<Long>> answer : answers.entrySet()) {
            Lane lane = answer.getKey();
            List<Long> due = answer.getValue().rows();
            while (!due.isEmpty()) {
                promote(lane, due);
                due = due.size() < 1_000 ? List.of() : tx.query(Sql.DUE, Row::number, lane.id(), now);
            }
        }
    }

    private void promote(Lane lane, List<Long> due) throws SQLException {
        tx.run(Sql.LOCK_ASIDES, due);
        Map<Long, Aside> found = new HashMap<>();
        tx.query(Sql.ASIDES, Aside::read, due).forEach(aside -> found.put(aside.num, aside));
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (long num : due) {
            Aside aside = found.get(num);
            if (aside != null && aside.state == Aside.Place.SCHEDULED) {
                aside.state = Aside.Place.QUEUED;
                aside.place = numbers.next();
                rows.add(aside.values());
            }
        }
        tx.insert(Table.ASIDE, rows);
        tallies.add(lane.topicId(), TaskState.SCHEDULED, -rows.size());
        tallies.add(lane.topicId(), TaskState.READY, rows.size());
        newlyReady.add(lane.topic());
    }

    // claims

    void claimedUpTo(int lane, long hi) {
        cursors.add(new Object[] {lane, hi});
    }

    /** Hands a task that stands aside to a worker. */
    void hold(Aside aside, UUID worker, String token, long until) {
        aside.state = Aside.Place.HELD;
        aside.attempts++;
        aside.token = token;
        aside.holder = worker;
        aside.runner = worker;
        aside.since = now;
        aside.leasedAt = now;
        aside.until = until;
        aside.progress = null;
        keep(aside);
    }

    /** Passes a lease to a reaper; the one before is void. */
    void takeOver(Pending task, UUID reaper, String token, long until, OverdueLease.Reason reason) {
        Aside aside = putAside(task);
        aside.givenUp = false;
        aside.holder = reaper;
        aside.token = token;
        aside.leasedAt = now;
        aside.until = until;
        aside.overdue = reason;
    }

    // final tasks

    /** Makes a final task READY again, as if it had just been enqueued, but for its attempts. Its lane is locked. */
    void revive(FinishedRow row, TaskRow task) throws SQLException {
        Lane ready = lanes.get(lanes.byId(task.lane()).topic(), task.priority());
        long num = task.num();
        tallies.add(ready.topicId(), row.state(), -1);
        ends.revive(row, num);
        Aside aside = new Aside(num, ready.id());
        aside.due = now;
        aside.attempts = row.attempts();
        aside.endedToken = row.token(num, task.id());
        aside.endedOutcome = row.outcome();
        FinishedRow.LastAttempt last = row.last();
        if (last != null) {
            attempts.add(new Object[] {
                num,
                row.attempts(),
                last.runner(),
                last.since(),
                row.finished(),
                Codes.OUTCOMES.orNull(row.outcome()),
                last.error()
            });
        }
        if (task.uniqueKey() != null) {
            keys.add(new Object[] {ready.topicId(), task.uniqueKey(), task.id()});
        }
        keep(aside);
        enter(aside, ready);
    }

    void deleteFinal(FinishedRow row, TaskRow task) {
        tallies.add(lanes.byId(task.lane()).topicId(), row.state(), -1);
        ends.delete(row, task.num());
        removeTask(task);
    }

    void deletePending(Pending task) {
        leave(task, true);
        freeKey(lane(task), task.row());
        removeTask(task.row());
    }

    // the end

    /** Writes everything that was decided so far, so that later statements of this transaction see it. */
    void write() throws SQLException {
        for (@Nullable Object[] key : keysGone) {
            tx.run(Sql.DELETE_KEY, key);
        }
        keysGone.clear();
        ends.writeGone();
        insert(Table.UNIQUE_KEY, keys);
        insert(Table.TASK, tasks);
        park();
        writeAsides();
        ends.writeAdded();
        insert(Table.ATTEMPT, attempts);
        for (Map.Entry<Long, Integer> old : oldAttempts.entrySet()) {
            tx.run(Sql.DELETE_OLD_ATTEMPTS, old.getKey(), old.getValue());
        }
        oldAttempts.clear();
        if (!tasksGone.isEmpty()) {
            tx.run(Sql.DELETE_ATTEMPTS, tasksGone.nums());
            tasksGone.run(tx, Sql.DELETE_TASKS);
            tasksGone.clear();
        }
        insert(Table.CLAIMED, cursors);
        leases.write(tx);
        tallies.write(tx);
    }

    /** The topics that got ready tasks. */
    Set<String> newlyReady() {
        return newlyReady;
    }

    private void insert(Table table, List<@Nullable Object[]> rows) throws SQLException {
        tx.insert(table, rows);
        rows.clear();
    }

    private void park() throws SQLException {
        Map<Integer, List<Long>> byLane = new TreeMap<>();
        parked.values()
                .forEach(row -> byLane.computeIfAbsent(row.lane(), any -> new ArrayList<>())
                        .add(row.num()));
        for (Map.Entry<Integer, List<Long>> some : byLane.entrySet()) {
            int lane = some.getKey();
            tx.run(Sql.PARK_TASKS, lanes.byId(lane).topicId(), lane, some.getValue());
        }
        parked.clear();
    }

    void writeAsides() throws SQLException {
        if (!asidesGone.isEmpty()) {
            tx.run(Sql.DELETE_ASIDES, asidesGone);
            asidesGone.clear();
        }
        tx.insert(Table.ASIDE, asides.values().stream().map(Aside::values).toList());
        asides.clear();
    }

    @Nullable
    Long firstDue(int lane) throws SQLException {
        List<Long> due = tx.query(Sql.FIRST_DUE, Row::number, lane);
        return due.isEmpty() ? null : due.get(0);
    }

    /** Whether this transaction has ended the task already, and how. */
    @Nullable
    FinishedRow finishedNow(long num) {
        return ends.of(num);
    }
}
