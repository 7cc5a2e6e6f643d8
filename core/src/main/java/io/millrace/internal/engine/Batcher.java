package io.millrace.internal.engine;

import io.millrace.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes one call of many: group commit. A batch starts as soon as the one before has ended and takes all that has come
 * in meanwhile, so that there is no delay when it is quiet and large batches when it is not.
 *
 * <p>There is no thread of its own. Whoever finds nobody at work leads: takes the batch, makes the call, hands the lead
 * to the next that waits, and answers. A caller that waits leads itself; for callers that do not wait the executor does.
 * Answers are given after the lead is handed on, so that what hangs on them may call again.
 */
final class Batcher<Q, R> {
    private final Function<List<Q>, List<R>> process;
    private final int largest;
    private final Executor executor;
    private final Queue<Call<Q, R>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean led = new AtomicBoolean();

    private static final class Call<Q, R> extends CompletableFuture<R> {
        final Q request;
        final @Nullable Thread waiter;

        Call(Q request, @Nullable Thread waiter) {
            this.request = request;
            this.waiter = waiter;
        }
    }

    /** @param executor leads where no caller waits; may run things at once, on the caller's thread */
    Batcher(int largest, Executor executor, Function<List<Q>, List<R>> process) {
        this.largest = largest;
        this.executor = executor;
        this.process = process;
    }

    /** Makes the call and waits for it. What the call throws is thrown here. */
    R call(Q request) {
        Call<Q, R> call = new Call<>(request, Thread.currentThread());
        queue.add(call);
        boolean interrupted = false;
        while (!call.isDone()) {
            if (led.compareAndSet(false, true)) {
                lead();
            } else {
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return result(call);
    }

    /** Makes the call without waiting for it. */
    CompletableFuture<R> submit(Q request) {
        Call<Q, R> call = new Call<>(request, null);
        queue.add(call);
        if (led.compareAndSet(false, true)) {
            letLead();
        }
        return call;
    }

    private void letLead() {
        try {
            executor.execute(this::leadOn);
        } catch (RejectedExecutionException e) {
            // closed meanwhile: whoever is here learns it from the store, but nobody waits for ever
            leadOn();
        }
    }

    private void leadOn() {
        do {
            lead();
            Call<Q, R> head = queue.peek();
            if (head == null || head.waiter != null) {
                return;
            }
        } while (led.compareAndSet(false, true));
    }

    private void lead() {
        List<Call<Q, R>> batch = new ArrayList<>();
        Call<Q, R> taken;
        while (batch.size() < largest && (taken = queue.poll()) != null) {
            batch.add(taken);
        }
        List<Runnable> answers = batch.isEmpty() ? List.of() : answers(batch);
        led.set(false);
        handOn();
        for (int i = 0; i < answers.size(); i++) {
            answers.get(i).run();
            LockSupport.unpark(batch.get(i).waiter);
        }
    }

    /** If someone has come in, sees to it that there is a leader. */
    private void handOn() {
        Call<Q, R> head = queue.peek();
        if (head == null) {
            return;
        }
        if (head.waiter != null) {
            LockSupport.unpark(head.waiter);
        } else if (led.compareAndSet(false, true)) {
            letLead();
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
