package io.millrace.client;

import io.millrace.Task;
import io.millrace.TaskNotFoundException;
import io.millrace.wire.Durations;
import io.millrace.wire.TaskViewForm;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for a task to be final. The server holds a request for each, but for a few at a time only: where more are
 * waited for, they take turns with short looks.
 */
final class Finishes {
    private static final int AT_ONCE = 32;
    private static final Duration LONG_LOOK = Duration.ofSeconds(5);
    private static final Duration SHORT_LOOK = Duration.ofMillis(50);

    private final Transport transport;
    private final Queue<Wait> queue = new ArrayDeque<>();
    private final Set<Wait> all = ConcurrentHashMap.newKeySet();
    private int looking;
    private volatile boolean closed;

    private static final class Wait extends CompletableFuture<Task> {
        private final UUID id;
        private volatile @Nullable CompletableFuture<Answer> look;

        Wait(UUID id) {
            this.id = id;
        }
    }

    Finishes(Transport transport) {
        this.transport = transport;
    }

    CompletableFuture<Task> await(UUID id) {
        Wait wait = new Wait(id);
        all.add(wait);
        var unused = wait.whenComplete((task, error) -> {
            all.remove(wait);
            CompletableFuture<Answer> look = wait.look;
            if (look != null) {
                look.cancel(true);
            }
        });
        if (closed) {
            fail(wait);
        } else {
            add(wait);
            lookAtNext();
        }
        return wait;
    }

    private synchronized void add(Wait wait) {
        queue.add(wait);
    }

    private void lookAtNext() {
        for (Wait next = begin(); next != null; next = begin()) {
            look(next);
        }
    }

    private synchronized @Nullable Wait begin() {
        if (looking >= AT_ONCE) {
            return null;
        }
        Wait next = queue.poll();
        looking += next == null ? 0 : 1;
        return next;
    }

    private synchronized void ended() {
        looking--;
    }

    private synchronized Duration patience() {
        return queue.isEmpty() ? LONG_LOOK : SHORT_LOOK;
    }

    private void look(Wait wait) {
        if (wait.isDone()) {
            ended();
            return;
        }
        Duration patience = patience();
        String path = RemoteTasks.path(wait.id) + "?wait=" + Durations.format(patience);
        CompletableFuture<Answer> look = transport.send(Call.get(path).held(patience));
        wait.look = look;
        var unused = look.whenComplete((answer, error) -> {
            ended();
            try {
                seen(wait, answer, error);
            } catch (RuntimeException e) {
                tell(() -> wait.completeExceptionally(e));
            }
            lookAtNext();
        });
    }

    private void seen(Wait wait, @Nullable Answer answer, @Nullable Throwable error) {
        if (answer == null) {
            Throwable cause = Trouble.cause(error);
            tell(() -> wait.completeExceptionally(cause));
            return;
        }
        if (RemoteTasks.isMissing(answer)) {
            tell(() -> wait.completeExceptionally(new TaskNotFoundException(wait.id)));
            return;
        }
        Task task = TaskViewForm.read(RemoteTasks.good(answer).body()).task();
        if (task.state().isFinal()) {
            tell(() -> wait.complete(task));
        } else if (!wait.isDone()) {
            add(wait);
        }
    }

    /** What hangs on the answer is the users' code: it runs on the common pool. */
    private static void tell(Runnable answer) {
        ForkJoinPool.commonPool().execute(answer);
    }

    private static void fail(Wait wait) {
        wait.completeExceptionally(
                new IllegalStateException("Millrace was closed before task " + wait.id + " was final"));
    }

    /** Nobody will tell any more. */
    void close() {
        closed = true;
        all.forEach(Finishes::fail);
    }
}
