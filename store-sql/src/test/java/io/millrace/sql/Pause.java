package io.millrace.sql;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Holds somebody at one place until it is closed. As a resource it comes last, so that nothing is closed under the one held. */
final class Pause implements AutoCloseable {
    private final CompletableFuture<Void> reached = new CompletableFuture<>();
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    /** For the one held. */
    void here() {
        reached.complete(null);
        over.join();
    }

    /** Waits until the one held is there, or has failed. */
    void awaitReached(CompletableFuture<?> held) throws Exception {
        CompletableFuture.anyOf(reached, held).get(30, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        over.complete(null);
    }
}
