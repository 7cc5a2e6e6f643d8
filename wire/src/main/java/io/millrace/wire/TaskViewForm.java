package io.millrace.wire;

import io.millrace.Attempt;
import io.millrace.NewTask;
import io.millrace.Origin;
import io.millrace.Page;
import io.millrace.Progress;
import io.millrace.Task;
import io.millrace.When;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that is known of a task: what was given, where it stands, and every attempt. */
public final class TaskViewForm {
    private static final List<String> PAGE = List.of("tasks", "next");

    private TaskViewForm() {}

    public static byte[] write(TaskView view) {
        JsonOut out = new JsonOut();
        write(view, true, out);
        return out.toBytes();
    }

    /** @param whole false leaves out payload and result */
    public static void write(TaskView view, boolean whole, JsonOut out) {
        Task task = view.task();
        NewTask given = task.given();
        out.startObject()
                .field("id", task.id())
                .field("topic", task.topic())
                .field("state", Names.STATE.of(task.state()));
        if (whole) {
            TaskForm.writePayload(task.payload(), out);
        }
        TaskForm.writeTags(given, out);
        if (given.runAt() instanceof When.At at) {
            out.field("runAt", at.moment());
        } else if (given.runAt() instanceof When.After after && !after.equals(When.NOW)) {
            out.field("delay", after.delay());
        }
        out.field("deadline", task.moments().deadline());
        TaskForm.writeSettings(given, out);
        writeOrigin(given.origin(), out);
        writeMoments(task, out);
        writeHold(task.hold(), out);
        writeAttempts(task, out);
        out.field("retriesLeft", view.retriesLeft());
        if (task.redriven()) {
            out.field("redriven", true);
        }
        writeProgress(task.progress(), out);
        if (whole) {
            out.payload("result", "resultBase64", task.result());
        }
        out.field("why", view.why()).endObject();
    }

    private static void writeMoments(Task task, JsonOut out) {
        Task.Moments moments = task.moments();
        out.field("createdAt", moments.created())
                .field("dueAt", moments.due())
                .field("finishedAt", moments.finished())
                .field("removeAt", moments.removal());
        Task.Tally tally = task.tally();
        if (tally.retries() > 0) {
            out.field("retries", tally.retries());
        }
        if (tally.losses() > 0) {
            out.field("losses", tally.losses());
        }
        if (tally.waitingFor() > 0) {
            out.field("waitingFor", tally.waitingFor());
        }
    }

    private static void writeHold(Task.@Nullable Hold hold, JsonOut out) {
        if (hold != null) {
            out.field("worker", hold.worker())
                    .field("leasedUntil", hold.until())
                    .field("cancelRequested", hold.cancelRequested());
        }
    }

    /** Those that ended, and at last the one that runs, which has no end yet. */
    private static void writeAttempts(Task task, JsonOut out) {
        out.startArray("attempts");
        for (Attempt attempt : task.attempts()) {
            out.startObject()
                    .field("attempt", attempt.number())
                    .field("worker", attempt.worker())
                    .field("startedAt", attempt.startedAt())
                    .field("endedAt", attempt.endedAt())
                    .field("outcome", Names.OUTCOME.of(attempt.outcome()))
                    .field("error", attempt.error())
                    .endObject();
        }
        Task.Hold hold = task.hold();
        if (hold != null) {
            out.startObject()
                    .field("attempt", task.tally().attempts())
                    .field("worker", hold.worker())
                    .field("startedAt", hold.since())
                    .endObject();
        }
        out.endArray();
        if (task.attemptsDropped() > 0) {
            out.field("attemptsDropped", task.attemptsDropped());
        }
    }

    private static void writeProgress(@Nullable Progress progress, JsonOut out) {
        if (progress != null) {
            out.startObject("progress")
                    .field("percent", progress.percent())
                    .field("message", progress.message())
                    .field("at", progress.at())
                    .endObject();
        }
    }

    private static void writeOrigin(@Nullable Origin origin, JsonOut out) {
        if (origin != null) {
            out.startObject("origin")
                    .field("topic", origin.topic())
                    .field("id", origin.id())
                    .field("error", origin.error())
                    .field("uniqueKey", origin.uniqueKey());
            if (!origin.earlier().isEmpty()) {
                out.texts("earlier", origin.earlier());
            }
            out.endObject();
        }
    }

    public static TaskView read(byte[] json) {
        return JsonIn.answer(json, in -> new TaskViewDraft(in).read());
    }

    public static byte[] writePage(Page<TaskView> page, boolean whole) {
        JsonOut out = new JsonOut();
        startPage(out);
        page.items().forEach(view -> write(view, whole, out));
        endPage(page.next(), out);
        return out.toBytes();
    }

    /** Begins a page whose tasks are written one by one. */
    public static void startPage(JsonOut out) {
        out.startObject().startArray("tasks");
    }

    public static void endPage(@Nullable String next, JsonOut out) {
        out.endArray().field("next", next).endObject();
    }

    public static Page<TaskView> readPage(byte[] json) {
        return JsonIn.answer(json, in -> {
            List<TaskView> tasks = new ArrayList<>();
            String[] next = new String[1];
            in.object(PAGE, name -> {
                if (name.equals("tasks")) {
                    in.array(() -> tasks.add(new TaskViewDraft(in).read()));
                } else {
                    next[0] = in.string();
                }
            });
            return new Page<>(tasks, next[0]);
        });
    }
}
