package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.StoreUnavailableException;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Enqueues one task after the other on a node that runs them, while something happens to the database. */
final class SteadyCaller implements AutoCloseable {
    private static final Duration BOUND = Duration.ofSeconds(20);

    private final Millrace millrace;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Set<UUID> acknowledged = ConcurrentHashMap.newKeySet();
    private final Set<UUID> ran = ConcurrentHashMap.newKeySet();
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicLong longest = new AtomicLong();
    private final Future<?> calling;
    private volatile boolean over;

    SteadyCaller(String url) {
        millrace = Millrace.open(
                url,
                MillraceOptions.builder()
                        .workers(4)
                        .scanEvery(Duration.ofMillis(500))
                        .closeTimeout(Duration.ofSeconds(5))
                        .build());
        millrace.handle("load", (payload, context) -> ran.add(context.task().id()));
        calling = thread.submit(this::call);
    }

    private void call() {
        while (!over) {
            NewTask task = NewTask.builder("load").build();
            long start = System.nanoTime();
            try {
                acknowledged.add(millrace.enqueue(task).id());
            } catch (StoreUnavailableException e) {
                failures.incrementAndGet();
            }
            longest.accumulateAndGet(System.nanoTime() - start, Math::max);
        }
    }

    void awaitProgress() {
        int before = ran.size();
        await().atMost(BOUND).until(() -> ran.size() > before + 100);
    }

    void awaitFailure() {
        int before = failures.get();
        await().atMost(BOUND).until(() -> failures.get() > before);
    }

    /** All that was acknowledged has been done, and no call took long. */
    void endAndCheck() throws Exception {
        over = true;
        calling.get(BOUND.toSeconds(), TimeUnit.SECONDS);
        await().atMost(BOUND.multipliedBy(2))
                .until(() -> millrace.count(TaskQuery.ALL.pending()).isEmpty());
        assertThat(ran).containsAll(acknowledged);
        assertThat(acknowledged)
                .allSatisfy(id -> assertThat(millrace.find(id))
                        .hasValueSatisfying(task -> assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED)));
        assertThat(Duration.ofNanos(longest.get())).isLessThan(BOUND);
    }

    @Override
    public void close() {
        over = true;
        thread.shutdownNow();
        millrace.close();
    }
}
