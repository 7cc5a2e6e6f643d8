package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import io.millrace.NewTask;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WakeUpListener;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node hears of what others enqueue although the database does not tell it. */
@Tag("slow")
class TallyWatchTest {
    private static void enqueue(TaskStore store, String topic) {
        store.enqueue(List.of(new EnqueueRequest(List.of(NewTask.builder(topic).build()), Map.of())));
    }

    private static BlockingQueue<String> heard(TaskStore store) {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        store.onWakeUp(new WakeUpListener() {
            @Override
            public void ready(String topic) {
                heard.add(topic);
            }

            @Override
            public void recordsChanged() {
                heard.add("records");
            }
        });
        return heard;
    }

    private static void hearsOfEachOther(TaskStore one, TaskStore other) throws InterruptedException {
        BlockingQueue<String> heard = heard(other);
        for (String topic : List.of("first", "second", "first")) {
            heard.clear();
            enqueue(one, topic);
            assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo(topic);
        }
    }

    @Test
    void on_a_database_that_cannot_tell() throws InterruptedException {
        try (TestDatabase database = DatabaseProduct.MARIADB.newDatabase();
                TaskStore one = SqlProvider.openBy(null, database.url());
                TaskStore other = SqlProvider.openBy(null, database.url())) {
            hearsOfEachOther(one, other);
        }
    }

    @Test
    void behind_a_pooler_that_lets_no_notification_through() throws InterruptedException {
        try (TestDatabase database = DatabaseProduct.POSTGRES.newDatabase();
                TestDatabase elsewhere = DatabaseProduct.POSTGRES.newDatabase();
                TaskStore one = SqlProvider.openBy(null, database.url())) {
            HikariConfig settings = new HikariConfig();
            settings.setJdbcUrl(database.url());
            Database connections = new Database(settings, new PostgresDialect(), SqlUrl.DEFAULT_TABLES);
            // it listens where nobody speaks
            try (TaskStore other = new SqlStore(connections, InstantSource.system(), elsewhere.url())) {
                hearsOfEachOther(one, other);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void counts_stay_right_and_short(DatabaseProduct product) {
        int tasks = 1_000;
        try (TestDatabase database = product.newDatabase();
                TaskStore one = SqlProvider.openBy(null, database.url());
                TaskStore other = SqlProvider.openBy(null, database.url())) {
            for (int i = 0; i < tasks; i++) {
                enqueue(i % 2 == 0 ? one : other, "counted");
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> rows(database) < 50);
            assertThat(one.count(TaskQuery.ALL)).containsExactly(new TaskCount("counted", TaskState.READY, tasks));
        }
    }

    private static long rows(TestDatabase database) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from millrace_tally")) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
