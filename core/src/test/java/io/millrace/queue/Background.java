package io.millrace.queue;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Something that a test does in a thread of its own. */
record Background<V>(Thread thread, FutureTask<V> task) {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** An action that may throw. */
    interface Action {
        void run() throws Exception;
    }

    static <V> Background<V> start(Callable<V> action) {
        FutureTask<V> task = new FutureTask<>(action);
        Thread thread = new Thread(task, "test-background");
        thread.setDaemon(true);
        thread.start();
        return new Background<>(thread, task);
    }

    static Background<Boolean> doing(Action action) {
        return start(() -> {
            action.run();
            return true;
        });
    }

    /** The result, or what was thrown, as the cause of an {@link java.util.concurrent.ExecutionException}. */
    V get() throws Exception {
        return task.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    boolean endsWithin(Duration time) throws Exception {
        try {
            task.get(time.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    Background<V> awaitBlocked() {
        until(() -> thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
        return this;
    }

    static void until(Callable<Boolean> condition) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(LIMIT)
                .until(condition);
    }
}
