package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.NewTask;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.TaskStore;
import io.millrace.testkit.environment.Relay;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Settings of a session that is ours are set once. Behind a pooler others get the session, and must not get them with
 * it.
 */
class PostgresSessionsTest {
    private TestDatabase database;
    private Relay pooler;

    @BeforeEach
    void start() throws IOException {
        database = DatabaseProduct.POSTGRES.newDatabase();
        pooler = new Relay(SilentNetworkTest.port(database.url()), (toServer, bytes, size) -> {
            if (!toServer) {
                nameAnotherProcess(bytes, size);
            }
            return true;
        });
    }

    @AfterEach
    void stop() throws IOException {
        pooler.close();
        database.close();
    }

    /** As a pooler does when a client connects: the message begins with a K and its length, and the process follows. */
    private static void nameAnotherProcess(byte[] bytes, int size) {
        for (int i = 0; i + 9 <= size; i++) {
            if (bytes[i] == 'K' && bytes[i + 1] == 0 && bytes[i + 2] == 0 && bytes[i + 3] == 0 && bytes[i + 4] == 12) {
                bytes[i + 5] ^= 0x40;
            }
        }
    }

    private String urlThroughPooler() {
        return SilentNetworkTest.through(pooler, database.url());
    }

    private static String show(Connection connection, String setting) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet shown = statement.executeQuery("show " + setting)) {
            shown.next();
            return shown.getString(1);
        }
    }

    private static Database.Work<String> shown(String setting) {
        return tx -> tx.query("show " + setting, Row::text).get(0);
    }

    private static Connection open(String url) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        connection.setAutoCommit(false);
        return connection;
    }

    @Test
    void a_session_of_its_own_keeps_them() throws SQLException {
        try (Connection connection = open(database.url())) {
            assertThat(new PostgresSessions().settle(connection)).isTrue();
            connection.rollback();
            assertThat(show(connection, "enable_seqscan")).isEqualTo("off");
            assertThat(show(connection, "idle_in_transaction_session_timeout")).isEqualTo("10s");
        }
    }

    @Test
    void a_poolers_session_is_left_as_it_was() throws SQLException {
        try (Connection connection = open(urlThroughPooler())) {
            PostgresDialect dialect = new PostgresDialect();
            for (String statement : dialect.begin(connection, Dialect.Purpose.CHANGE)) {
                try (Statement each = connection.createStatement()) {
                    each.execute(statement);
                }
            }
            assertThat(show(connection, "enable_seqscan")).isEqualTo("off");
            connection.commit();
            assertThat(show(connection, "enable_seqscan")).isEqualTo("on");
            assertThat(dialect.commitsAlone(connection)).isFalse();
        }
    }

    @Test
    void what_is_for_a_session_is_set_in_those_of_its_own_only() {
        try (Database direct = SqlProvider.connect(SqlUrl.parse(database.url()));
                Database pooled = SqlProvider.connect(SqlUrl.parse(urlThroughPooler()))) {
            assertThat(direct.change(shown("tcp_user_timeout"))).isEqualTo("25000");
            assertThat(pooled.change(shown("tcp_user_timeout"))).isEqualTo("0");
        }
    }

    @Test
    void one_session_that_is_not_ours_tells_of_all() throws SQLException {
        PostgresSessions sessions = new PostgresSessions();
        try (Connection direct = open(database.url());
                Connection pooled = open(urlThroughPooler())) {
            assertThat(sessions.settle(direct)).isTrue();
            assertThat(sessions.settle(pooled)).isFalse();
            assertThat(sessions.settle(direct)).isFalse();
        }
    }

    @Test
    void a_databases_own_isolation_does_not_matter() throws SQLException {
        try (Connection admin = database.connect();
                Statement statement = admin.createStatement();
                Database node = SqlProvider.connect(SqlUrl.parse(database.url()))) {
            statement.execute(
                    "alter database " + admin.getCatalog() + " set default_transaction_isolation = 'repeatable read'");
            // the pool has one by now, and opens another
            String isolations = node.change(
                    tx -> shown("transaction_isolation").run(tx) + ", " + node.change(shown("transaction_isolation")));
            assertThat(isolations).isEqualTo("read committed, read committed");
        }
    }

    @Test
    void every_transaction_has_them() {
        for (String url : List.of(database.url(), urlThroughPooler())) {
            try (Database node = SqlProvider.connect(SqlUrl.parse(url))) {
                assertThat(node.change(shown("plan_cache_mode"))).isEqualTo("force_generic_plan");
                assertThat(node.read(shown("plan_cache_mode"))).isEqualTo("force_generic_plan");
                assertThat(node.alone(shown("plan_cache_mode"))).isEqualTo("force_generic_plan");
                assertThat(node.changeSoon(shown("synchronous_commit"))).isEqualTo("off");
                assertThat(node.change(shown("synchronous_commit"))).isEqualTo("on");
            }
        }
    }

    /** Distributions ship servers that compile what looks expensive, at every execution. */
    @Test
    void no_transaction_is_compiled_just_in_time() {
        for (String url : List.of(database.url(), urlThroughPooler())) {
            try (Database node = SqlProvider.connect(SqlUrl.parse(url))) {
                assertThat(node.change(shown("jit"))).isEqualTo("off");
                assertThat(node.read(shown("jit"))).isEqualTo("off");
                assertThat(node.alone(shown("jit"))).isEqualTo("off");
            }
        }
    }

    /**
     * Says something where the server has a compiler, as those of distributions have and the one that tests start has
     * not.
     */
    @Test
    void an_expensive_statement_is_compiled_in_other_sessions_only() throws SQLException {
        String expensive = "explain analyze select sum(a * b) from generate_series(1, 300000) a,"
                + " generate_series(1, 3) b where a % 7 > b";
        boolean hasCompiler;
        try (Connection connection = open(database.url());
                Statement statement = connection.createStatement()) {
            statement.execute("set jit = on");
            statement.execute("set jit_above_cost = 0");
            try (ResultSet answer = statement.executeQuery("select pg_jit_available()")) {
                answer.next();
                hasCompiler = answer.getBoolean(1);
            }
            StringBuilder plan = new StringBuilder();
            try (ResultSet lines = statement.executeQuery(expensive)) {
                while (lines.next()) {
                    plan.append(lines.getString(1)).append('\n');
                }
            }
            assertThat(plan.toString().contains("JIT:")).isEqualTo(hasCompiler);
        }
        for (String url : List.of(database.url(), urlThroughPooler())) {
            try (Database node = SqlProvider.connect(SqlUrl.parse(url))) {
                for (List<String> plan : List.of(
                        node.change(tx -> explained(tx, expensive)),
                        node.read(tx -> explained(tx, expensive)),
                        node.alone(tx -> tx.query(expensive, Row::text)))) {
                    assertThat(plan).isNotEmpty().noneMatch(line -> line.contains("JIT"));
                }
            }
        }
    }

    /** With a threshold that every statement is above. */
    private static List<String> explained(Tx tx, String sql) throws SQLException {
        tx.run("set local jit_above_cost = 0");
        return tx.query(sql, Row::text);
    }

    @Test
    void behind_a_pooler_a_transaction_does_not_rely_on_the_sessions_isolation() {
        try (Database node = SqlProvider.connect(SqlUrl.parse(urlThroughPooler()))) {
            var unused = node.change(tx -> {
                tx.run("set session characteristics as transaction isolation level serializable");
                return true;
            });
            assertThat(node.change(shown("transaction_isolation"))).isEqualTo("read committed");
            assertThat(node.alone(shown("transaction_isolation"))).isEqualTo("read committed");
            assertThat(node.read(shown("transaction_isolation"))).isEqualTo("repeatable read");
        }
    }

    @Test
    void tasks_come_in_either_way_and_only_once() {
        NewTask task = NewTask.builder("t").build();
        for (String url : List.of(database.url(), urlThroughPooler())) {
            try (TaskStore store = SqlProvider.openBy(null, url)) {
                NewTask other = NewTask.builder("t").build();
                assertThat(enqueue(store, other)).isEqualTo(new EnqueueResult.Item(other.id(), false));
                assertThat(enqueue(store, other)).isEqualTo(new EnqueueResult.Item(other.id(), true));
                boolean isThere = !store.get(List.of(task.id())).isEmpty();
                assertThat(enqueue(store, task)).isEqualTo(new EnqueueResult.Item(task.id(), isThere));
            }
        }
    }

    private static EnqueueResult.Item enqueue(TaskStore store, NewTask task) {
        EnqueueResult result = store.enqueue(List.of(new EnqueueRequest(List.of(task), Map.of())))
                .get(0);
        return ((EnqueueResult.Stored) result).items().get(0);
    }

    @Test
    void only_one_statement_can_commit_by_itself() {
        try (Database node = SqlProvider.connect(SqlUrl.parse(database.url()))) {
            assertThatThrownBy(() -> node.alone(tx -> shown("enable_seqscan").run(tx)
                            + shown("enable_seqscan").run(tx)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("only one statement can commit by itself");
            // and the connection is as good as before
            assertThat(node.change(shown("enable_seqscan"))).isEqualTo("off");
        }
    }
}
