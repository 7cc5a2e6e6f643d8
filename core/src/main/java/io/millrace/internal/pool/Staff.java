package io.millrace.internal.pool;

import io.millrace.internal.pool.Pool.State;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Who works in a pool, and in which state. Guarded by the pool's lock, but for what is said to be read without it. */
final class Staff {
    private final ThreadFactory threads;
    private final IntFunction<PoolWorker> maker;
    /** By number; null where there is none. Read without the lock by those who steal. */
    private final @Nullable PoolWorker[] workers;
    /** Read without the lock. */
    private final AtomicInteger active = new AtomicInteger();

    private int sleeping;
    /** Stopped workers whose threads have not ended yet. */
    private int ending;

    /** No number below this one is free. */
    private int free;

    Staff(int most, ThreadFactory threads, IntFunction<PoolWorker> maker) {
        this.threads = threads;
        this.maker = maker;
        workers = new PoolWorker[most];
    }

    @Nullable
    PoolWorker[] workers() {
        return workers;
    }

    int active() {
        return active.get();
    }

    Pool.Count count() {
        int working = active.get();
        return new Pool.Count(working, sleeping, workers.length - working - sleeping);
    }

    /** One that sleeps, or one that was about to end; null if all threads there are work. */
    @Nullable
    PoolWorker wakeable() {
        return sleeping > 0 ? anyIn(State.SLEEPING) : ending > 0 ? anyIn(State.STOPPED) : null;
    }

    @Nullable
    PoolWorker anyIn(State state) {
        for (int i = workers.length - 1; i >= 0; i--) {
            PoolWorker worker = workers[i];
            if (worker != null && worker.state == state) {
                return worker;
            }
        }
        return null;
    }

    /** Starts a worker; null if there are as many as there may be. */
    @Nullable
    PoolWorker startNew() {
        while (free < workers.length && workers[free] != null) {
            free++;
        }
        if (free == workers.length) {
            return null;
        }
        PoolWorker worker = maker.apply(free);
        workers[free] = worker;
        active.incrementAndGet();
        try {
            startThread(worker);
            return worker;
        } catch (RuntimeException | Error e) {
            workers[free] = null;
            active.decrementAndGet();
            throw e;
        }
    }

    void startThread(PoolWorker worker) {
        Thread thread = threads.newThread(worker);
        worker.thread = thread;
        thread.start();
    }

    void change(PoolWorker worker, State to) {
        active.addAndGet((to == State.ACTIVE ? 1 : 0) - (worker.state == State.ACTIVE ? 1 : 0));
        sleeping += (to == State.SLEEPING ? 1 : 0) - (worker.state == State.SLEEPING ? 1 : 0);
        ending += (to == State.STOPPED ? 1 : 0) - (worker.state == State.STOPPED ? 1 : 0);
        worker.state = to;
    }

    /** A worker's thread ends. */
    void left(PoolWorker worker) {
        change(worker, State.STOPPED);
        ending--;
        workers[worker.number] = null;
        free = Math.min(free, worker.number);
    }

    /** How many threads there are, but for the caller's. */
    int others() {
        int count = 0;
        for (PoolWorker worker : workers) {
            count += worker == null || worker.thread == Thread.currentThread() ? 0 : 1;
        }
        return count;
    }
}
