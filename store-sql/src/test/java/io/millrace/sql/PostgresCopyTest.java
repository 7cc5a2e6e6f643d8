package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.NewTask;
import io.millrace.StoreUnavailableException;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.TaskStore;
import io.millrace.testkit.environment.Relay;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The server falls silent in the middle of a copy. */
class PostgresCopyTest {
    private static final int TASKS = 2_000;
    private static final int SOCKET_TIMEOUT_SECONDS = 2;

    private volatile boolean copiesAreStopped;
    private volatile CountDownLatch silence = new CountDownLatch(0);

    private boolean passes(boolean toServer, byte[] bytes, int size) throws InterruptedException {
        if (copiesAreStopped
                && toServer
                && new String(bytes, 0, size, StandardCharsets.ISO_8859_1).contains("PGCOPY")) {
            copiesAreStopped = false;
            silence = new CountDownLatch(1);
        }
        silence.await();
        return true;
    }

    @Test
    void the_caller_is_told_after_one_time_limit_and_nothing_was_taken() throws Exception {
        try (TestDatabase database = DatabaseProduct.POSTGRES.newDatabase();
                Relay relay = new Relay(SilentNetworkTest.port(database.url()), this::passes);
                TaskStore store = SqlProvider.openBy(
                        null,
                        SilentNetworkTest.through(relay, database.url()) + "&socketTimeout="
                                + SOCKET_TIMEOUT_SECONDS)) {
            List<NewTask> tasks = IntStream.range(0, TASKS)
                    .mapToObj(any -> NewTask.builder("copied").build())
                    .toList();
            List<EnqueueRequest> requests = List.of(new EnqueueRequest(tasks, Map.of()));
            copiesAreStopped = true;
            long start = System.nanoTime();
            assertThatThrownBy(() -> store.enqueue(requests)).isInstanceOf(StoreUnavailableException.class);
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            assertThat(copiesAreStopped).as("no copy was seen").isFalse();
            assertThat(took).isLessThan(Duration.ofSeconds(2 * SOCKET_TIMEOUT_SECONDS));

            silence.countDown();
            assertThat(store.enqueue(requests))
                    .singleElement()
                    .satisfies(result -> assertThat(((EnqueueResult.Stored) result).items())
                            .noneMatch(EnqueueResult.Item::duplicate));
            assertThat(store.count(TaskQuery.ALL)).containsExactly(new TaskCount("copied", TaskState.READY, TASKS));
        } finally {
            silence.countDown();
        }
    }
}
