package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.TaskStore;
import io.millrace.testkit.SettableClock;
import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.TestDatabase;
import io.millrace.testkit.store.DataOfVersion1;
import io.millrace.testkit.store.StoreFixture;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables that earlier versions created and filled. */
class OldSchemaTest {
    private final SettableClock clock = new SettableClock(DataOfVersion1.WRITTEN);

    private static void createVersion1(DatabaseProduct product, TestDatabase database) throws Exception {
        Dialect dialect = product == DatabaseProduct.POSTGRES ? new PostgresDialect() : new MariaDbDialect();
        execute(database, Schema.CREATE_VERSIONS);
        for (String statement : Schema.statements(dialect, 1)) {
            execute(database, statement);
        }
        execute(database, "insert into {p}schema_version (version) values (1)");
        for (String statement : data(dialect.name()).strip().split(";\n", -1)) {
            execute(database, statement);
        }
    }

    private static String data(String product) throws IOException {
        try (InputStream file = OldSchemaTest.class.getResourceAsStream(product + "-1-data.sql")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void execute(TestDatabase database, String text) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(text.replace("{p}", "millrace_"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void tables_of_version_1_are_brought_up_to_date_and_work_goes_on(DatabaseProduct product) throws Exception {
        try (TestDatabase database = product.newDatabase()) {
            createVersion1(product, database);
            try (TaskStore store = SqlProvider.openBy(clock, database.url())) {
                DataOfVersion1.check(store);
            }
            try (TaskStore store = SqlProvider.openBy(clock, database.url())) {
                DataOfVersion1.workOn(store, new Fixture(store));
            }
        }
    }

    /** MariaDB cannot take a change of tables back: what was begun is gone on with. */
    @ParameterizedTest
    @EnumSource
    void a_migration_that_was_cut_off_is_gone_on_with(DatabaseProduct product) throws Exception {
        try (TestDatabase database = product.newDatabase()) {
            createVersion1(product, database);
            execute(database, "alter table {p}lease add column time_to_run bigint");
            try (TaskStore store = SqlProvider.openBy(clock, database.url())) {
                DataOfVersion1.check(store);
            }
            assertThat(Schema.VERSION).isGreaterThan(1);
        }
    }

    private final class Fixture implements StoreFixture {
        private final TaskStore store;

        Fixture(TaskStore store) {
            this.store = store;
        }

        @Override
        public TaskStore store() {
            return store;
        }

        @Override
        public void advance(Duration time) {
            clock.advance(time);
        }

        @Override
        public void close() {}
    }
}
