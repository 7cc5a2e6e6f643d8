package io.millrace.internal.engine;

import io.millrace.Payload;
import io.millrace.Task;
import io.millrace.TaskNotFoundException;
import io.millrace.TaskState;
import io.millrace.spi.Completion;
import io.millrace.spi.Next;
import io.millrace.spi.TaskStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who waits for a task to be final. What ends on this node is told at once, the rest found by the regular scan. What
 * hangs on an answer is the users' code, and runs on the common pool, not on a thread that others wait for.
 */
final class Finishes {
    private static final Logger log = LoggerFactory.getLogger(Finishes.class);
    private static final int CHUNK = 500;

    private final TaskStore store;
    private final Executor executor;
    private final Map<UUID, List<CompletableFuture<Task>>> awaited = new ConcurrentHashMap<>();
    /** Awaited tasks that the last scan did not find: they may just be about to be told as finished. */
    private final Set<UUID> missing = ConcurrentHashMap.newKeySet();

    Finishes(TaskStore store, Executor executor) {
        this.store = store;
        this.executor = executor;
    }

    CompletableFuture<Task> await(UUID id) {
        CompletableFuture<Task> future = new CompletableFuture<>();
        awaited.computeIfAbsent(id, any -> new CopyOnWriteArrayList<>()).add(future);
        var unused = future.whenComplete((task, error) -> forget(id, future));
        try {
            List<Task> found = store.get(List.of(id));
            if (found.isEmpty()) {
                future.completeExceptionally(new TaskNotFoundException(id));
            } else if (found.get(0).state().isFinal()) {
                future.complete(found.get(0));
            }
        } catch (RuntimeException e) {
            future.completeExceptionally(e);
        }
        return future;
    }

    private void forget(UUID id, CompletableFuture<Task> future) {
        awaited.computeIfPresent(id, (any, futures) -> {
            futures.removeIf(other -> other == future);
            return futures.isEmpty() ? null : futures;
        });
    }

    /** Something happened to this task here; it may be final or gone. */
    void look(UUID id) {
        if (awaited.containsKey(id)) {
            executor.execute(() -> {
                try {
                    List<Task> found = store.get(List.of(id));
                    settle(id, found.isEmpty() ? null : found.get(0));
                } catch (RuntimeException e) {
                    log.debug("The scan will tell who waits for task {}", id, e);
                }
            });
        }
    }

    /** Looks at all that are awaited. What is missing twice in a row is gone. */
    void scan() {
        List<UUID> ids = new ArrayList<>(awaited.keySet());
        missing.retainAll(ids);
        for (int from = 0; from < ids.size(); from += CHUNK) {
            List<UUID> chunk = ids.subList(from, Math.min(ids.size(), from + CHUNK));
            Map<UUID, Task> found = new HashMap<>();
            store.get(chunk).forEach(task -> found.put(task.id(), task));
            for (UUID id : new HashSet<>(chunk)) {
                Task task = found.get(id);
                if (task != null || !missing.add(id)) {
                    settle(id, task);
                }
            }
        }
    }

    /** A task ended here. If it was not kept, or runs again already, it is described from what was known of it. */
    void finished(Task before, Completion completion, TaskState state) {
        UUID id = before.id();
        if (!awaited.containsKey(id)) {
            return;
        }
        executor.execute(() -> {
            Task ended = asFinished(before, completion, state);
            try {
                List<Task> found = store.get(List.of(id));
                boolean there = !found.isEmpty() && found.get(0).state().isFinal();
                settle(id, there ? found.get(0) : ended);
            } catch (RuntimeException e) {
                settle(id, ended);
            }
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
                result,
                before.redriven());
    }

    /** Nobody will tell any more. */
    void close() {
        awaited.forEach((id, futures) -> futures.forEach(future -> future.completeExceptionally(
                new IllegalStateException("Millrace was closed before task " + id + " was final"))));
    }

    /** Tells those who wait, if the task is gone (null) or final. */
    private void settle(UUID id, @Nullable Task task) {
        if (task != null && !task.state().isFinal()) {
            missing.remove(id);
            return;
        }
        List<CompletableFuture<Task>> futures = awaited.remove(id);
        if (futures == null) {
            return;
        }
        for (CompletableFuture<Task> future : futures) {
            ForkJoinPool.commonPool().execute(() -> {
                if (task != null) {
                    future.complete(task);
                } else {
                    future.completeExceptionally(new TaskNotFoundException(id));
                }
            });
        }
    }
}
