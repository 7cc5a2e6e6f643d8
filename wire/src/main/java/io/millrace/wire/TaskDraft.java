package io.millrace.wire;

import io.millrace.Limits;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.Retention;
import io.millrace.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A task while it is read: fields come in any order, but a builder begins with the topic. */
final class TaskDraft implements JsonIn.FieldReader {
    private final JsonIn in;
    private final int payloadLimit;
    private @Nullable String topic;
    private @Nullable Payload payload;
    private @Nullable UUID id;
    private @Nullable String entityId;
    private @Nullable List<String> scope;
    private int priority = NewTask.DEFAULT_PRIORITY;
    private @Nullable Duration delay;
    private @Nullable Instant runAt;
    private @Nullable Duration deadlineAfter;
    private @Nullable Instant deadlineAt;
    private @Nullable Duration timeout;
    private @Nullable Retry retry;
    private @Nullable String uniqueKey;
    private @Nullable String callback;
    private @Nullable Retention retention;

    TaskDraft(JsonIn in, int payloadLimit) {
        this.in = in;
        this.payloadLimit = payloadLimit;
    }

    NewTask read() {
        in.object(TaskForm.FIELDS, this);
        String given = topic;
        if (given == null) {
            throw in.missing("topic");
        }
        return in.checked(() -> build(given));
    }

    @Override
    public void read(String name) {
        switch (name) {
            case "topic" -> topic = in.string();
            case "payload" -> payload = one(payload, in.json(payloadLimit), "payload and payloadBase64");
            case "payloadBase64" -> payload = one(payload, in.base64(payloadLimit), "payload and payloadBase64");
            case "id" -> id = in.uuid();
            case "entityId" -> entityId = in.string();
            case "scope" -> scope = scope();
            case "priority" -> priority = in.integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
            case "delay" -> delay = one(runAt, in.duration(), "delay and runAt");
            case "runAt" -> runAt = one(delay, in.time(), "delay and runAt");
            case "deadline" -> deadline();
            case "timeout" -> timeout = in.duration();
            case "retry" -> retry = SettingForms.retry(in);
            case "uniqueKey" -> uniqueKey = in.string();
            case "callback" -> callback = in.string();
            case "retention" -> retention = SettingForms.retention(in);
            default -> throw new IllegalStateException(name);
        }
    }

    private <T> T one(@Nullable Object other, T value, String pair) {
        if (other != null) {
            throw in.wrong(pair + " exclude each other");
        }
        return value;
    }

    private List<String> scope() {
        List<String> tags = new ArrayList<>();
        in.array(
                Limits.SCOPE_TAGS,
                () -> tags.add(in.checkedHere(() -> Limits.text("scope", in.string(), Limits.TAG_LENGTH))));
        return tags;
    }

    private void deadline() {
        String text = in.string();
        deadlineAfter = Durations.parseOrNull(text);
        if (deadlineAfter == null) {
            deadlineAt = JsonIn.timeOrNull(text);
            if (deadlineAt == null) {
                throw in.wrong("it must be a time such as \"2030-01-02T03:04:05Z\" or a duration such as \"30s\"");
            }
        }
    }

    private NewTask build(String givenTopic) {
        NewTask.Builder builder = NewTask.builder(givenTopic).priority(priority);
        set(id, builder::id);
        set(payload, builder::payload);
        set(entityId, builder::entityId);
        set(scope, builder::scope);
        set(delay, builder::delay);
        set(runAt, builder::runAt);
        set(deadlineAfter, builder::deadline);
        set(deadlineAt, builder::deadline);
        set(timeout, builder::timeout);
        set(retry, builder::retry);
        set(uniqueKey, builder::uniqueKey);
        set(callback, builder::callback);
        set(retention, builder::retention);
        return builder.build();
    }

    private static <T> void set(@Nullable T value, Function<T, NewTask.Builder> setter) {
        if (value != null) {
            var unused = setter.apply(value);
        }
    }
}
