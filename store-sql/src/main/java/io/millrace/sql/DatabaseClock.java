package io.millrace.sql;

import io.millrace.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time of the database, without asking it every time: this node's own clock is never read, only how much time has
 * passed since the database was asked last.
 */
final class DatabaseClock implements InstantSource, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DatabaseClock.class);
    private static final Duration EVERY = Duration.ofSeconds(10);

    private final Database database;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(DatabaseClock::daemon);
    private volatile Reading last;

    private record Reading(long millis, long nanos) {
        long now() {
            return millis + (System.nanoTime() - nanos) / 1_000_000;
        }
    }

    DatabaseClock(Database database) {
        this.database = database;
        last = read();
        var unused =
                thread.scheduleWithFixedDelay(this::readAgain, EVERY.toSeconds(), EVERY.toSeconds(), TimeUnit.SECONDS);
    }

    private static Thread daemon(Runnable action) {
        Thread thread = new Thread(action, "millrace-sql-clock");
        thread.setDaemon(true);
        return thread;
    }

    private Reading read() {
        return database.read(tx -> {
            // the first statement of a transaction may have to open it
            var unused = tx.query(database.dialect().now(), Row::number);
            long before = System.nanoTime();
            long millis = tx.query(database.dialect().now(), Row::number).get(0);
            return new Reading(millis, before + (System.nanoTime() - before) / 2);
        });
    }

    private void readAgain() {
        try {
            last = read();
        } catch (StoreUnavailableException e) {
            log.debug("The database's time could not be read; it is tried again in {}", EVERY, e);
        }
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(last.now());
    }

    @Override
    public long millis() {
        return last.now();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
