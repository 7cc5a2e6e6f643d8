package io.millrace.benchmarks.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SqlQueueTest {
    private static final int CALLERS = 64;
    private static final int SINGLES = 256;
    private static final int TOGETHER = 256;

    enum Peer {
        MILLRACE_POSTGRES(
                DatabaseProduct.POSTGRES,
                "select coalesce(sum(tasks), 0) from millrace_finished where state = 4",
                SINGLES + TOGETHER) {
            @Override
            SqlQueue open(String url) {
                return new MillraceQueue(url, 16, 2);
            }
        },
        MILLRACE_MARIADB(
                DatabaseProduct.MARIADB,
                "select coalesce(sum(tasks), 0) from millrace_finished where state = 4",
                SINGLES + TOGETHER) {
            @Override
            SqlQueue open(String url) {
                return new MillraceQueue(url, 16, 2);
            }
        },
        RAW_POSTGRES(DatabaseProduct.POSTGRES, "select count(*) from task", 0) {
            @Override
            SqlQueue open(String url) throws Exception {
                return RawQueue.open(product, url, 16, 2);
            }
        },
        GROUPED_POSTGRES(DatabaseProduct.POSTGRES, "select count(*) from task", 0) {
            @Override
            SqlQueue open(String url) throws Exception {
                return new GroupedQueue(RawQueue.open(product, url, 16, 2));
            }
        },
        RAW_MARIADB(DatabaseProduct.MARIADB, "select count(*) from task", 0) {
            @Override
            SqlQueue open(String url) throws Exception {
                return RawQueue.open(product, url, 16, 2);
            }
        },
        WIDE_MARIADB(DatabaseProduct.MARIADB, "select count(*) from task where state = 2", SINGLES + TOGETHER) {
            @Override
            SqlQueue open(String url) throws Exception {
                return RawQueue.openWide(url, 16, 2);
            }
        },
        DB_SCHEDULER_POSTGRES(DatabaseProduct.POSTGRES, "select count(*) from scheduled_tasks", 0) {
            @Override
            SqlQueue open(String url) throws Exception {
                return new DbSchedulerQueue(product, url, 16, 10);
            }
        },
        DB_SCHEDULER_MARIADB(DatabaseProduct.MARIADB, "select count(*) from scheduled_tasks", 0) {
            @Override
            SqlQueue open(String url) throws Exception {
                return new DbSchedulerQueue(product, url, 16, 10);
            }
        },
        JOBRUNR_POSTGRES(
                DatabaseProduct.POSTGRES,
                "select count(*) from jobrunr_jobs where state = 'SUCCEEDED'",
                SINGLES + TOGETHER) {
            @Override
            SqlQueue open(String url) throws Exception {
                return new JobRunrQueue(product, url, 16, 16);
            }
        },
        JOBRUNR_MARIADB(
                DatabaseProduct.MARIADB,
                "select count(*) from jobrunr_jobs where state = 'SUCCEEDED'",
                SINGLES + TOGETHER) {
            @Override
            SqlQueue open(String url) throws Exception {
                return new JobRunrQueue(product, url, 16, 16);
            }
        };

        final DatabaseProduct product;
        final String retained;
        final int retainedCount;

        Peer(DatabaseProduct product, String retained, int retainedCount) {
            this.product = product;
            this.retained = retained;
            this.retainedCount = retainedCount;
        }

        abstract SqlQueue open(String url) throws Exception;
    }

    @ParameterizedTest
    @EnumSource
    void what_was_enqueued_one_by_one_and_together_is_handled_once(Peer peer) throws Exception {
        try (TestDatabase database = peer.product.newDatabase();
                SqlQueue queue = peer.open(database.url())) {
            List<byte[]> payloads = IntStream.range(0, SINGLES + TOGETHER)
                    .mapToObj(SqlQueueTest::payload)
                    .toList();
            enqueueByManyCallers(queue, payloads.subList(0, SINGLES));
            queue.enqueueAll(payloads.subList(SINGLES, SINGLES + TOGETHER));

            Queue<byte[]> handled = new ConcurrentLinkedQueue<>();
            Duration took = queue.drain(SINGLES + TOGETHER, handled::add);

            assertThat(handled).containsExactlyInAnyOrderElementsOf(payloads);
            assertThat(took).isPositive();
            assertThat(count(database, peer.retained)).isEqualTo(peer.retainedCount);
        }
    }

    private static byte[] payload(int number) {
        return String.format("%0200d", number).getBytes(StandardCharsets.US_ASCII);
    }

    private static void enqueueByManyCallers(SqlQueue queue, List<byte[]> payloads) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (byte[] payload : payloads) {
                ends.add(callers.submit(() -> {
                    queue.enqueue(payload);
                    return null;
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        } finally {
            callers.shutdownNow();
        }
    }

    private static int count(TestDatabase database, String query) throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
