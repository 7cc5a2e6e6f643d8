package io.millrace.client;

import io.millrace.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Makes one request of many calls. One request is under way at a time, and the next takes all that has come in
 * meanwhile: nothing waits when it is quiet, and requests are large when it is not.
 *
 * <p>A request that is refused is sent again in two halves, down to the call at fault: one bad call does not fail its
 * neighbours. So calls must be safe to repeat.
 */
final class Gathering<Q, R> {
    private final ToDoubleFunction<Q> share;
    private final Function<List<Q>, CompletableFuture<List<R>>> sender;
    private final Queue<Waiting<Q, R>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean busy = new AtomicBoolean();

    private record Waiting<Q, R>(Q call, CompletableFuture<R> answer) {}

    /**
     * Makes one.
     *
     * @param share how much of a request a call takes; a request is full at 1
     * @param sender sends one request, and gives one answer for each call
     */
    Gathering(ToDoubleFunction<Q> share, Function<List<Q>, CompletableFuture<List<R>>> sender) {
        this.share = share;
        this.sender = sender;
    }

    CompletableFuture<R> submit(Q call) {
        CompletableFuture<R> answer = new CompletableFuture<>();
        queue.add(new Waiting<>(call, answer));
        sendNext();
        return answer;
    }

    /** Whether something waits that the next request will take. */
    boolean hasWaiting() {
        return !queue.isEmpty();
    }

    private void sendNext() {
        while (!queue.isEmpty() && busy.compareAndSet(false, true)) {
            List<Waiting<Q, R>> batch = take();
            if (!batch.isEmpty()) {
                deliver(batch, () -> {
                    busy.set(false);
                    sendNext();
                });
                return;
            }
            busy.set(false);
        }
    }

    private List<Waiting<Q, R>> take() {
        List<Waiting<Q, R>> batch = new ArrayList<>();
        double filled = 0;
        for (Waiting<Q, R> next = queue.peek(); next != null; next = queue.peek()) {
            filled += share.applyAsDouble(next.call);
            if (!batch.isEmpty() && filled > 1) {
                break;
            }
            batch.add(queue.remove());
        }
        return batch;
    }

    /** @param then runs when all are answered */
    private void deliver(List<Waiting<Q, R>> batch, Runnable then) {
        var unused = send(batch).whenComplete((answers, error) -> {
            if (error == null) {
                answer(batch, answers);
                then.run();
                return;
            }
            Throwable cause = Trouble.cause(error);
            if (batch.size() == 1 || concernsAll(cause)) {
                batch.forEach(waiting -> waiting.answer.completeExceptionally(cause));
                then.run();
            } else {
                int half = batch.size() / 2;
                deliver(batch.subList(0, half), () -> deliver(batch.subList(half, batch.size()), then));
            }
        });
    }

    private CompletableFuture<List<R>> send(List<Waiting<Q, R>> batch) {
        try {
            return sender.apply(batch.stream().map(Waiting::call).toList());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static <Q, R> void answer(List<Waiting<Q, R>> batch, List<R> answers) {
        for (int i = 0; i < batch.size(); i++) {
            if (i < answers.size()) {
                batch.get(i).answer.complete(answers.get(i));
            } else {
                batch.get(i)
                        .answer
                        .completeExceptionally(
                                new StoreUnavailableException("the server did not answer everything it was asked"));
            }
        }
    }

    private static boolean concernsAll(Throwable cause) {
        return cause instanceof StoreUnavailableException
                || (cause instanceof AccessDeniedException denied && !denied.isKeyKnown());
    }
}
