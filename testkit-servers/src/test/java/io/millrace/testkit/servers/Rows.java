package io.millrace.testkit.servers;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A table of numbers. */
final class Rows {
    private Rows() {}

    static void create(TestDatabase database) throws SQLException {
        execute(database, "create table numbers(number bigint primary key)");
    }

    static void insert(TestDatabase database, long number) throws SQLException {
        execute(database, "insert into numbers values (" + number + ")");
    }

    static List<Long> read(TestDatabase database) throws SQLException {
        return query(database, "select number from numbers order by number").stream()
                .map(Long::valueOf)
                .toList();
    }

    static void execute(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The last column of all rows. */
    static List<String> query(TestDatabase database, String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                values.add(rows.getString(rows.getMetaData().getColumnCount()));
            }
        }
        return values;
    }
}
