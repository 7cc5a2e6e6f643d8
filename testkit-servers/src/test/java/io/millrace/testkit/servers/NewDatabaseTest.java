package io.millrace.testkit.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NewDatabaseTest {
    @ParameterizedTest
    @EnumSource
    void databases_of_the_shared_server_know_nothing_of_each_other(DatabaseProduct product) throws SQLException {
        try (TestDatabase one = product.newDatabase();
                TestDatabase other = product.newDatabase()) {
            Rows.create(one);
            Rows.create(other);
            Rows.insert(one, 1);
            assertThat(Rows.read(one)).containsExactly(1L);
            assertThat(Rows.read(other)).isEmpty();
            assertThat(one.url()).contains(one.name()).doesNotContain(other.name());
        }
    }

    @ParameterizedTest
    @EnumSource
    void all_are_on_the_same_server(DatabaseProduct product) {
        List<String> servers = IntStream.range(0, 4)
                .parallel()
                .mapToObj(any -> {
                    try (TestDatabase database = product.newDatabase()) {
                        return database.url().replace(database.name(), "");
                    }
                })
                .distinct()
                .toList();
        assertThat(servers).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void a_closed_database_is_gone_although_somebody_was_in_the_middle_of_a_transaction(DatabaseProduct product)
            throws SQLException {
        TestDatabase database = product.newDatabase();
        Rows.create(database);
        Connection connection = database.connect();
        connection.setAutoCommit(false);
        connection.createStatement().executeUpdate("insert into numbers values (1)");
        database.close();
        assertThatThrownBy(() -> connection.createStatement().executeQuery("select * from numbers"))
                .isInstanceOf(SQLException.class);
        assertThatThrownBy(database::connect).isInstanceOf(SQLException.class);
        database.close();
    }

    @ParameterizedTest
    @EnumSource
    void a_server_that_was_named_is_used_instead_of_a_new_one(DatabaseProduct product) throws SQLException {
        try (TestDatabase given = product.newDatabase();
                TestDatabase database = new SharedServer(product.program(), given.url()).newDatabase()) {
            assertThat(database.url()).isEqualTo(given.url().replace(given.name(), database.name()));
            Rows.create(database);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_named_server_that_is_not_there_is_an_error_with_the_name_of_the_variable(DatabaseProduct product) {
        String url = product.program().adminUrl(FreePort.pick());
        assertThatThrownBy(new SharedServer(product.program(), url)::newDatabase)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(product.program().name())
                .hasMessageContaining("127.0.0.1")
                .hasMessageContaining(product.program().urlVariable())
                .hasMessageNotContaining("password=");
    }

    @ParameterizedTest
    @EnumSource
    void what_is_no_url_is_an_error(DatabaseProduct product) {
        assertThatThrownBy(new SharedServer(product.program(), "localhost")::newDatabase)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("localhost")
                .hasMessageContaining("jdbc:");
    }
}
