package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.StoreUnavailableException;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.OwnServer;
import io.millrace.testkit.servers.TestDatabase;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The database is killed and comes again while a node works. */
class RestartTest {
    private static final Duration BOUND = Duration.ofSeconds(20);

    private final Set<UUID> acknowledged = ConcurrentHashMap.newKeySet();
    private final Set<UUID> ran = ConcurrentHashMap.newKeySet();
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicLong longest = new AtomicLong();
    private volatile boolean over;

    @ParameterizedTest
    @EnumSource
    void a_node_goes_on_by_itself_when_the_database_is_back(DatabaseProduct product) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (OwnServer server = product.startOwn();
                TestDatabase database = server.newDatabase();
                Millrace millrace = Millrace.open(
                        database.url(),
                        MillraceOptions.builder()
                                .workers(4)
                                .scanEvery(Duration.ofMillis(500))
                                .closeTimeout(Duration.ofSeconds(5))
                                .build())) {
            millrace.handle("load", (payload, context) -> ran.add(context.task().id()));
            Future<?> producing = thread.submit(() -> produce(millrace));
            for (int round = 0; round < 2; round++) {
                int before = ran.size();
                await().atMost(BOUND).until(() -> ran.size() > before + 100);
                int failed = failures.get();
                server.kill();
                await().atMost(BOUND).until(() -> failures.get() > failed);
                server.start();
            }
            int before = ran.size();
            await().atMost(BOUND).until(() -> ran.size() > before + 50);
            over = true;
            producing.get(20, TimeUnit.SECONDS);
            await().atMost(Duration.ofSeconds(40))
                    .until(() -> millrace.count(TaskQuery.ALL.pending()).isEmpty());

            assertThat(ran).containsAll(acknowledged);
            assertThat(acknowledged)
                    .allSatisfy(id -> assertThat(millrace.find(id))
                            .hasValueSatisfying(task -> assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED)));
            assertThat(Duration.ofNanos(longest.get())).isLessThan(BOUND);
        } finally {
            over = true;
            thread.shutdownNow();
        }
    }

    private void produce(Millrace millrace) {
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
}
