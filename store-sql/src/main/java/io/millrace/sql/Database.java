package io.millrace.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.StoreUnavailableException;
import io.millrace.sql.Dialect.Purpose;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** A database: connections, and transactions that are tried again where that is safe. */
final class Database implements AutoCloseable {
    private static final int TRIES = 20;
    /** No new try after that: somebody waits for the answer. */
    private static final Duration TRYING = Duration.ofSeconds(15);

    private final HikariDataSource pool;
    private final Dialect dialect;
    private final String prefix;
    private final LongAdder conflicts = new LongAdder();

    Database(HikariConfig settings, Dialect dialect, String prefix) {
        this.dialect = dialect;
        this.prefix = prefix;
        settings.setAutoCommit(false);
        dialect.configure(settings);
        pool = new HikariDataSource(settings);
    }

    Dialect dialect() {
        return dialect;
    }

    String prefix() {
        return prefix;
    }

    /** How many transactions were tried again because others were in the way. */
    long conflicts() {
        return conflicts.sum();
    }

    /** What is done in a transaction. It may be done several times, and only the last counts. */
    interface Work<T> {
        T run(Tx tx) throws SQLException;
    }

    /** Changes something. Each statement sees what was committed before it began. */
    <T> T change(Work<T> work) {
        return run(Purpose.CHANGE, work);
    }

    /**
     * Changes something, like {@link #change}, but nobody waits until it is safe: if the database's machine fails now, this
     * may be as if it had never been. What is changed later is never kept without it.
     */
    <T> T changeSoon(Work<T> work) {
        return run(Purpose.CHANGE_SOON, work);
    }

    /** Does a part of somebody else's transaction. What goes wrong there cannot be tried again. */
    <T> T changeIn(Connection transaction, Work<T> work) {
        try {
            Tx tx = new Tx(transaction, dialect, prefix, 1, Tx.Mode.ONE_BY_ONE);
            T result = work.run(tx);
            tx.send();
            return result;
        } catch (SQLException e) {
            throw unavailable(e);
        }
    }

    /** Reads; all statements see the same moment. */
    <T> T read(Work<T> work) {
        return run(Purpose.READ, work);
    }

    /** Reads or changes something by one statement, which is a transaction by itself where that is cheaper. */
    <T> T alone(Work<T> work) {
        return run(Purpose.ONE_STATEMENT, work);
    }

    private <T> T run(Purpose purpose, Work<T> work) {
        long start = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            try (Connection connection = pool.getConnection()) {
                return onceOrEvict(connection, purpose, attempt, work);
            } catch (SQLException e) {
                boolean again = dialect.isConflict(e) || dialect.isDuplicate(e);
                boolean late = attempt > 1 && System.nanoTime() - start > TRYING.toNanos();
                if (!again || late || attempt == TRIES) {
                    throw unavailable(e);
                }
                conflicts.increment();
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1_000_000L * attempt));
            }
        }
    }

    private <T> T onceOrEvict(Connection connection, Purpose purpose, int attempt, Work<T> work) throws SQLException {
        try {
            return purpose == Purpose.ONE_STATEMENT && dialect.commitsAlone(connection)
                    ? onceAlone(connection, attempt, work)
                    : once(connection, purpose, attempt, work);
        } catch (SQLException e) {
            // Another server has taken over, and the next connection may lead there. Or the driver has lost this
            // one, and has connected again by itself, to any of the servers.
            if (dialect.isReadOnly(e) || e instanceof SQLTransientConnectionException) {
                pool.evictConnection(connection);
            }
            throw e;
        }
    }

    /** The pool sets the connection back. */
    private <T> T onceAlone(Connection connection, int attempt, Work<T> work) throws SQLException {
        connection.setAutoCommit(true);
        Tx tx = new Tx(connection, dialect, prefix, attempt, Tx.Mode.ALONE);
        T result = work.run(tx);
        tx.commit();
        return result;
    }

    private <T> T once(Connection connection, Purpose purpose, int attempt, Work<T> work) throws SQLException {
        boolean done = false;
        try {
            Tx tx = new Tx(connection, dialect, prefix, attempt, Tx.Mode.TOGETHER);
            for (String statement : dialect.begin(connection, purpose)) {
                tx.run(statement);
            }
            T result = work.run(tx);
            tx.commit();
            done = true;
            return result;
        } finally {
            if (!done) {
                rollBack(connection);
            }
        }
    }

    private static void rollBack(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            // the pool notices that the connection is broken; what broke it is on its way to the caller
        }
    }

    private static RuntimeException unavailable(SQLException e) {
        return new StoreUnavailableException("the database answers: " + e.getMessage(), e);
    }

    @Override
    public void close() {
        pool.close();
    }
}
