package io.millrace.wire;

import io.millrace.Limits;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.When;
import java.util.ArrayList;
import java.util.List;

/** A task as it is enqueued: {@code {"topic": "email", "payload": {"to": "a"}, "delay": "5m"}}. */
public final class TaskForm {
    static final List<String> FIELDS = List.of(
            "topic",
            "payload",
            "payloadBase64",
            "id",
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
            "retention");

    /**
     * The body of an enqueue.
     *
     * @param many whether it was an array, though perhaps of one
     */
    public record Body(List<NewTask> tasks, boolean many) {}

    private TaskForm() {}

    /**
     * Reads one task from a part of an array, such as a line of NDJSON.
     *
     * @param payloadLimit the most bytes that the payload may have
     */
    public static NewTask read(byte[] json, int from, int to, int payloadLimit) {
        return JsonIn.request(json, from, to, in -> new TaskDraft(in, payloadLimit).read());
    }

    /** Reads a task or an array of up to {@value Limits#BATCH}. */
    public static Body readBody(byte[] json, int payloadLimit) {
        return JsonIn.request(json, in -> {
            if (!in.isArray()) {
                return new Body(List.of(new TaskDraft(in, payloadLimit).read()), false);
            }
            List<NewTask> tasks = new ArrayList<>();
            in.array(Limits.BATCH, () -> tasks.add(new TaskDraft(in, payloadLimit).read()));
            if (tasks.isEmpty() && in.faults() == 0) {
                throw in.wrong("there must be at least one task");
            }
            return new Body(tasks, true);
        });
    }

    public static void write(NewTask task, JsonOut out) {
        out.startObject();
        out.field("id", task.id()).field("topic", task.topic());
        writePayload(task.payload(), out);
        writeTags(task, out);
        if (task.runAt() instanceof When.At at) {
            out.field("runAt", at.moment());
        } else if (task.runAt() instanceof When.After after && !after.equals(When.NOW)) {
            out.field("delay", after.delay());
        }
        if (task.deadline() instanceof When.At at) {
            out.field("deadline", at.moment());
        } else if (task.deadline() instanceof When.After after) {
            out.field("deadline", after.delay());
        }
        writeSettings(task, out);
        out.endObject();
    }

    static void writePayload(Payload payload, JsonOut out) {
        out.payload("payload", "payloadBase64", payload);
    }

    static void writeTags(NewTask task, JsonOut out) {
        out.field("entityId", task.entityId());
        if (!task.scope().isEmpty()) {
            out.texts("scope", task.scope());
        }
        out.field("priority", task.priority());
    }

    static void writeSettings(NewTask task, JsonOut out) {
        out.field("timeout", task.timeout());
        if (task.onTimeout() != null) {
            out.field("onTimeout", Names.ON_TIMEOUT.of(task.onTimeout()));
        }
        if (task.retry() != null) {
            SettingForms.write("retry", task.retry(), out);
        }
        out.field("uniqueKey", task.uniqueKey());
        if (task.callback() != null) {
            out.field("callback", task.callback().toString());
        }
        SettingForms.write("retention", task.retention(), out);
    }
}
