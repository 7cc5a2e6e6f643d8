package io.millrace.testkit.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OwnServerTest {
    @ParameterizedTest
    @EnumSource
    void what_was_committed_and_nothing_else_is_there_after_kill_and_start(DatabaseProduct product)
            throws SQLException {
        try (OwnServer server = product.startOwn();
                TestDatabase database = server.newDatabase()) {
            Rows.create(database);
            for (int round = 0; round < 3; round++) {
                Rows.insert(database, round);
                Connection connection = database.connect();
                connection.setAutoCommit(false);
                connection.createStatement().executeUpdate("insert into numbers values (100)");
                server.kill();
                assertThat(server.isRunning()).isFalse();
                assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
                assertThatThrownBy(database::connect).isInstanceOf(SQLException.class);
                server.start();
                assertThat(server.isRunning()).isTrue();
            }
            assertThat(Rows.read(database)).containsExactly(0L, 1L, 2L);
        }
    }

    @ParameterizedTest
    @EnumSource
    void it_stops_although_somebody_is_connected_and_starts_again(DatabaseProduct product) throws SQLException {
        try (OwnServer server = product.startOwn();
                TestDatabase database = server.newDatabase()) {
            Rows.create(database);
            Rows.insert(database, 1);
            Connection connection = database.connect();
            server.stop();
            server.stop();
            assertThat(server.isRunning()).isFalse();
            assertThat(connection.isValid(1)).isFalse();
            server.start();
            server.start();
            assertThat(Rows.read(database)).containsExactly(1L);
        }
    }

    @ParameterizedTest
    @EnumSource
    void nothing_is_left_of_a_closed_server(DatabaseProduct product) throws SQLException {
        OwnServer server = product.startOwn();
        Path data = dataDirectory(product, server);
        assertThat(data).exists();
        server.close();
        assertThat(server.isRunning()).isFalse();
        assertThat(data.getParent()).doesNotExist();
        server.close();
    }

    @ParameterizedTest
    @EnumSource
    void nothing_is_left_of_a_killed_and_closed_server(DatabaseProduct product) throws Exception {
        OwnServer server = product.startOwn();
        Path data = dataDirectory(product, server);
        assertThat(processesOf(data)).isNotEmpty();
        TestDatabase database = server.newDatabase();
        server.kill();
        database.close();
        server.close();
        assertThat(processesOf(data)).isEmpty();
        assertThat(data.getParent()).doesNotExist();
    }

    @ParameterizedTest
    @EnumSource
    void a_server_that_does_not_start_says_why(DatabaseProduct product) {
        assertThatThrownBy(() -> product.startOwn("nosuchsetting=1"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(product.program().name())
                .hasMessageContaining("nosuchsetting");
    }

    @ParameterizedTest
    @EnumSource
    void a_port_that_is_taken_is_not_used(DatabaseProduct product) throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            int free = FreePort.pick();
            Iterator<Integer> ports = List.of(taken.getLocalPort(), free).iterator();
            try (OwnServer server = OwnServer.start(product.program(), List.of(), ports::next)) {
                assertThat(server.port()).isEqualTo(free);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_commit_is_on_disk(DatabaseProduct product) throws SQLException {
        String query = switch (product) {
            case POSTGRES -> "select setting from pg_settings where name in ('fsync', 'synchronous_commit')";
            case MARIADB -> "show variables like 'innodb_flush_log_at_trx_commit'";
        };
        try (TestDatabase database = product.newDatabase()) {
            assertThat(Rows.query(database, query)).isNotEmpty().allMatch(List.of("on", "1")::contains);
        }
    }

    @Test
    void settings_can_be_given() throws SQLException {
        try (OwnServer server = DatabaseProduct.POSTGRES.startOwn("max_connections=17");
                TestDatabase database = server.newDatabase()) {
            assertThat(Rows.query(database, "show max_connections")).containsExactly("17");
        }
        try (OwnServer server = DatabaseProduct.MARIADB.startOwn("max-connections=17");
                TestDatabase database = server.newDatabase()) {
            assertThat(Rows.query(database, "show variables like 'max_connections'"))
                    .containsExactly("17");
        }
    }

    static Path dataDirectory(DatabaseProduct product, OwnServer server) throws SQLException {
        try (TestDatabase database = server.newDatabase()) {
            String query = switch (product) {
                case POSTGRES -> "show data_directory";
                case MARIADB -> "select @@datadir";
            };
            return Path.of(Rows.query(database, query).get(0));
        }
    }

    /** Of all processes that have the directory as their own. */
    private static List<String> processesOf(Path data) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.map(process -> process.resolve("cwd"))
                    .filter(link -> {
                        try {
                            return Files.readSymbolicLink(link).equals(data);
                        } catch (IOException e) {
                            return false;
                        }
                    })
                    .map(Path::toString)
                    .toList();
        }
    }
}
