package io.millrace.benchmarks.sql;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A table in PostgreSQL that keeps nothing of a finished task. Every step is one statement, which commits by itself. */
final class PostgresTable implements RawTable {
    @Override
    public void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("""
                    create table task(
                        id bigint generated always as identity primary key,
                        claimed boolean not null default false,
                        payload bytea not null) with (fillfactor = 50)
                    """);
        }
    }

    @Override
    public void insert(Connection connection, byte[] payload) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into task(payload) values (?)")) {
            insert.setBytes(1, payload);
            insert.executeUpdate();
        }
    }

    @Override
    public void insertAll(Connection connection, List<byte[]> payloads) throws SQLException {
        Array all = connection.createArrayOf("bytea", payloads.toArray(byte[][]::new));
        try (PreparedStatement insert = connection.prepareStatement("insert into task(payload) select unnest(?)")) {
            insert.setArray(1, all);
            insert.executeUpdate();
        }
    }

    @Override
    public List<Claimed> claim(Connection connection, int limit) throws SQLException {
        // The array makes it look up the rows by their keys, whatever the statistics say.
        String sql = """
                update task set claimed = true where id = any(array(
                    select id from task where not claimed order by id limit ? for update skip locked))
                returning id, payload
                """;
        List<Claimed> claimed = new ArrayList<>(limit);
        try (PreparedStatement claim = connection.prepareStatement(sql)) {
            claim.setInt(1, limit);
            try (ResultSet rows = claim.executeQuery()) {
                while (rows.next()) {
                    claimed.add(new Claimed(rows.getLong(1), rows.getBytes(2)));
                }
            }
        }
        return claimed;
    }

    @Override
    public void finish(Connection connection, List<Claimed> tasks) throws SQLException {
        Array ids = connection.createArrayOf(
                "bigint", tasks.stream().map(Claimed::id).toArray());
        try (PreparedStatement delete = connection.prepareStatement("delete from task where id = any(?)")) {
            delete.setArray(1, ids);
            delete.executeUpdate();
        }
    }
}
