package io.millrace.benchmarks.sql;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/**
 * Another queue with group commit in front of it: one thread inserts, in one transaction, what all callers have brought since
 * its last one, and wakes them. What they cost beyond that is what a queue does for a task.
 */
public final class GroupedQueue implements SqlQueue {
    private static final class Call extends CompletableFuture<Void> {
        final byte[] payload;

        Call(byte[] payload) {
            this.payload = payload;
        }
    }

    private final SqlQueue queue;
    private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
    private final Thread thread = new Thread(this::insertOn, "group-commit");

    public GroupedQueue(SqlQueue queue) {
        this.queue = queue;
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void enqueue(byte[] payload) throws ExecutionException, InterruptedException {
        Call call = new Call(payload);
        calls.add(call);
        call.get();
    }

    private void insertOn() {
        List<Call> group = new ArrayList<>();
        try {
            while (true) {
                group.add(calls.take());
                calls.drainTo(group);
                insert(group);
                group.clear();
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    private void insert(List<Call> group) {
        try {
            queue.enqueueAll(group.stream().map(call -> call.payload).toList());
            group.forEach(call -> call.complete(null));
        } catch (Exception e) {
            group.forEach(call -> call.completeExceptionally(e));
        }
    }

    @Override
    public void enqueueAll(List<byte[]> payloads) throws Exception {
        queue.enqueueAll(payloads);
    }

    @Override
    public Duration drain(int tasks, Consumer<byte[]> handler) throws Exception {
        return queue.drain(tasks, handler);
    }

    @Override
    public void close() throws Exception {
        thread.interrupt();
        thread.join();
        queue.close();
    }
}
