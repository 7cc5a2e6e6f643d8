package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.testkit.environment.Relay;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.OwnServer;
import io.millrace.testkit.servers.ServerPair;
import io.millrace.testkit.servers.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The database is somewhere else from now on. */
@Tag("slow")
class FailoverTest {
    private static Relay relayTo(TestDatabase database) throws Exception {
        return new Relay(SilentNetworkTest.port(database.url()), (toServer, bytes, size) -> true);
    }

    private static String through(int first, int second, String url) {
        String both = url.replaceFirst("//[^/]+/", "//127.0.0.1:" + first + ",127.0.0.1:" + second + "/");
        return SqlUrl.isPostgres(url)
                ? both + "&targetServerType=primary"
                : both.replace("jdbc:mariadb:", "jdbc:mariadb:sequential:");
    }

    @ParameterizedTest
    @EnumSource
    void a_node_goes_on_at_the_next_address_when_the_first_is_gone(DatabaseProduct product) throws Exception {
        try (TestDatabase database = product.newDatabase();
                Relay first = relayTo(database);
                Relay second = relayTo(database);
                SteadyCaller caller = new SteadyCaller(through(first.port(), second.port(), database.url()))) {
            caller.awaitProgress();
            first.close();
            caller.awaitProgress();
            caller.endAndCheck();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_node_goes_on_at_a_replica_that_has_taken_over(DatabaseProduct product) throws Exception {
        try (ServerPair servers = product.startPair();
                TestDatabase database = servers.primary().newDatabase();
                SteadyCaller caller = new SteadyCaller(
                        through(servers.primary().port(), servers.replica().port(), asUser(database)))) {
            caller.awaitProgress();
            servers.primary().kill();
            caller.awaitFailure();
            servers.promoteReplica();
            caller.awaitProgress();
            caller.endAndCheck();
        }
    }

    /** A name may still lead to the old server when another has taken over, and connections to it may still be open. */
    @ParameterizedTest
    @EnumSource
    void connections_to_a_server_that_only_reads_are_given_up(DatabaseProduct product) throws Exception {
        try (OwnServer server = product.startOwn();
                TestDatabase database = server.newDatabase();
                SteadyCaller caller = new SteadyCaller(asUser(database))) {
            caller.awaitProgress();
            Set<Integer> before = connections(database);
            assertThat(before).isNotEmpty();
            setReadOnly(database, true);
            caller.awaitFailure();
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> !connections(database).containsAll(before));
            setReadOnly(database, false);
            caller.awaitProgress();
            caller.endAndCheck();
        }
    }

    /** MariaDB lets its administrators write whatever is set. */
    private static String asUser(TestDatabase database) throws SQLException {
        if (SqlUrl.isPostgres(database.url())) {
            return database.url();
        }
        execute(database, "create user 'app'@'%' identified by 'secret'", "grant all on *.* to 'app'@'%'");
        execute(database, "revoke read_only admin, super on *.* from 'app'@'%'");
        return database.url()
                .replaceFirst("user=[^&]*", "user=app")
                .replaceFirst("&password=[^&]*", "")
                .concat("&password=secret");
    }

    private static void setReadOnly(TestDatabase database, boolean readOnly) throws SQLException {
        if (SqlUrl.isPostgres(database.url())) {
            execute(
                    database,
                    "alter system set default_transaction_read_only = " + readOnly,
                    "select pg_reload_conf()");
        } else {
            execute(database, "set global read_only = " + readOnly);
        }
    }

    private static void execute(TestDatabase database, String... statements) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static Set<Integer> connections(TestDatabase database) throws SQLException {
        String sql = SqlUrl.isPostgres(database.url())
                ? "select pid from pg_stat_activity where datname = current_database() and query not like 'listen%'"
                        + " and backend_type = 'client backend' and pid <> pg_backend_pid()"
                : "select id from information_schema.processlist where user = 'app'";
        Set<Integer> ids = new HashSet<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet results = statement.executeQuery(sql)) {
            while (results.next()) {
                ids.add(results.getInt(1));
            }
        }
        return ids;
    }
}
