package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Millrace;
import io.millrace.NewTask;
import io.millrace.testkit.environment.Relay;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PostgresIdsTest {
    private static final UUID ONE = UUID.fromString("0195a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b");
    private static final UUID OTHER = UUID.fromString("ffffffff-ffff-ffff-ffff-fffffffffffe");

    private volatile boolean isSentAsText;

    private boolean passes(boolean toServer, byte[] bytes, int size) {
        isSentAsText |= toServer && new String(bytes, 0, size, StandardCharsets.ISO_8859_1).contains(ONE.toString());
        return true;
    }

    @Test
    void ids_go_as_bytes_with_the_settings() throws Exception {
        checkArrival(PostgresIds.DRIVER_SETTINGS);
        assertThat(isSentAsText).isFalse();
    }

    @Test
    void ids_go_as_text_on_a_connection_without_the_settings() throws Exception {
        checkArrival(Map.of());
        assertThat(isSentAsText).isTrue();
    }

    @Test
    void a_node_works_on_connections_that_send_everything_as_text() throws Exception {
        try (TestDatabase database = DatabaseProduct.POSTGRES.newDatabase();
                Millrace millrace = Millrace.open(database.url() + "&preferQueryMode=simple")) {
            CountDownLatch done = new CountDownLatch(3);
            millrace.handle("t", (payload, context) -> done.countDown());
            millrace.enqueue(Collections.nCopies(3, 0).stream()
                    .map(any -> NewTask.builder("t").build())
                    .toList());
            assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    private void checkArrival(Map<String, String> settings) throws Exception {
        Properties properties = new Properties();
        properties.putAll(settings);
        try (TestDatabase database = DatabaseProduct.POSTGRES.newDatabase();
                Relay relay = new Relay(SilentNetworkTest.port(database.url()), this::passes);
                Connection connection =
                        DriverManager.getConnection(SilentNetworkTest.through(relay, database.url()), properties)) {
            assertThat(arrived(connection, ONE, null, OTHER)).containsExactly(ONE, null, OTHER);
            assertThat(arrived(connection)).isEmpty();
        }
    }

    private static List<@Nullable UUID> arrived(Connection connection, @Nullable UUID... ids) throws SQLException {
        List<@Nullable UUID> arrived = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement("select unnest(?::uuid[])")) {
            statement.setObject(1, new PostgresIds(Arrays.copyOf(ids, ids.length, Object[].class)));
            try (ResultSet results = statement.executeQuery()) {
                while (results.next()) {
                    arrived.add(results.getObject(1, UUID.class));
                }
            }
        }
        return arrived;
    }
}
