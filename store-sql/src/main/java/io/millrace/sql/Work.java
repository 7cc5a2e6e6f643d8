package io.millrace.sql;

import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.TaskState;
import io.millrace.spi.OverdueLease;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one transaction does to tasks: the moves between states, decided one by one in memory and written together at
 * the end. All rows that it needs were locked and read before.
 */
final class Work {
    final Tx tx;
    final Lanes lanes;
    final long now;
    final Numbers numbers;
    private final Writing writing;
    private final Set<String> newlyReady = new LinkedHashSet<>();

    Work(Tx tx, Lanes lanes, long now) {
        this.tx = tx;
        this.lanes = lanes;
        this.now = now;
        numbers = new Numbers(tx);
        writing = new Writing(tx, lanes);
    }

    // coming in

    /** @param isAside whether it must not be put into its lane, which is not locked */
    void insert(long num, NewTask task, boolean isAside) throws SQLException {
        Lane ready = lanes.get(task.topic(), task.priority());
        Long deadline = task.deadline() == null ? null : millis(task.deadline().from(at(now)));
        long due = Math.max(now, millis(task.runAt().from(at(now))));
        boolean simple = task.waitFor() == 0 && due <= now && !isAside;
        int lane = simple ? ready.id() : ready.topicId();
        writing.task(TaskReader.values(num, lane, now, deadline, task));
        writing.holdKey(ready, task.uniqueKey(), task.id());
        if (simple) {
            writing.tallies.add(ready.topicId(), TaskState.READY, 1);
            newlyReady.add(ready.topic());
            return;
        }
        Aside aside = new Aside(num, ready.id());
        aside.state = task.waitFor() > 0 ? Aside.Place.WAITING : Aside.Place.SCHEDULED;
        aside.waitingFor = task.waitFor();
        aside.due = due;
        aside.deadline = deadline;
        writing.aside(aside);
        writing.tallies.add(ready.topicId(), aside.talliedState(), 1);
    }

    private static Instant at(long millis) {
        return Instant.ofEpochMilli(millis);
    }

    private static long millis(Instant moment) {
        return moment.toEpochMilli();
    }

    // moves of tasks that are there

    private Lane lane(Pending task) {
        return lanes.byId(task.lane());
    }

    /** Takes a task out of where it is, and out of the counts. */
    private void leave(Pending task, boolean passed) {
        writing.tallies.add(lane(task).topicId(), task.talliedState(now), -1);
        if (task.aside() != null) {
            return;
        }
        if (task.lease() != null) {
            writing.leases.reduce(task.lease(), 1, passed ? 0 : 1);
        } else if (!passed) {
            writing.park(task.row());
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
        aside.timeToRun = lease.timeToRun();
        aside.givenUp = lease.givenUp();
        writing.leases.reduce(lease, 1, 1);
        return aside;
    }

    /**
     * A lease has ended.
     *
     * @param isAttempt whether it was an attempt
     * @param by who reported it: the runner, or a reaper
     */
    record Ended(
            boolean isAttempt,
            UUID runner,
            long since,
            Outcome outcome,
            @Nullable String error,
            String token,
            UUID by) {}

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
        writing.freeKey(lane, row);
        if (aside != null) {
            writing.removeAside(row.num());
            note(aside, ended);
        }
        if (retention.isZero()) {
            writing.removeTask(row);
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
                ended == null || !ended.isAttempt
                        ? null
                        : new FinishedRow.LastAttempt(ended.runner, ended.since, ended.error),
                ended != null ? ended.outcome : aside == null ? null : aside.endedOutcome,
                aside == null ? null : aside.progress,
                result,
                false);
        writing.ends.add(row.num(), end);
        writing.tallies.add(lane.topicId(), state, 1);
    }

    /** A lease has ended, or none if it is null; what was no attempt is not counted. */
    private static void note(Aside aside, @Nullable Ended ended) {
        if (ended != null) {
            aside.endedToken = ended.token;
            aside.endedOutcome = ended.outcome;
            aside.endedBy = ended.by;
            aside.attempts -= ended.isAttempt ? 0 : 1;
        }
    }

    private static FinishedRow.@Nullable FromAside fromAside(Pending task, @Nullable Ended ended) {
        TaskRow row = task.row();
        Aside aside = task.aside();
        if (aside != null) {
            return new FinishedRow.FromAside(
                    aside.due,
                    aside.deadline,
                    aside.attempts,
                    aside.retries,
                    aside.losses,
                    aside.endedToken,
                    aside.endedBy);
        }
        if (ended != null && ended.isAttempt) {
            return null;
        }
        return new FinishedRow.FromAside(
                row.created(),
                row.deadline(),
                0,
                0,
                0,
                ended == null ? null : ended.token,
                ended == null ? null : ended.by);
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
        writing.leases.reduce(lease, tasks.tasks(), 0);
        writing.tallies.add(lane.topicId(), TaskState.RUNNING, -tasks.tasks());
        writing.tallies.add(lane.topicId(), state, tasks.tasks());
        writing.ends.add(new FinishedRow(
                tasks,
                lease.id(),
                state,
                now,
                now + retention.toMillis(),
                null,
                new FinishedRow.LastAttempt(lease.worker(), lease.since(), error),
                outcome,
                null,
                result,
                false));
    }

    /** Notes the end of a lease that was not the last. */
    void noteEnd(Aside aside, Ended ended) {
        note(aside, ended);
        if (!ended.isAttempt) {
            return;
        }
        writing.attempt(aside.num, aside.attempts, ended.runner, ended.since, now, ended.outcome, ended.error);
    }

    /** Removes attempts that are not kept any more. */
    void removeAttempts(long num, int last) {
        writing.removeAttempts(num, last);
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
            writing.aside(known);
            return known;
        }
        TaskRow row = task.row();
        Aside aside = new Aside(row.num(), row.lane());
        aside.place = row.num();
        aside.due = row.created();
        aside.deadline = row.deadline();
        aside.attempts = task.lease() == null ? 0 : 1;
        writing.aside(aside);
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
        writing.tallies.add(lane.topicId(), aside.talliedState(), 1);
    }

    /** Puts a task back to where it stood before it was claimed. */
    void putBack(Pending task) {
        Lane lane = lane(task);
        leave(task, false);
        Aside aside = asideOf(task);
        aside.letGo();
        aside.state = Aside.Place.RETURNED;
        writing.tallies.add(lane.topicId(), TaskState.READY, 1);
        newlyReady.add(lane.topic());
    }

    /** Counts one arrival. @return whether it was the last */
    boolean arrive(Pending task) throws SQLException {
        Aside aside = task.aside();
        if (aside == null || aside.state != Aside.Place.WAITING) {
            return false;
        }
        aside.waitingFor--;
        writing.aside(aside);
        if (aside.waitingFor > 0) {
            return false;
        }
        requeue(task, aside.due);
        return true;
    }

    /** Makes READY what has come due in lanes that are locked. */
    void promote(Collection<Integer> locked) throws SQLException {
        List<Lane> all = locked.stream().map(lanes::byId).toList();
        newlyReady.addAll(new Promoting(tx, now, numbers, writing.tallies).promote(all));
    }

    // claims

    void claimedUpTo(int lane, long hi) {
        writing.claimedUpTo(lane, hi);
    }

    /** Hands tasks of which there is nothing to say to a worker, all under one lease. */
    void hold(LeaseRow lease) {
        writing.leases.give(lease);
        isTaken(lanes.byId(lease.lane()), lease.tasks());
    }

    private void isTaken(Lane lane, int tasks) {
        writing.tallies.add(lane.topicId(), TaskState.READY, -tasks);
        writing.tallies.add(lane.topicId(), TaskState.RUNNING, tasks);
    }

    /** Hands a task that stands aside to a worker. */
    void hold(Aside aside, UUID worker, String token, long until, long timeToRun) {
        aside.state = Aside.Place.HELD;
        aside.attempts++;
        aside.token = token;
        aside.holder = worker;
        aside.runner = worker;
        aside.since = now;
        aside.leasedAt = now;
        aside.until = until;
        aside.timeToRun = timeToRun;
        aside.progress = null;
        writing.aside(aside);
        isTaken(lanes.byId(aside.lane), 1);
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
        writing.tallies.add(ready.topicId(), row.state(), -1);
        writing.ends.revive(row, num);
        Aside aside = new Aside(num, ready.id());
        aside.due = now;
        aside.attempts = row.attempts();
        aside.endedToken = row.token(num, task.id());
        aside.endedOutcome = row.outcome();
        aside.endedBy = row.endedBy();
        FinishedRow.LastAttempt last = row.last();
        if (last != null) {
            writing.attempt(
                    num, row.attempts(), last.runner(), last.since(), row.finished(), row.outcome(), last.error());
        }
        writing.holdKey(ready, task.uniqueKey(), task.id());
        writing.aside(aside);
        enter(aside, ready);
    }

    /** Marks a final task whose dead letter is redriven. */
    void redriven(FinishedRow row, TaskRow task) {
        if (!row.redriven()) {
            writing.ends.redriven(row, task.num());
        }
    }

    /** Takes a unique key away from a task that is past its deadline. */
    void passKeyOn(String topic, String key, UUID holder) {
        writing.freeKey(lanes.parking(topic).id(), key, holder);
    }

    void deleteFinal(FinishedRow row, TaskRow task) {
        writing.tallies.add(lanes.byId(task.lane()).topicId(), row.state(), -1);
        writing.ends.delete(row, task.num());
        writing.removeTask(task);
    }

    void deletePending(Pending task) {
        leave(task, true);
        writing.freeKey(lane(task), task.row());
        writing.removeTask(task.row());
    }

    // the end

    /** Writes everything that was decided so far, so that later statements of this transaction see it. */
    void write() throws SQLException {
        writing.write();
    }

    void writeAsides() throws SQLException {
        writing.writeAsides();
    }

    /** The topics that got ready tasks. */
    Set<String> newlyReady() {
        return newlyReady;
    }

    @Nullable
    Long firstDue(int lane) throws SQLException {
        List<Long> due = tx.query(Sql.FIRST_DUE, Row::number, lane);
        return due.isEmpty() ? null : due.get(0);
    }

    /** Whether this transaction has ended the task already, and how. */
    @Nullable
    FinishedRow finishedNow(long num) {
        return writing.ends.of(num);
    }
}
