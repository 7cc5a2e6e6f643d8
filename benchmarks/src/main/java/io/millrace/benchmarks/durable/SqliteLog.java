package io.millrace.benchmarks.durable;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;

/** A table in SQLite, in WAL mode with a sync per commit; one thread writes, a transaction for all that wait. */
public final class SqliteLog implements DurableLog {
    private static final Request LAST = new Request(List.of());

    private final String url;
    private final Connection connection;
    private final LinkedBlockingQueue<Request> waiting = new LinkedBlockingQueue<>();
    private final Thread writer = new Thread(this::write, "sqlite-writer");

    private static final class Request {
        final List<byte[]> records;
        final CompletableFuture<Void> durable = new CompletableFuture<>();

        Request(List<byte[]> records) {
            this.records = records;
        }
    }

    public SqliteLog(Path file) throws IOException {
        url = "jdbc:sqlite:" + file;
        try {
            connection = DriverManager.getConnection(url);
            try (Statement statement = connection.createStatement()) {
                statement.execute("pragma journal_mode = wal");
                statement.execute("pragma synchronous = full");
                statement.execute("create table if not exists tasks(id integer primary key, payload blob not null)");
            }
            connection.setAutoCommit(false);
        } catch (SQLException e) {
            throw new IOException(e);
        }
        writer.start();
    }

    @Override
    public void append(byte[] record) throws IOException {
        appendAll(List.of(record));
    }

    @Override
    public void appendAll(List<byte[]> records) throws IOException {
        Request request = new Request(records);
        waiting.add(request);
        try {
            request.durable.join();
        } catch (CompletionException e) {
            throw new IOException(e.getCause());
        }
    }

    private void write() {
        List<Request> group = new ArrayList<>();
        try (PreparedStatement insert = connection.prepareStatement("insert into tasks(payload) values (?)")) {
            while (!group.contains(LAST)) {
                group.clear();
                group.add(waiting.take());
                waiting.drainTo(group);
                commit(insert, group);
            }
        } catch (SQLException | InterruptedException e) {
            group.addAll(waiting);
            group.forEach(request -> request.durable.completeExceptionally(e));
        }
    }

    private void commit(PreparedStatement insert, List<Request> group) throws SQLException {
        for (Request request : group) {
            for (byte[] record : request.records) {
                insert.setBytes(1, record);
                insert.executeUpdate();
            }
        }
        connection.commit();
        group.forEach(request -> request.durable.complete(null));
    }

    @Override
    public List<byte[]> read() throws IOException {
        List<byte[]> records = new ArrayList<>();
        try (Connection reader = DriverManager.getConnection(url);
                Statement statement = reader.createStatement();
                ResultSet rows = statement.executeQuery("select payload from tasks order by id")) {
            while (rows.next()) {
                records.add(rows.getBytes(1));
            }
        } catch (SQLException e) {
            throw new IOException(e);
        }
        return records;
    }

    @Override
    public void close() throws IOException {
        waiting.add(LAST);
        try {
            writer.join();
            connection.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while closing " + url, e);
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }
}
