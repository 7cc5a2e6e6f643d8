package io.millrace.sql;

import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.OwnServer;
import io.millrace.testkit.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Databases on one server, each of one test at a time: to empty one is much faster than to create it. */
final class Databases implements AutoCloseable {
    private static final List<String> TABLES = List.of(
            "lane",
            "task",
            "claimed",
            "lease",
            "aside",
            "finished",
            "attempt",
            "unique_key",
            "tally",
            "worker",
            "record");

    private final OwnServer server;
    private final Queue<TestDatabase> idle = new ConcurrentLinkedQueue<>();

    /** The server need not survive anything, so it does not wait for the disk. */
    Databases(DatabaseProduct product) {
        server = product == DatabaseProduct.POSTGRES
                ? product.startOwn("fsync=off", "full_page_writes=off")
                : product.startOwn("innodb_flush_log_at_trx_commit=0");
    }

    TestDatabase take() {
        TestDatabase free = idle.poll();
        return free == null ? server.newDatabase() : free;
    }

    void giveBack(TestDatabase database) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (String table : TABLES) {
                statement.executeUpdate("delete from millrace_" + table);
            }
            connection.commit();
            idle.add(database);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
