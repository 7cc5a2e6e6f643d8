package io.millrace.sql;

import com.zaxxer.hikari.HikariConfig;
import io.millrace.testkit.servers.TestDatabase;
import java.util.ArrayList;
import java.util.List;

/** Several stores over one database, each with connections and knowledge of its own, as on several nodes. */
final class Nodes implements AutoCloseable {
    private final List<Database> databases = new ArrayList<>();
    private final List<SqlStore> stores = new ArrayList<>();

    Nodes(TestDatabase over, int count) {
        for (int i = 0; i < count; i++) {
            Database database = connect(over.url(), 8);
            new Schema(database).migrate();
            databases.add(database);
            stores.add(new SqlStore(database, new DatabaseClock(database), over.url()));
        }
    }

    static Database connect(String url, int connections) {
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(connections);
        pool.setMinimumIdle(1);
        Dialect dialect = url.startsWith("jdbc:postgresql:") ? new PostgresDialect() : new MariaDbDialect();
        return new Database(pool, dialect, SqlUrl.DEFAULT_TABLES);
    }

    SqlStore store(int number) {
        return stores.get(number % stores.size());
    }

    /** How many transactions were tried again. */
    long conflicts() {
        return databases.stream().mapToLong(Database::conflicts).sum();
    }

    @Override
    public void close() {
        stores.forEach(SqlStore::close);
    }
}
