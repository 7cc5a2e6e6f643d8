package io.millrace.testkit.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ServerPairTest {
    @ParameterizedTest
    @EnumSource
    void a_replica_that_has_taken_over_has_all_that_was_acknowledged_and_can_be_written_to(DatabaseProduct product)
            throws SQLException {
        try (ServerPair pair = product.startPair();
                TestDatabase database = pair.primary().newDatabase()) {
            Rows.create(database);
            Rows.insert(database, 1);
            Rows.insert(database, 2);
            pair.primary().kill();
            pair.promoteReplica();
            String url = database.url()
                    .replace(
                            ":" + pair.primary().port() + "/",
                            ":" + pair.replica().port() + "/");
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                statement.execute("insert into numbers values (3)");
                ResultSet sum = statement.executeQuery("select sum(number) from numbers");
                sum.next();
                assertThat(sum.getLong(1)).isEqualTo(6);
            }
        }
    }
}
