package io.millrace.sql;

import com.zaxxer.hikari.HikariConfig;
import io.millrace.spi.EngineClock;
import io.millrace.spi.StoreProvider;
import io.millrace.spi.TaskStore;
import java.time.InstantSource;

/** Opens {@code jdbc:postgresql:…} and {@code jdbc:mariadb:…}. */
public final class SqlProvider implements StoreProvider {
    private static final String POSTGRES = "jdbc:postgresql:";
    private static final String MARIADB = "jdbc:mariadb:";

    @Override
    public boolean accepts(String url) {
        return url.startsWith(POSTGRES) || url.startsWith(MARIADB);
    }

    @Override
    public TaskStore open(String url, EngineClock clock) {
        return openAt(url, clock);
    }

    static TaskStore openAt(String url, InstantSource clock) {
        HikariConfig settings = new HikariConfig();
        settings.setJdbcUrl(url);
        settings.setMaximumPoolSize(10);
        settings.setMinimumIdle(1);
        settings.setConnectionTimeout(10_000);
        Dialect dialect = url.startsWith(POSTGRES) ? new PostgresDialect() : new MariaDbDialect();
        Database database = new Database(settings, dialect, "millrace_");
        new Schema(database).migrate();
        return new SqlStore(database, clock);
    }
}
