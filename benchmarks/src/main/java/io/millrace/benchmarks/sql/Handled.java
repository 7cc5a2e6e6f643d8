package io.millrace.benchmarks.sql;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Counts the tasks that are handed to a handler, and knows when the first one was. */
final class Handled implements Consumer<byte[]> {
    private final Consumer<byte[]> handler;
    private final CountDownLatch left;
    private final AtomicLong firstNanos = new AtomicLong();

    Handled(int tasks, Consumer<byte[]> handler) {
        this.handler = handler;
        left = new CountDownLatch(tasks);
    }

    @Override
    public void accept(byte[] payload) {
        if (firstNanos.get() == 0) {
            firstNanos.compareAndSet(0, System.nanoTime());
        }
        handler.accept(payload);
        left.countDown();
    }

    long firstNanos() {
        return firstNanos.get();
    }

    void await() throws InterruptedException {
        if (!left.await(10, TimeUnit.MINUTES)) {
            throw new IllegalStateException(left.getCount() + " tasks are still not handled after ten minutes");
        }
    }

    /** Waits until all are handled and the query, which looks for one that is not yet done, finds none. */
    void awaitDone(HikariDataSource pool, String query) throws SQLException, InterruptedException {
        await();
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(query)) {
            while (findsAny(statement)) {
                LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
            }
        }
    }

    private static boolean findsAny(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            return rows.next();
        }
    }
}
