package io.millrace.server;

import io.millrace.StoreUnavailableException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells probes whether the store would take in a task. The check has a thread of its own, and concurrent probes share
 * one check, because a probe needs no key.
 */
final class Readiness {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final WorkerExecutor thread;
    private final Runnable check;
    private @Nullable Future<Boolean> asked;

    Readiness(Vertx vertx, Runnable check) {
        thread = vertx.createSharedWorkerExecutor("millrace-probes", 1);
        this.check = check;
    }

    /** Fails with the reason if the store is not ready, or does not say so in time. */
    Future<Boolean> ask() {
        return current().timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS).recover(error -> {
            Supplier<String> silence = () -> "the store has not answered within " + PATIENCE.toSeconds() + " s";
            return Future.failedFuture(
                    error instanceof TimeoutException ? new StoreUnavailableException(silence.get()) : error);
        });
    }

    private synchronized Future<Boolean> current() {
        if (asked == null || asked.isComplete()) {
            asked = thread.executeBlocking(
                    () -> {
                        check.run();
                        return true;
                    },
                    false);
        }
        return asked;
    }
}
