package io.millrace.sql;

import com.zaxxer.hikari.HikariConfig;
import io.millrace.InvalidValueException;
import io.millrace.StoreUnavailableException;
import io.millrace.spi.EngineClock;
import io.millrace.spi.StoreProvider;
import io.millrace.spi.TaskStore;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Opens {@code jdbc:postgresql:…} and {@code jdbc:mariadb:…}. */
public final class SqlProvider implements StoreProvider {
    private static final String MARIADB = "jdbc:mariadb:";
    /** How long a call waits for a connection before it fails. */
    private static final long PATIENCE = 5_000;

    @Override
    public boolean accepts(String url) {
        return SqlUrl.isPostgres(url) || url.startsWith(MARIADB);
    }

    /** The clock is not used: the database's own rules. So one that a test wants to set would have no effect. */
    @Override
    public TaskStore open(String url, EngineClock clock) {
        if (clock.isSettable()) {
            throw new InvalidValueException(
                    "clock",
                    clock,
                    "the time of a database cannot be set: use heap: or embedded: in tests that move the clock");
        }
        return openBy(null, url);
    }

    /** @param clock for tests; null for the database's own */
    static TaskStore openBy(@Nullable InstantSource clock, String url) {
        SqlUrl settings = SqlUrl.parse(url);
        Database database = connect(settings);
        try {
            new Schema(database).migrate();
            return new SqlStore(database, clock == null ? new DatabaseClock(database) : clock, settings.jdbc());
        } catch (RuntimeException | Error e) {
            database.close();
            throw e;
        }
    }

    static Database connect(SqlUrl settings) {
        Dialect dialect = SqlUrl.isPostgres(settings.jdbc()) ? new PostgresDialect() : new MariaDbDialect();
        HikariConfig pool = new HikariConfig();
        pool.setPoolName("millrace");
        pool.setJdbcUrl(settings.jdbc());
        pool.setMaximumPoolSize(settings.connections());
        pool.setMinimumIdle(1);
        pool.setConnectionTimeout(PATIENCE);
        try {
            return new Database(pool, dialect, settings.tables());
        } catch (RuntimeException e) {
            // the URL may hold a password
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new StoreUnavailableException("the database cannot be reached: " + cause.getMessage(), e);
        }
    }
}
