package io.millrace.server;

import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls that may wait, on threads that may. They go on when the client has gone that they were made for. */
final class BlockingCalls {
    private static final Logger log = LoggerFactory.getLogger(BlockingCalls.class);

    private final Set<Future<?>> underWay = ConcurrentHashMap.newKeySet();

    <T> Future<T> make(Context context, Callable<T> call) {
        return track(context.executeBlocking(call, false));
    }

    /** Has {@link #awaitEnd} wait for this too. */
    <T> Future<T> track(Future<T> made) {
        underWay.add(made);
        return made.onComplete(any -> underWay.remove(made));
    }

    /**
     * Waits until all have ended: each ends on an event loop, which must be there until then.
     *
     * @return false if the time was over before
     */
    boolean awaitEnd(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        try {
            while (!underWay.isEmpty()) {
                all().get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
            return true;
        } catch (TimeoutException | ExecutionException e) {
            log.warn("The server stops while {} calls to the store have not ended; nobody learns how", underWay.size());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private CompletableFuture<Void> all() {
        return CompletableFuture.allOf(underWay.stream()
                .map(call -> call.otherwiseEmpty().toCompletionStage().toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new));
    }
}
