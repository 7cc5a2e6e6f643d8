package io.millrace.sql;

import static org.awaitility.Awaitility.await;

import io.millrace.NewTask;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.Records;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WakeUpListener;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** What one node does is told to the others. */
class PostgresSignalsTest {
    private static final String RECORDS = "a record";

    private static final class Heard implements WakeUpListener {
        final Set<String> topics = ConcurrentHashMap.newKeySet();

        @Override
        public void ready(String topic) {
            topics.add(topic);
        }

        @Override
        public void recordsChanged() {
            topics.add(RECORDS);
        }
    }

    private static void enqueue(TaskStore store, String topic) {
        store.enqueue(List.of(EnqueueRequest.of(NewTask.builder(topic).build())));
    }

    @Test
    void a_task_and_a_record_are_told_to_other_nodes() {
        try (TestDatabase database = DatabaseProduct.POSTGRES.newDatabase();
                TaskStore one = SqlProvider.openBy(null, database.url());
                TaskStore other = SqlProvider.openBy(null, database.url())) {
            Heard heard = new Heard();
            other.onWakeUp(heard);

            // until the other one listens
            await().atMost(java.time.Duration.ofSeconds(30)).until(() -> {
                enqueue(one, "mail");
                return heard.topics.contains("mail");
            });
            one.records().put("key", "value", Records.ABSENT);
            await().atMost(java.time.Duration.ofSeconds(30)).until(() -> heard.topics.contains(RECORDS));
        }
    }

    @Test
    void a_node_listens_again_when_its_connection_was_cut() throws Exception {
        try (TestDatabase database = DatabaseProduct.POSTGRES.newDatabase();
                TaskStore one = SqlProvider.openBy(null, database.url());
                TaskStore other = SqlProvider.openBy(null, database.url())) {
            Heard heard = new Heard();
            other.onWakeUp(heard);
            await().atMost(java.time.Duration.ofSeconds(30)).until(() -> {
                enqueue(one, "before");
                return heard.topics.contains("before");
            });
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                // other tests listen on the same server
                statement.execute("""
                        select pg_terminate_backend(pid) from pg_stat_activity
                        where datname = current_database() and query like 'listen%'
                        """);
            }
            await().atMost(java.time.Duration.ofSeconds(30)).until(() -> {
                enqueue(one, "after");
                return heard.topics.contains("after");
            });
        }
    }
}
