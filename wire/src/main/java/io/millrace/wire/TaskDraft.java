package io.millrace.wire;

import io.millrace.InvalidValueException;
import io.millrace.Limits;
import io.millrace.NewTask;
import io.millrace.OnTimeout;
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
    /** In place of one that was refused, while the rest is looked at. */
    private static final NewTask BAD = NewTask.builder("bad").build();

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
    private @Nullable OnTimeout onTimeout;
    private @Nullable Retry retry;
    private @Nullable String uniqueKey;
    private @Nullable Retention retention;

    TaskDraft(JsonIn in, int payloadLimit) {
        this.in = in;
        this.payloadLimit = payloadLimit;
    }

    NewTask read() {
        int faults = in.faults();
        in.object(TaskForm.FIELDS, this);
        in.require("topic", topic);
        NewTask.Builder builder = builder();
        set(builder);
        return in.faults() > faults ? BAD : in.checked(builder::build);
    }

    private NewTask.Builder builder() {
        try {
            return NewTask.builder(topic == null ? BAD.topic() : topic);
        } catch (InvalidValueException e) {
            in.refuse(e);
            return NewTask.builder(BAD.topic());
        }
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
            case "onTimeout" -> onTimeout = in.choice(Names.ON_TIMEOUT);
            case "retry" -> retry = SettingForms.retry(in);
            case "uniqueKey" -> uniqueKey = in.string();
            case "callback" -> refuseCallback();
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

    private void refuseCallback() {
        String url = in.string();
        in.checkedHere(() -> {
            Limits.noCallback(url);
            return url;
        });
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
                throw in.notAllowed("it must be a time such as \"2030-01-02T03:04:05Z\" or a duration such as \"30s\"");
            }
        }
    }

    private void set(NewTask.Builder builder) {
        builder.priority(priority);
        set(id, builder::id);
        set(payload, builder::payload);
        set(entityId, builder::entityId);
        set(scope, builder::scope);
        set(delay, builder::delay);
        set(runAt, builder::runAt);
        set(deadlineAfter, builder::deadline);
        set(deadlineAt, builder::deadline);
        set(timeout, builder::timeout);
        set(onTimeout, builder::onTimeout);
        set(retry, builder::retry);
        set(uniqueKey, builder::uniqueKey);
        set(retention, builder::retention);
    }

    private <T> void set(@Nullable T value, Function<T, NewTask.Builder> setter) {
        if (value == null) {
            return;
        }
        try {
            var unused = setter.apply(value);
        } catch (InvalidValueException e) {
            in.refuse(e);
        }
    }
}
