package io.millrace.server;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;

/**
 * Runs reads that may scan many tasks on a thread pool of their own, so that no other call waits behind them. For each
 * access key, a few reads run at a time, a bounded number waits, and the rest is refused.
 */
final class LongReads {
    /** Maximum number of concurrent reads of one key. Without keys, all callers share one. */
    static final int AT_A_TIME = 4;

    static final int WAITING = 32;

    private final WorkerExecutor threads;
    private final BlockingCalls calls;
    private final Map<String, Line> lines = new HashMap<>();

    /** The reads of one key. */
    private static final class Line {
        int running;
        final Queue<Turn<?>> waiting = new ArrayDeque<>();
    }

    /** A read that waits, and where its answer goes. */
    private final class Turn<T> {
        private final Callable<T> read;
        private final Promise<T> answer;

        Turn(Callable<T> read, Promise<T> answer) {
            this.read = read;
            this.answer = answer;
        }

        void run(String key) {
            var unused = threads.executeBlocking(read, false).onComplete(result -> {
                ended(key);
                answer.handle(result);
            });
        }
    }

    LongReads(Vertx vertx, int threadCount, BlockingCalls calls) {
        this.calls = calls;
        threads = vertx.createSharedWorkerExecutor("millrace-reads", threadCount);
    }

    /**
     * @param key the name of the access key that asks
     * @param isBegun whether it is a part of a read that was begun, which is not refused
     * @return the answer, on the event loop of the context
     * @throws ProblemException 429 if too many of this key wait already
     */
    <T> Future<T> make(Context context, String key, boolean isBegun, Callable<T> read) {
        Promise<T> answer = Promise.promise();
        Turn<T> turn = new Turn<>(read, answer);
        boolean runs;
        synchronized (this) {
            Line line = lines.computeIfAbsent(key, any -> new Line());
            runs = line.running < AT_A_TIME;
            if (runs) {
                line.running++;
            } else if (!isBegun && line.waiting.size() >= WAITING) {
                throw Problems.tooManyReads(AT_A_TIME, WAITING);
            } else {
                line.waiting.add(turn);
            }
        }
        if (runs) {
            turn.run(key);
        }
        Promise<T> onLoop = Promise.promise();
        answer.future().onComplete(result -> context.runOnContext(any -> onLoop.handle(result)));
        return calls.track(onLoop.future());
    }

    /** How many reads of a key wait for their turn. */
    synchronized int waiting(String key) {
        Line line = lines.get(key);
        return line == null ? 0 : line.waiting.size();
    }

    private void ended(String key) {
        Turn<?> next;
        synchronized (this) {
            Line line = lines.get(key);
            if (line == null) {
                return;
            }
            next = line.waiting.poll();
            if (next == null && --line.running == 0) {
                lines.remove(key);
            }
        }
        if (next != null) {
            next.run(key);
        }
    }
}
