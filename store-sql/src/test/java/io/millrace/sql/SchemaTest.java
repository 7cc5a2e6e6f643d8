package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.NewTask;
import io.millrace.StoreUnavailableException;
import io.millrace.TaskQuery;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.TaskStore;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How the tables come about. */
class SchemaTest {
    private static final int NODES = 10;

    private static TaskStore open(String url) {
        return SqlProvider.openBy(null, url);
    }

    private static void enqueue(TaskStore store, NewTask task) {
        assertThat(store.enqueue(List.of(EnqueueRequest.of(task)))).hasSize(1);
    }

    private static void execute(TestDatabase database, String... statements) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    private static List<Integer> versions(TestDatabase database, String tables) throws SQLException {
        List<Integer> versions = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select version from " + tables + "schema_version")) {
            while (rows.next()) {
                versions.add(rows.getInt(1));
            }
        }
        return versions;
    }

    @ParameterizedTest
    @EnumSource
    void nodes_that_open_an_empty_database_at_once_create_the_tables_once(DatabaseProduct product) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(NODES);
        CyclicBarrier start = new CyclicBarrier(NODES);
        List<Future<TaskStore>> opening = new ArrayList<>();
        try (TestDatabase database = product.newDatabase()) {
            for (int i = 0; i < NODES; i++) {
                opening.add(threads.submit(() -> {
                    start.await();
                    return open(database.url() + "&millraceConnections=2");
                }));
            }
            for (Future<TaskStore> each : opening) {
                try (TaskStore store = each.get(60, TimeUnit.SECONDS)) {
                    enqueue(store, NewTask.builder("a").build());
                }
            }
            assertThat(versions(database, "millrace_")).containsExactly(1, 2);
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void tables_of_a_newer_version_are_refused(DatabaseProduct product) throws SQLException {
        try (TestDatabase database = product.newDatabase()) {
            open(database.url()).close();
            execute(database, "insert into millrace_schema_version (version) values (99)");
            assertThatThrownBy(() -> open(database.url()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("99")
                    .hasMessageContaining("versions up to " + Schema.VERSION);
        }
    }

    /** MariaDB cannot take tables back, and goes on with those that are there. */
    @Test
    void what_stands_in_the_way_of_a_table_is_named() throws SQLException {
        try (TestDatabase database = DatabaseProduct.POSTGRES.newDatabase()) {
            execute(database, "create table millrace_task (id integer)");
            assertThatThrownBy(() -> open(database.url()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("millrace_task");
        }
    }

    @ParameterizedTest
    @EnumSource
    void stores_with_different_tables_in_one_database_do_not_see_each_other(DatabaseProduct product)
            throws SQLException {
        try (TestDatabase database = product.newDatabase();
                TaskStore acme = open(database.url() + "&millraceTables=acme_");
                TaskStore other = open(database.url())) {
            NewTask ofAcme = NewTask.builder("a").uniqueKey("key").build();
            NewTask ofOther = NewTask.builder("a").uniqueKey("key").build();
            enqueue(acme, ofAcme);
            enqueue(other, ofOther);

            assertThat(acme.list(TaskQuery.ALL, null, 10).items())
                    .singleElement()
                    .satisfies(task -> assertThat(task.id()).isEqualTo(ofAcme.id()));
            assertThat(other.list(TaskQuery.ALL, null, 10).items())
                    .singleElement()
                    .satisfies(task -> assertThat(task.id()).isEqualTo(ofOther.id()));
            assertThat(versions(database, "acme_")).containsExactly(1, 2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void names_may_be_as_long_as_said(DatabaseProduct product) {
        try (TestDatabase database = product.newDatabase();
                TaskStore store = open(database.url() + "&millraceTables=" + "a".repeat(30))) {
            enqueue(store, NewTask.builder("a").build());
            assertThat(store.count(TaskQuery.ALL)).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void tables_that_were_created_by_hand_are_taken_as_they_are(DatabaseProduct product) throws SQLException {
        String text = product == DatabaseProduct.POSTGRES ? SqlSchema.postgresql("hand_") : SqlSchema.mariadb("hand_");
        try (TestDatabase database = product.newDatabase()) {
            execute(database, text.replaceAll("(?m)^--.*$", "").strip().split(";\\s*(\\n|$)"));
            try (TaskStore store = open(database.url() + "&millraceTables=hand_")) {
                enqueue(store, NewTask.builder("a").build());
                assertThat(store.count(TaskQuery.ALL)).hasSize(1);
            }
            assertThat(versions(database, "hand_")).containsExactly(1, 2);
        }
    }
}
