package io.millrace.client;

import io.millrace.Enqueued;
import io.millrace.InvalidValueException;
import io.millrace.Limits;
import io.millrace.NewTask;
import io.millrace.wire.EnqueuedForm;
import io.millrace.wire.JsonOut;
import io.millrace.wire.JsonText;
import io.millrace.wire.TaskForm;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Takes tasks in: what callers give at the same time goes to the server as one array. Each caller's tasks are in one
 * request, so that all or none of them are enqueued; every task has its id before it is sent, so that sending it twice
 * enqueues it once.
 */
final class Intake {
    /** Far below the 32 MiB that a server takes by default. */
    private static final double REQUEST_BYTES = 4 << 20;

    private final Transport transport;
    private final int payloadLimit;
    private final Gathering<List<NewTask>, List<Enqueued>> gathering = new Gathering<>(Intake::share, this::send);

    Intake(Transport transport, int payloadLimit) {
        this.transport = transport;
        this.payloadLimit = payloadLimit;
    }

    private static double share(List<NewTask> tasks) {
        long bytes = 0;
        for (NewTask task : tasks) {
            bytes += task.payload().size();
        }
        return Math.max((double) tasks.size() / Limits.BATCH, bytes / REQUEST_BYTES);
    }

    /** @throws InvalidValueException at once, for what can be seen without asking the server */
    CompletableFuture<List<Enqueued>> enqueue(List<NewTask> given) {
        List<NewTask> tasks = new ArrayList<>(Limits.present("tasks", given));
        Limits.between("tasks", tasks.size(), 1, Limits.BATCH);
        tasks.forEach(this::check);
        return gathering.submit(tasks);
    }

    private void check(NewTask task) {
        int size = Limits.present("task", task).payload().size();
        if (size > payloadLimit) {
            throw new InvalidValueException("payload", size + " bytes", "it may have up to " + payloadLimit + " bytes");
        }
        JsonText.check("payload", task.payload());
        if (task.waitFor() > 0) {
            throw new InvalidValueException(
                    "waitFor", task.waitFor(), "a task that waits for others can be enqueued next to the store only");
        }
    }

    private CompletableFuture<List<List<Enqueued>>> send(List<List<NewTask>> callers) {
        JsonOut out = new JsonOut().startArray();
        callers.forEach(tasks -> tasks.forEach(task -> TaskForm.write(task, out)));
        byte[] body = out.endArray().toBytes();
        return transport.send(Call.post("/v1/tasks", body)).thenApply(answer -> {
            if (!answer.isGood()) {
                throw Trouble.of(answer);
            }
            return split(callers, EnqueuedForm.readMany(answer.body()).answers());
        });
    }

    private static List<List<Enqueued>> split(List<List<NewTask>> callers, List<Enqueued> answers) {
        List<List<Enqueued>> parts = new ArrayList<>(callers.size());
        int from = 0;
        for (List<NewTask> tasks : callers) {
            parts.add(List.copyOf(answers.subList(from, from + tasks.size())));
            from += tasks.size();
        }
        return parts;
    }
}
