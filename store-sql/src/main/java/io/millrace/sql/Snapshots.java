package io.millrace.sql;

import io.millrace.Attempt;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.spi.KeptAttempts;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Puts together what the tables say of tasks. */
final class Snapshots {
    // attempts that are not kept are removed several at a time, so that most retries need no statement for it
    private static final int ATTEMPTS_AT_ONCE = 10;
    private static final int ERRORS_AT_ONCE = 30_000;

    private final Lanes lanes;
    private final TaskReader reader;

    Snapshots(Lanes lanes) {
        this.lanes = lanes;
        reader = new TaskReader(lanes);
    }

    TaskReader reader() {
        return reader;
    }

    /** Tasks by number; those that are not there are missing. */
    Map<Long, TaskReader.Found> tasks(Tx tx, Places places) throws SQLException {
        lanes.learn(tx, places.lanes());
        Map<Long, TaskReader.Found> found = new HashMap<>();
        for (TaskReader.Found task : places.ask(tx, Sql.TASKS, reader::read)) {
            found.put(task.row().num(), task);
        }
        return found;
    }

    /** Those tasks that are there, in the order of their numbers. */
    SortedMap<Long, Task> load(Tx tx, Places places, long now) throws SQLException {
        Map<Long, TaskReader.Found> tasks = tasks(tx, places);
        Standing standing = Standing.load(
                tx, tasks.values().stream().map(TaskReader.Found::row).toList(), false, true);
        Map<Long, List<Attempt>> attempts = attempts(tx, standing.withAttempts());
        SortedMap<Long, Task> snapshots = new TreeMap<>();
        for (long num : places.nums()) {
            TaskReader.Found task = tasks.get(num);
            if (task != null) {
                List<Attempt> ended = KeptAttempts.of(attempts.getOrDefault(num, List.of()));
                snapshots.put(num, snapshot(task, standing, ended, now));
            }
        }
        return snapshots;
    }

    private static Task snapshot(TaskReader.Found task, Standing standing, List<Attempt> attempts, long now) {
        long num = task.row().num();
        FinishedRow finished = standing.finished(num);
        if (finished != null) {
            return finished(task, finished, attempts);
        }
        Aside aside = standing.aside(num);
        if (aside != null) {
            return aside(task, aside, attempts, now);
        }
        LeaseRow lease = standing.lease(task.row());
        return lease == null ? ready(task) : running(task, lease.worker(), lease.since(), lease.until());
    }

    /**
     * A task that is being claimed. Of its history, which has to be read anyway, what is not kept any more is removed.
     */
    Task claimed(Work work, TaskReader.Found task, Aside aside) throws SQLException {
        List<Attempt> stored = attempts(work.tx, List.of(aside.num)).getOrDefault(aside.num, List.of());
        List<Attempt> kept = KeptAttempts.of(stored);
        List<Attempt> old = stored.subList(0, stored.size() - kept.size());
        if (old.size() >= ATTEMPTS_AT_ONCE || characters(old) >= ERRORS_AT_ONCE) {
            work.removeAttempts(aside.num, old.get(old.size() - 1).number());
        }
        return aside(task, aside, kept, work.now);
    }

    private static int characters(List<Attempt> attempts) {
        return attempts.stream().mapToInt(KeptAttempts::characters).sum();
    }

    static Map<Long, List<Attempt>> attempts(Tx tx, Collection<Long> nums) throws SQLException {
        Map<Long, List<Attempt>> attempts = new HashMap<>();
        if (!nums.isEmpty()) {
            var unused = tx.query(
                    Sql.ATTEMPTS,
                    row -> attempts.computeIfAbsent(row.number(), any -> new ArrayList<>())
                            .add(new Attempt(
                                    row.smallNumber(),
                                    row.id(),
                                    at(row.number()),
                                    at(row.number()),
                                    Codes.OUTCOMES.at(row.smallNumber()),
                                    row.textOrNull())),
                    nums);
        }
        return attempts;
    }

    private static Task ready(TaskReader.Found task) {
        return new Task(
                task.given(),
                TaskState.READY,
                moments(task.row(), task.row().created(), task.row().deadline()),
                new Task.Tally(0, 0, 0, 0),
                null,
                List.of(),
                null,
                null,
                false);
    }

    static Task running(TaskReader.Found task, UUID worker, long since, long until) {
        return new Task(
                task.given(),
                TaskState.RUNNING,
                moments(task.row(), task.row().created(), task.row().deadline()),
                new Task.Tally(1, 0, 0, 0),
                new Task.Hold(worker, at(since), end(until), false),
                List.of(),
                null,
                null,
                false);
    }

    private static Task aside(TaskReader.Found task, Aside aside, List<Attempt> attempts, long now) {
        UUID holder = aside.holder;
        return new Task(
                task.given(),
                aside.taskState(now),
                moments(task.row(), aside.due, aside.deadline),
                new Task.Tally(aside.attempts, aside.retries, aside.losses, aside.waitingFor),
                holder == null ? null : new Task.Hold(holder, at(aside.since), end(aside.until), aside.cancel),
                List.copyOf(attempts),
                aside.progress,
                null,
                false);
    }

    private static Task finished(TaskReader.Found task, FinishedRow row, List<Attempt> earlier) {
        List<Attempt> attempts = new ArrayList<>(earlier);
        FinishedRow.LastAttempt last = row.last();
        if (last != null) {
            attempts.add(new Attempt(
                    row.attempts(),
                    last.runner(),
                    at(last.since()),
                    at(row.finished()),
                    Objects.requireNonNull(row.outcome()),
                    last.error()));
        }
        FinishedRow.FromAside from = row.aside();
        return new Task(
                task.given(),
                row.state(),
                new Task.Moments(
                        at(task.row().created()),
                        at(from == null ? task.row().created() : from.due()),
                        orNull(from == null ? task.row().deadline() : from.deadline()),
                        at(row.finished()),
                        at(row.removal())),
                new Task.Tally(row.attempts(), row.retries(), row.losses(), 0),
                null,
                KeptAttempts.of(attempts),
                row.progress(),
                row.result(),
                row.redriven());
    }

    private static Task.Moments moments(TaskRow row, long due, @Nullable Long deadline) {
        return new Task.Moments(at(row.created()), at(due), orNull(deadline), null, null);
    }

    private static @Nullable Instant end(long until) {
        return until == LeaseRow.NO_END ? null : at(until);
    }

    private static Instant at(long millis) {
        return Instant.ofEpochMilli(millis);
    }

    private static @Nullable Instant orNull(@Nullable Long millis) {
        return millis == null ? null : at(millis);
    }
}
