package io.millrace.benchmarks.sql;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.benchmarks.sql.RawTable.Claimed;
import io.millrace.testkit.servers.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * The least that a queue in a database has to do, as the reference for all others: a table, claims that skip what others have
 * locked, and no state machine.
 */
public final class RawQueue implements SqlQueue {
    private static final int BATCH = 1000;

    private final RawTable table;
    private final HikariDataSource pool;
    private final int workers;

    private RawQueue(RawTable table, String url, int connections, int workers) throws SQLException {
        this.table = table;
        this.workers = workers;
        pool = Pools.open(url, connections, table.driverOptions());
        try (Connection connection = pool.getConnection()) {
            table.create(connection);
        }
    }

    /** One that keeps nothing of a finished task. */
    public static RawQueue open(DatabaseProduct product, String url, int connections, int workers) throws SQLException {
        RawTable table = switch (product) {
            case POSTGRES -> new PostgresTable();
            case MARIADB -> MariaDbTable.NARROW;
        };
        return new RawQueue(table, url, connections, workers);
    }

    /** One in MariaDB with all about a task in one row, which stays. */
    public static RawQueue openWide(String url, int connections, int workers) throws SQLException {
        return new RawQueue(MariaDbTable.WIDE, url, connections, workers);
    }

    @Override
    public void enqueue(byte[] payload) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            table.insert(connection, payload);
        }
    }

    @Override
    public void enqueueAll(List<byte[]> payloads) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            for (int from = 0; from < payloads.size(); from += BATCH) {
                table.insertAll(connection, payloads.subList(from, Math.min(from + BATCH, payloads.size())));
            }
        }
    }

    @Override
    public Duration drain(int tasks, Consumer<byte[]> handler) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(workers);
        try {
            long start = System.nanoTime();
            List<Future<Integer>> ends = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                ends.add(threads.submit(() -> work(handler)));
            }
            int handled = 0;
            for (Future<Integer> end : ends) {
                handled += end.get();
            }
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            if (handled != tasks) {
                throw new IllegalStateException("Handled " + handled + " tasks of " + tasks);
            }
            return took;
        } finally {
            threads.shutdownNow();
        }
    }

    private int work(Consumer<byte[]> handler) throws SQLException {
        int handled = 0;
        try (Connection connection = pool.getConnection()) {
            while (true) {
                List<Claimed> batch = table.claim(connection, BATCH);
                if (batch.isEmpty()) {
                    return handled;
                }
                batch.forEach(task -> handler.accept(task.payload()));
                table.finish(connection, batch);
                handled += batch.size();
            }
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
