package io.millrace.internal.engine;

import io.millrace.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes one call of many: group commit. A batch starts as soon as the one before has ended and takes all that has come
 * in meanwhile, so that there is no delay when it is quiet and large batches when it is not.
 *
 * <p>Callers that were answered often call again at once. After a slow call the next one waits for them, for a part of the time
 * that the call took: else two halves of the callers would take turns, and each call would carry half of them. To wake them all
 * takes one thread as long as a good part of such a call, so everybody helps: who waits for them, and each that was woken.
 *
 * <p>There is no thread of its own. Whoever finds nobody at work leads: takes the batch, makes the call, hands the lead
 * to the next that waits, and answers. A caller that waits leads itself; for callers that do not wait the executor does.
 * What hangs on answers runs after the lead is handed on, so that it may call again.
 */
final class Batcher<Q, R> {
    private static final long SHORTEST_WAIT = 50_000;
    /** After a call that took longer something was wrong, and whoever waited for it may not come again. */
    private static final long LONGEST_WAIT = 5_000_000;

    private final Function<List<Q>, List<R>> process;
    private final int largest;
    private final ToIntFunction<Q> weigher;
    private final Executor executor;
    private final Queue<Call<Q, R>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean led = new AtomicBoolean();
    private final AtomicInteger waiting = new AtomicInteger();
    /** Those who have their answers and sleep. */
    private final Queue<Thread> toWake = new ConcurrentLinkedQueue<>();

    /** How many calls there were at the end of the last batch, answered or not, and how long it took; for the leader. */
    private int lately;

    private long lastNanos;
    /** This thread gives answers, and will look at the queue again: what hangs on them need not, or stacks would grow. */
    private final ThreadLocal<Boolean> answering = ThreadLocal.withInitial(() -> false);

    private static final class Call<Q, R> extends CompletableFuture<R> {
        final Q request;
        final @Nullable Thread waiter;

        Call(Q request, @Nullable Thread waiter) {
            this.request = request;
            this.waiter = waiter;
        }
    }

    Batcher(int largest, Executor executor, Function<List<Q>, List<R>> process) {
        this(largest, request -> 1, executor, process);
    }

    /**
     * Makes a batcher.
     *
     * @param largest a batch is full when its requests weigh this much
     * @param executor leads where no caller waits; may run things at once, on the caller's thread
     */
    Batcher(int largest, ToIntFunction<Q> weigher, Executor executor, Function<List<Q>, List<R>> process) {
        this.largest = largest;
        this.weigher = weigher;
        this.executor = executor;
        this.process = process;
    }

    /** Makes the call and waits for it. What the call throws is thrown here. */
    R call(Q request) {
        Call<Q, R> call = new Call<>(request, Thread.currentThread());
        add(call);
        boolean interrupted = false;
        while (!call.isDone()) {
            // the call is made for others too, and must not be made with this caller's interrupt
            interrupted |= Thread.interrupted();
            if (led.compareAndSet(false, true)) {
                lead();
                seeToALeader();
            } else {
                LockSupport.park(this);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        wakeOne();
        return result(call);
    }

    /** Makes the call without waiting for it. */
    CompletableFuture<R> submit(Q request) {
        Call<Q, R> call = new Call<>(request, null);
        add(call);
        if (!answering.get()) {
            seeToALeader();
        }
        return call;
    }

    private void add(Call<Q, R> call) {
        waiting.incrementAndGet();
        queue.add(call);
    }

    /** If the first in the queue does not wait itself, and nobody leads, lets the executor lead. */
    private void seeToALeader() {
        if (!isHeadUnattended() || !led.compareAndSet(false, true)) {
            return;
        }
        try {
            executor.execute(this::leadOn);
        } catch (RuntimeException | Error e) {
            // closed, or out of threads: whoever is here leads, or all that follow would wait for ever
            leadOn();
        }
    }

    private boolean isHeadUnattended() {
        Call<Q, R> head = queue.peek();
        return head != null && head.waiter == null;
    }

    private void leadOn() {
        do {
            lead();
        } while (isHeadUnattended() && led.compareAndSet(false, true));
    }

    private void lead() {
        gather();
        List<Call<Q, R>> batch = new ArrayList<>();
        Call<Q, R> taken;
        int weight = 0;
        while (weight < largest && (taken = queue.poll()) != null) {
            batch.add(taken);
            weight += weigher.applyAsInt(taken.request);
        }
        waiting.addAndGet(-batch.size());
        long start = System.nanoTime();
        List<Runnable> answers = batch.isEmpty() ? List.of() : answers(batch);
        lastNanos = System.nanoTime() - start;
        lately = weight < largest ? batch.size() + waiting.get() : 0;
        giveToThoseWhoWait(answers, batch);
        led.set(false);
        Call<Q, R> next = queue.peek();
        if (next != null) {
            LockSupport.unpark(next.waiter);
        }
        // as many as it has added, and no more: this may be a caller, too, and others follow
        for (int i = 0; i < batch.size() && wakeOne(); i++) {}
        giveToTheOthers(answers, batch);
    }

    /** Lets those come again who were answered just now. */
    private void gather() {
        long patience = patience(lastNanos);
        if (patience < SHORTEST_WAIT || waiting.get() >= lately) {
            return;
        }
        long start = System.nanoTime();
        while (waiting.get() < lately && System.nanoTime() - start < patience) {
            if (!wakeOne()) {
                LockSupport.parkNanos(SHORTEST_WAIT);
            }
        }
    }

    static long patience(long lastNanos) {
        return Math.min(lastNanos / 4, LONGEST_WAIT);
    }

    private boolean wakeOne() {
        Thread asleep = toWake.poll();
        LockSupport.unpark(asleep);
        return asleep != null;
    }

    private void giveToThoseWhoWait(List<Runnable> answers, List<Call<Q, R>> batch) {
        for (int i = 0; i < answers.size(); i++) {
            Thread waiter = batch.get(i).waiter;
            if (waiter != null) {
                answers.get(i).run();
                if (waiter != Thread.currentThread()) {
                    toWake.add(waiter);
                }
            }
        }
    }

    /** What hangs on these answers may take its time. */
    private void giveToTheOthers(List<Runnable> answers, List<Call<Q, R>> batch) {
        boolean nested = answering.get();
        answering.set(true);
        try {
            for (int i = 0; i < answers.size(); i++) {
                if (batch.get(i).waiter == null) {
                    answers.get(i).run();
                }
            }
        } finally {
            answering.set(nested);
        }
    }

    private List<Runnable> answers(List<Call<Q, R>> batch) {
        List<Q> requests = new ArrayList<>(batch.size());
        batch.forEach(call -> requests.add(call.request));
        List<Runnable> answers = new ArrayList<>(batch.size());
        try {
            List<R> results = process.apply(requests);
            for (int i = 0; i < batch.size(); i++) {
                Call<Q, R> call = batch.get(i);
                R result = results.get(i);
                answers.add(() -> call.complete(result));
            }
        } catch (StoreUnavailableException e) {
            batch.forEach(call -> answers.add(() -> call.completeExceptionally(e)));
        } catch (RuntimeException | Error e) {
            answers.clear();
            if (batch.size() == 1) {
                answers.add(() -> batch.get(0).completeExceptionally(e));
            } else {
                // one bad request must not fail its neighbours; all calls are safe to repeat
                batch.forEach(call -> answers.addAll(answers(List.of(call))));
            }
        }
        return answers;
    }

    private static <R> R result(CompletableFuture<R> done) {
        try {
            return done.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw e;
        }
    }
}
