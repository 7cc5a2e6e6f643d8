package io.millrace.wire;

import io.millrace.Attempt;
import io.millrace.NewTask;
import io.millrace.Origin;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.Progress;
import io.millrace.Task;
import io.millrace.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A task as it is shown, while it is read. */
final class TaskViewDraft implements JsonIn.FieldReader {
    private static final List<String> FIELDS = List.of(
            "id",
            "topic",
            "state",
            "payload",
            "payloadBase64",
            "entityId",
            "scope",
            "priority",
            "delay",
            "runAt",
            "deadline",
            "timeout",
            "onTimeout",
            "retry",
            "uniqueKey",
            "callback",
            "retention",
            "origin",
            "createdAt",
            "dueAt",
            "finishedAt",
            "removeAt",
            "retries",
            "losses",
            "waitingFor",
            "worker",
            "leasedUntil",
            "cancelRequested",
            "attempts",
            "attemptsDropped",
            "retriesLeft",
            "redriven",
            "progress",
            "result",
            "resultBase64",
            "why");
    private static final List<String> ATTEMPT =
            List.of("attempt", "worker", "startedAt", "endedAt", "outcome", "error");
    private static final List<String> ORIGIN = List.of("topic", "id", "error", "uniqueKey", "earlier");
    private static final List<String> PROGRESS = List.of("percent", "message", "at");

    private final JsonIn in;
    private NewTask.@Nullable Builder given;
    private @Nullable UUID id;
    private @Nullable String topic;
    private @Nullable TaskState state;
    private final List<Runnable> settings = new ArrayList<>();
    private @Nullable Instant created;
    private @Nullable Instant due;
    private @Nullable Instant deadline;
    private @Nullable Instant finished;
    private @Nullable Instant removal;
    private int retries;
    private int losses;
    private int waitingFor;
    private @Nullable UUID worker;
    private @Nullable Instant leasedUntil;
    private boolean cancelRequested;
    private final List<Attempt> attempts = new ArrayList<>();
    private @Nullable Instant runningSince;
    private int attemptNumber;
    private int retriesLeft;
    private boolean redriven;
    private @Nullable Progress progress;
    private @Nullable Payload result;
    private @Nullable String why;

    TaskViewDraft(JsonIn in) {
        this.in = in;
    }

    TaskView read() {
        in.object(FIELDS, this);
        UUID givenId = id;
        String givenTopic = topic;
        if (givenId == null || givenTopic == null || state == null || created == null) {
            throw in.wrong("it must have an id, a topic, a state and createdAt");
        }
        NewTask task = in.checked(() -> given(givenId, givenTopic));
        Task.Hold hold = worker == null || runningSince == null
                ? null
                : new Task.Hold(worker, runningSince, leasedUntil, cancelRequested);
        Task whole = new Task(
                task,
                state,
                new Task.Moments(created, due == null ? created : due, deadline, finished, removal),
                new Task.Tally(attemptNumber, retries, losses, waitingFor),
                hold,
                attempts,
                progress,
                result,
                redriven);
        return new TaskView(whole, retriesLeft, why);
    }

    private NewTask given(UUID taskId, String of) {
        given = NewTask.builder(of).id(taskId);
        settings.forEach(Runnable::run);
        return given.build();
    }

    /** The builder begins with the topic, which may come late. */
    private void set(Function<NewTask.Builder, NewTask.Builder> setter) {
        settings.add(() -> {
            var unused = setter.apply(Objects.requireNonNull(given));
        });
    }

    @Override
    public void read(String name) {
        switch (name) {
            case "id" -> id = in.uuid();
            case "topic" -> topic = in.string();
            case "state" -> state = in.choice(Names.STATE);
            case "createdAt" -> created = in.time();
            case "dueAt" -> due = in.time();
            case "finishedAt" -> finished = in.time();
            case "removeAt" -> removal = in.time();
            case "retries" -> retries = in.integer();
            case "losses" -> losses = in.integer();
            case "waitingFor" -> waitingFor = in.integer();
            case "worker" -> worker = in.uuid();
            case "leasedUntil" -> leasedUntil = in.time();
            case "cancelRequested" -> cancelRequested = in.bool();
            case "attempts" -> in.array(this::readAttempt);
            case "attemptsDropped" -> {
                // the number of the first attempt that is there tells it
                var unused = in.integer();
            }
            case "retriesLeft" -> retriesLeft = in.integer();
            case "redriven" -> redriven = in.bool();
            case "progress" -> progress = readProgress();
            case "result" -> result = in.json(Integer.MAX_VALUE);
            case "resultBase64" -> result = in.base64(Integer.MAX_VALUE);
            case "why" -> why = in.string();
            default -> readGiven(name);
        }
    }

    private void readGiven(String name) {
        switch (name) {
            case "payload" -> payload(in.json(Integer.MAX_VALUE));
            case "payloadBase64" -> payload(in.base64(Integer.MAX_VALUE));
            case "scope" -> {
                List<String> scope = new ArrayList<>();
                in.array(() -> scope.add(in.string()));
                set(builder -> builder.scope(scope));
            }
            case "priority" -> {
                int priority = in.integer();
                set(builder -> builder.priority(priority));
            }
            case "delay" -> {
                Duration delay = in.duration();
                set(builder -> builder.delay(delay));
            }
            case "runAt" -> {
                Instant runAt = in.time();
                set(builder -> builder.runAt(runAt));
            }
            case "deadline" -> {
                Instant moment = in.time();
                deadline = moment;
                set(builder -> builder.deadline(moment));
            }
            case "timeout" -> {
                Duration timeout = in.duration();
                set(builder -> builder.timeout(timeout));
            }
            case "onTimeout" -> {
                var onTimeout = in.choice(Names.ON_TIMEOUT);
                set(builder -> builder.onTimeout(onTimeout));
            }
            case "retry" -> {
                var retry = SettingForms.retry(in);
                set(builder -> builder.retry(retry));
            }
            case "retention" -> {
                var retention = SettingForms.retention(in);
                set(builder -> builder.retention(retention));
            }
            case "origin" -> {
                Origin origin = readOrigin();
                set(builder -> builder.origin(origin));
            }
            default -> text(name, in.string());
        }
    }

    private void payload(Payload payload) {
        set(builder -> builder.payload(payload));
    }

    private void text(String name, String text) {
        switch (name) {
            case "entityId" -> set(builder -> builder.entityId(text));
            case "uniqueKey" -> set(builder -> builder.uniqueKey(text));
            case "callback" -> set(builder -> builder.callback(text));
            default -> throw new IllegalStateException(name);
        }
    }

    private void readAttempt() {
        AttemptDraft draft = new AttemptDraft();
        in.object(ATTEMPT, name -> {
            switch (name) {
                case "attempt" -> draft.number = in.integer();
                case "worker" -> draft.worker = in.uuid();
                case "startedAt" -> draft.startedAt = in.time();
                case "endedAt" -> draft.endedAt = in.time();
                case "outcome" -> draft.outcome = in.choice(Names.OUTCOME);
                default -> draft.error = in.string();
            }
        });
        attemptNumber = Math.max(attemptNumber, draft.number);
        if (draft.startedAt != null && draft.endedAt == null) {
            runningSince = draft.startedAt;
        } else if (draft.worker != null && draft.startedAt != null && draft.endedAt != null && draft.outcome != null) {
            attempts.add(new Attempt(
                    draft.number, draft.worker, draft.startedAt, draft.endedAt, draft.outcome, draft.error));
        } else {
            throw in.wrong("it must have all of " + ATTEMPT);
        }
    }

    private static final class AttemptDraft {
        private int number;
        private @Nullable UUID worker;
        private @Nullable Instant startedAt;
        private @Nullable Instant endedAt;
        private @Nullable Outcome outcome;
        private @Nullable String error;
    }

    private Origin readOrigin() {
        String[] texts = new String[4];
        List<String> earlier = new ArrayList<>();
        in.object(ORIGIN, name -> {
            if (name.equals("earlier")) {
                in.array(() -> earlier.add(in.string()));
            } else {
                texts[ORIGIN.indexOf(name)] = in.string();
            }
        });
        UUID origin = texts[1] == null ? null : JsonIn.uuidOrNull(texts[1]);
        if (texts[0] == null || origin == null) {
            throw in.wrong("it must have a topic and an id");
        }
        return new Origin(texts[0], origin, texts[2] == null ? "" : texts[2], texts[3], earlier);
    }

    private Progress readProgress() {
        Integer[] percent = new Integer[1];
        String[] message = new String[1];
        Instant[] at = new Instant[1];
        in.object(PROGRESS, name -> {
            switch (name) {
                case "percent" -> percent[0] = in.integer();
                case "message" -> message[0] = in.string();
                default -> at[0] = in.time();
            }
        });
        if (at[0] == null) {
            throw in.missing("at");
        }
        return new Progress(percent[0], message[0], at[0]);
    }
}
