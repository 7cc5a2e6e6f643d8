package io.millrace.internal.engine;

import io.millrace.Payload;
import io.millrace.Task;
import io.millrace.TaskNotFoundException;
import io.millrace.TaskState;
import io.millrace.spi.Completion;
import io.millrace.spi.Next;
import io.millrace.spi.TaskStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Who waits for a task to be final. What ends on this node is told at once, the rest found by the regular scan. */
final class Finishes {
    private final TaskStore store;
    private final Executor executor;
    private final Map<UUID, CompletableFuture<Task>> awaited = new ConcurrentHashMap<>();

    Finishes(TaskStore store, Executor executor) {
        this.store = store;
        this.executor = executor;
    }

    /** Each caller gets a future of its own: to cancel one disturbs no other. */
    CompletableFuture<Task> await(UUID id) {
        CompletableFuture<Task> shared = awaited.computeIfAbsent(id, any -> new CompletableFuture<>());
        CompletableFuture<Task> own = shared.copy();
        check(List.of(id));
        return own;
    }

    /** Something may have happened to these. */
    void check(List<UUID> ids) {
        List<UUID> wanted = ids.stream().filter(awaited::containsKey).toList();
        if (wanted.isEmpty()) {
            return;
        }
        Map<UUID, Task> found = new HashMap<>();
        store.get(wanted).forEach(task -> found.put(task.id(), task));
        for (UUID id : wanted) {
            Task task = found.get(id);
            if (task == null) {
                settle(id, null);
            } else if (task.state().isFinal()) {
                settle(id, task);
            }
        }
    }

    void checkAll() {
        check(List.copyOf(awaited.keySet()));
    }

    /** A task ended here. If it was not kept, it is described from what was known of it. */
    void finished(Task before, Completion completion, TaskState state) {
        if (!awaited.containsKey(before.id())) {
            return;
        }
        executor.execute(() -> {
            List<Task> found = store.get(List.of(before.id()));
            settle(before.id(), found.isEmpty() ? asFinished(before, completion, state) : found.get(0));
        });
    }

    private static Task asFinished(Task before, Completion completion, TaskState state) {
        Payload result = completion.next() instanceof Next.Finish finish ? finish.result() : null;
        return new Task(
                before.given(),
                state,
                before.moments(),
                before.tally(),
                null,
                before.attempts(),
                before.progress(),
                result);
    }

    private void settle(UUID id, @Nullable Task task) {
        CompletableFuture<Task> future = awaited.remove(id);
        if (future == null) {
            return;
        }
        if (task != null) {
            future.complete(task);
        } else {
            future.completeExceptionally(new TaskNotFoundException(id));
        }
    }
}
