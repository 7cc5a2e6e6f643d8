package io.millrace.heap;

import io.millrace.Attempt;
import io.millrace.NewTask;
import io.millrace.OnTimeout;
import io.millrace.Origin;
import io.millrace.Progress;
import io.millrace.Retention;
import io.millrace.Retry;
import io.millrace.TaskState;
import io.millrace.When;
import io.millrace.heap.TaskNode.HistoryDue;
import io.millrace.heap.TaskNode.RunningAttempt;
import io.millrace.spi.KeptAttempts;
import io.millrace.spi.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Tasks as entries of a journal. What a task was enqueued with is written once, and again only when it is carried over;
 * what changes is written whole with every change, but for the attempts that ended, of which only the new one is.
 */
final class TaskEntries {
    private static final int NO_ATTEMPTS = 0;
    private static final int ONE_MORE = 1;
    private static final int ALL = 2;

    private TaskEntries() {}

    // what it was enqueued with

    static void writeGiven(EntryWriter out, TaskNode node) {
        NewTask given = node.given;
        out.number(node.created);
        out.id(given.id());
        out.text(given.topic());
        out.payload(given.payload());
        out.text(given.entityId());
        out.number(given.scope().size());
        given.scope().forEach(out::text);
        out.signed(given.priority());
        writeWhen(out, given.runAt());
        writeWhen(out, given.deadline());
        writeDuration(out, given.timeout());
        writeRetry(out, given.retry());
        out.text(given.uniqueKey());
        out.text(given.callback() == null ? null : given.callback().toString());
        writeDuration(out, given.retention().succeeded());
        writeDuration(out, given.retention().failed());
        out.number(given.waitFor());
        writeOrigin(out, given.origin());
        OnTimeout onTimeout = given.onTimeout();
        out.number(onTimeout == null ? 0 : Codes.ON_TIMEOUT.of(onTimeout) + 1L);
    }

    static NewTask readGiven(EntryReader in, UnaryOperator<String> topicName) {
        var id = in.id();
        NewTask.Builder task = NewTask.builder(topicName.apply(in.text())).id(id);
        task.payload(Objects.requireNonNull(in.payload()));
        String entity = in.textOrNull();
        if (entity != null) {
            task.entityId(entity);
        }
        List<String> scope = new ArrayList<>();
        for (int i = in.smallNumber(); i > 0; i--) {
            scope.add(in.text());
        }
        task.scope(scope).priority((int) in.signed());
        readStart(in, task);
        When deadline = readWhen(in);
        if (deadline instanceof When.At at) {
            task.deadline(at.moment());
        } else if (deadline instanceof When.After after) {
            task.deadline(after.delay());
        }
        Duration timeout = readDuration(in);
        if (timeout != null) {
            task.timeout(timeout);
        }
        readRest(in, task);
        return task.build();
    }

    private static void readStart(EntryReader in, NewTask.Builder task) {
        When start = readWhen(in);
        if (start instanceof When.At at) {
            task.runAt(at.moment());
        } else if (start instanceof When.After after && !after.delay().isZero()) {
            task.delay(after.delay());
        }
    }

    private static void readRest(EntryReader in, NewTask.Builder task) {
        Retry retry = readRetry(in);
        if (retry != null) {
            task.retry(retry);
        }
        String key = in.textOrNull();
        if (key != null) {
            task.uniqueKey(key);
        }
        String callback = in.textOrNull();
        if (callback != null) {
            task.callback(callback);
        }
        task.retention(new Retention(readDuration(in), readDuration(in)));
        task.waitFor(in.smallNumber()).origin(readOrigin(in));
        int onTimeout = in.isSince(2) ? in.smallNumber() - 1 : -1;
        if (onTimeout >= 0) {
            task.onTimeout(Codes.ON_TIMEOUT.at(onTimeout));
        }
    }

    private static void writeWhen(EntryWriter out, @Nullable When when) {
        if (when instanceof When.At at) {
            out.number(2);
            out.number(at.moment().toEpochMilli());
        } else if (when instanceof When.After after) {
            out.number(1);
            out.number(after.delay().toMillis());
        } else {
            out.number(0);
        }
    }

    private static @Nullable When readWhen(EntryReader in) {
        return switch (in.smallNumber()) {
            case 2 -> When.at(Instant.ofEpochMilli(in.number()));
            case 1 -> When.after(Duration.ofMillis(in.number()));
            default -> null;
        };
    }

    private static void writeDuration(EntryWriter out, @Nullable Duration value) {
        out.moment(value == null ? TaskNode.NONE : value.toMillis());
    }

    private static @Nullable Duration readDuration(EntryReader in) {
        long millis = in.moment();
        return millis == TaskNode.NONE ? null : Duration.ofMillis(millis);
    }

    private static void writeRetry(EntryWriter out, @Nullable Retry retry) {
        out.flag(retry != null);
        if (retry != null) {
            out.number(retry.max());
            out.number(Codes.BACKOFFS.of(retry.backoff()));
            writeDuration(out, retry.base());
            writeDuration(out, retry.cap());
            out.number(Codes.JITTERS.of(retry.jitter()));
        }
    }

    private static @Nullable Retry readRetry(EntryReader in) {
        return in.flag()
                ? new Retry(
                        in.smallNumber(),
                        Codes.BACKOFFS.at(in.smallNumber()),
                        Objects.requireNonNull(readDuration(in)),
                        readDuration(in),
                        Codes.JITTERS.at(in.smallNumber()))
                : null;
    }

    private static void writeOrigin(EntryWriter out, @Nullable Origin origin) {
        out.flag(origin != null);
        if (origin != null) {
            out.text(origin.topic());
            out.id(origin.id());
            out.text(origin.error());
            out.text(origin.uniqueKey());
            out.number(origin.earlier().size());
            origin.earlier().forEach(out::text);
        }
    }

    private static @Nullable Origin readOrigin(EntryReader in) {
        if (!in.flag()) {
            return null;
        }
        String topic = in.text();
        UUID id = in.id();
        String error = in.text();
        String key = in.textOrNull();
        List<String> earlier = new ArrayList<>();
        for (int i = in.isSince(2) ? in.smallNumber() : 0; i > 0; i--) {
            earlier.add(in.text());
        }
        return new Origin(topic, id, error, key, earlier);
    }

    // what changes

    static void writeState(EntryWriter out, TaskNode node, HeapTime time, boolean whole) {
        out.number(Codes.STATES.of(node.state));
        out.moment(node.due);
        out.moment(node.deadline);
        out.moment(node.finished);
        out.number(node.attempts);
        out.number(node.retries);
        out.number(node.losses);
        out.number(node.waitingFor);
        out.number(node.state == TaskState.RUNNING ? time.shown(node.key) : node.key);
        writeRunning(out, node.running);
        out.number(node.endedToken);
        writeAttempts(out, node, whole);
        writeEnd(out, node);
        out.flag(node.redriven);
        Progress progress = node.progress;
        out.flag(progress != null);
        if (progress != null) {
            out.number(progress.percent() == null ? 0 : progress.percent() + 1L);
            out.text(progress.message());
            out.number(progress.at().toEpochMilli());
        }
        out.payload(node.result);
    }

    static void readState(EntryReader in, TaskNode node, WorkersById workers) {
        node.state = Codes.STATES.at(in.smallNumber());
        node.due = in.moment();
        node.deadline = in.moment();
        node.finished = in.moment();
        node.attempts = in.smallNumber();
        node.retries = in.smallNumber();
        node.losses = in.smallNumber();
        node.waitingFor = in.smallNumber();
        node.key = in.number();
        node.running = readRunning(in, node, workers);
        node.endedToken = in.number();
        readAttempts(in, node);
        readEnd(in, node);
        node.redriven = in.isSince(2) && in.flag();
        node.progress = in.flag() ? readProgress(in) : null;
        node.result = in.payload();
    }

    /** Most often, who ended the last lease is who ran the last attempt, and so is the outcome. */
    private static void writeEnd(EntryWriter out, TaskNode node) {
        Attempt last = lastAttempt(node);
        boolean isLastAttempt =
                last != null && last.worker().equals(node.endedBy) && last.outcome() == node.endedOutcome;
        out.flag(!isLastAttempt && node.endedToken != 0);
        if (!isLastAttempt && node.endedToken != 0) {
            out.id(Objects.requireNonNull(node.endedBy));
            out.number(Codes.OUTCOMES.of(Objects.requireNonNull(node.endedOutcome)));
        }
    }

    private static void readEnd(EntryReader in, TaskNode node) {
        if (in.isSince(2) && in.flag()) {
            node.endedBy = in.id();
            node.endedOutcome = Codes.OUTCOMES.at(in.smallNumber());
            return;
        }
        Attempt last = lastAttempt(node);
        node.endedBy = last == null ? null : last.worker();
        node.endedOutcome = last == null ? null : last.outcome();
    }

    private static @Nullable Attempt lastAttempt(TaskNode node) {
        List<Attempt> ended = node.ended();
        return ended.isEmpty() ? null : ended.get(ended.size() - 1);
    }

    private static Progress readProgress(EntryReader in) {
        int percent = in.smallNumber() - 1;
        return new Progress(percent < 0 ? null : percent, in.textOrNull(), Instant.ofEpochMilli(in.number()));
    }

    private static void writeRunning(EntryWriter out, @Nullable RunningAttempt running) {
        out.flag(running != null);
        if (running != null) {
            out.number(running.token);
            out.id(running.lease.worker());
            out.id(running.runner.id);
            out.number(running.since);
            out.number(running.leasedAt);
            out.number(running.place);
            out.moment(running.timeToRun);
            out.flag(running.cancelRequested);
            out.flag(running.givenUp);
            out.number(running.overdue == null ? 0 : Codes.REASONS.of(running.overdue) + 1L);
        }
    }

    private static @Nullable RunningAttempt readRunning(EntryReader in, TaskNode node, WorkersById workers) {
        if (!in.flag()) {
            return null;
        }
        long token = in.number();
        Lease lease = new Lease(node.given.id(), node.attempts, in.id(), TaskTable.text(token));
        WorkerNode runner = workers.get(in.id());
        long since = in.number();
        long leasedAt = in.number();
        long place = in.number();
        long timeToRun = in.isSince(2) ? in.moment() : TaskNode.NONE;
        RunningAttempt running = new RunningAttempt(token, lease, runner, since, place, timeToRun);
        // steady moments begin anew with the process; one of before is about what the clock showed
        running.leasedAt = leasedAt;
        running.cancelRequested = in.flag();
        running.givenUp = in.flag();
        int reason = in.smallNumber() - 1;
        running.overdue = reason < 0 ? null : Codes.REASONS.at(reason);
        return running;
    }

    private static void writeAttempts(EntryWriter out, TaskNode node, boolean whole) {
        List<Attempt> ended = node.ended();
        if (whole || node.historyDue == HistoryDue.ALL) {
            out.number(ALL);
            out.number(ended.size());
            ended.forEach(attempt -> writeAttempt(out, attempt));
        } else if (node.historyDue == HistoryDue.NEWEST) {
            out.number(ONE_MORE);
            writeAttempt(out, ended.get(ended.size() - 1));
        } else {
            out.number(NO_ATTEMPTS);
        }
    }

    private static void readAttempts(EntryReader in, TaskNode node) {
        int what = in.smallNumber();
        if (what == ALL) {
            List<Attempt> all = List.of();
            for (int i = in.smallNumber(); i > 0; i--) {
                // one by one: earlier versions kept more than should be in memory at once
                all = KeptAttempts.with(all, readAttempt(in));
            }
            node.keep(all);
        } else if (what == ONE_MORE) {
            node.add(readAttempt(in));
        }
    }

    private static void writeAttempt(EntryWriter out, Attempt attempt) {
        out.number(attempt.number());
        out.id(attempt.worker());
        out.number(attempt.startedAt().toEpochMilli());
        out.number(attempt.endedAt().toEpochMilli());
        out.number(Codes.OUTCOMES.of(attempt.outcome()));
        out.text(attempt.error());
    }

    private static Attempt readAttempt(EntryReader in) {
        return new Attempt(
                in.smallNumber(),
                in.id(),
                Instant.ofEpochMilli(in.number()),
                Instant.ofEpochMilli(in.number()),
                Codes.OUTCOMES.at(in.smallNumber()),
                MemoryLimit.shared(in.textOrNull()));
    }

    /** Finds a worker, or one in its place that is only known by its id. */
    interface WorkersById {
        WorkerNode get(UUID id);
    }
}
