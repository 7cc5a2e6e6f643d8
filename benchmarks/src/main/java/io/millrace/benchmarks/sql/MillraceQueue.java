package io.millrace.benchmarks.sql;

import io.millrace.Limits;
import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Millrace as its users have it: the engine, with finished tasks retained. */
public final class MillraceQueue implements SqlQueue {
    private static final String TOPIC = "bench";

    private final Millrace millrace;

    public MillraceQueue(String url, int connections, int workers) {
        String settings = (url.contains("?") ? "&" : "?") + "millraceConnections=" + connections;
        millrace = Millrace.open(
                url + settings, MillraceOptions.builder().workers(workers).build());
    }

    public Millrace millrace() {
        return millrace;
    }

    private static NewTask task(byte[] payload) {
        return NewTask.builder(TOPIC).payload(Payload.bytes(payload)).build();
    }

    @Override
    public void enqueue(byte[] payload) {
        var unused = millrace.enqueue(task(payload));
    }

    @Override
    public void enqueueAll(List<byte[]> payloads) {
        for (int from = 0; from < payloads.size(); from += Limits.BATCH) {
            var unused =
                    millrace.enqueue(payloads.subList(from, Math.min(from + Limits.BATCH, payloads.size())).stream()
                            .map(MillraceQueue::task)
                            .toList());
        }
    }

    @Override
    public Duration drain(int tasks, Consumer<byte[]> handler) throws Exception {
        Handled handled = new Handled(tasks, handler);
        long before = succeeded();
        long start = System.nanoTime();
        millrace.handle(TOPIC, (payload, context) -> handled.accept(payload.toBytes()));
        handled.await();
        while (succeeded() - before < tasks) {
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private long succeeded() {
        return millrace.count(TaskQuery.ALL.topic(TOPIC).state(TaskState.SUCCEEDED)).stream()
                .mapToLong(TaskCount::count)
                .sum();
    }

    @Override
    public void close() {
        millrace.close();
    }
}
