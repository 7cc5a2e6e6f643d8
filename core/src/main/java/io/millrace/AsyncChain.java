package io.millrace;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Handlers that run at once; all are waited for, and the first failure, in their order, is the failure of the whole. */
final class AsyncChain<T> implements ItemHandler<T> {
    /** Threads that come and go as they are needed. */
    static final Executor THREADS = Executors.newCachedThreadPool(action -> {
        Thread thread = new Thread(action, "millrace-chain");
        thread.setDaemon(true);
        return thread;
    });

    private final Executor executor;
    private final List<ItemHandler<? super T>> handlers;

    AsyncChain(Executor executor, List<ItemHandler<? super T>> handlers) {
        this.executor = executor;
        this.handlers = handlers;
    }

    @Override
    public void handle(T item) throws Exception {
        List<FutureTask<Void>> parts = new ArrayList<>(handlers.size());
        try {
            for (ItemHandler<? super T> handler : handlers) {
                FutureTask<Void> part = new FutureTask<>(() -> {
                    handler.handle(item);
                    return null;
                });
                executor.execute(part);
                parts.add(part);
            }
            awaitAll(parts);
        } catch (InterruptedException | RuntimeException e) {
            parts.forEach(part -> part.cancel(true));
            throw e;
        }
    }

    private static void awaitAll(List<FutureTask<Void>> parts) throws Exception {
        Throwable first = null;
        for (FutureTask<Void> part : parts) {
            Throwable failure = failureOf(part);
            first = first == null ? failure : first;
        }
        if (first instanceof Error error) {
            throw error;
        }
        if (first instanceof Exception exception) {
            throw exception;
        }
    }

    private static @Nullable Throwable failureOf(FutureTask<Void> part) throws InterruptedException {
        try {
            part.get();
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }
}
