package io.millrace;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Does the work of a {@link WorkQueue}. To return is to succeed; to throw is to fail, and to be tried again where retries
 * are left. It must be safe to call from several threads.
 *
 * <p>Handlers can be put together: {@code chain(validate, enrich, transit(nextQueue))}.
 */
@FunctionalInterface
public interface ItemHandler<T> {
    /**
     * @throws StopException to fail without any further retry
     * @throws InterruptedException when the queue is closed by force
     * @throws Exception to fail
     */
    void handle(T item) throws Exception;

    /** Passes items on: to another queue, to a topic, to a dump. It waits for room or fails, as that does. */
    static <T> ItemHandler<T> transit(Enqueuer<? super T> next) {
        return Limits.present("transit", next)::put;
    }

    /** One after the other; the first failure ends it. */
    @SafeVarargs
    static <T> ItemHandler<T> chain(ItemHandler<? super T>... handlers) {
        List<ItemHandler<? super T>> all = new ArrayList<>();
        for (ItemHandler<? super T> handler : Limits.present("chain", handlers)) {
            all.add(Limits.present("chain", handler));
        }
        return item -> {
            for (ItemHandler<? super T> handler : all) {
                handler.handle(item);
            }
        };
    }

    /** All at once, on threads of their own, and the worker waits for all of them; the first failure is its failure. */
    @SafeVarargs
    static <T> ItemHandler<T> asyncChain(ItemHandler<? super T>... handlers) {
        List<ItemHandler<? super T>> all = new ArrayList<>();
        for (ItemHandler<? super T> handler : Limits.present("asyncChain", handlers)) {
            all.add(Limits.present("asyncChain", handler));
        }
        return new AsyncChain<T>(AsyncChain.THREADS, all);
    }

    /** The same on given threads. */
    static <T> ItemHandler<T> asyncChain(Executor executor, List<? extends ItemHandler<? super T>> handlers) {
        Limits.present("asyncChain", handlers).forEach(handler -> Limits.present("asyncChain", handler));
        return new AsyncChain<T>(Limits.present("executor", executor), List.copyOf(handlers));
    }
}
