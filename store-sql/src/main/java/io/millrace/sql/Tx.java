package io.millrace.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One transaction. In statements {@code {p}} stands for what the tables' names begin with, {@code ?} for a value, and
 * {@code :in} for being one of a collection of values.
 */
final class Tx {
    private final Connection connection;
    private final Dialect dialect;
    private final String prefix;

    Tx(Connection connection, Dialect dialect, String prefix) {
        this.connection = connection;
        this.dialect = dialect;
        this.prefix = prefix;
    }

    /** Makes something of a row. */
    interface Reader<T> {
        T read(Row row) throws SQLException;
    }

    <T> List<T> query(String sql, Reader<T> reader, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(sql, values);
                ResultSet results = statement.executeQuery()) {
            List<T> all = new ArrayList<>();
            Row row = new Row(results, dialect);
            while (row.next()) {
                all.add(reader.read(row));
            }
            return all;
        }
    }

    /** Asks for the sake of what asking does, such as locking. */
    void ask(String sql, @Nullable Object... values) throws SQLException {
        var unused = query(sql, row -> true, values);
    }

    int update(String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(sql, values)) {
            return statement.executeUpdate();
        }
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql.replace("{p}", prefix));
        }
    }

    private PreparedStatement prepare(String sql, @Nullable Object... values) throws SQLException {
        String text = sql.replace("{p}", prefix);
        for (Object value : values) {
            if (value instanceof Collection<?> all) {
                int at = text.indexOf(":in");
                text = text.substring(0, at) + dialect.in(all.size()) + text.substring(at + ":in".length());
            }
        }
        PreparedStatement statement = connection.prepareStatement(text);
        int parameter = 1;
        for (Object value : values) {
            if (value instanceof Collection<?> all) {
                parameter = dialect.bindIn(statement, parameter, all);
            } else {
                statement.setObject(parameter, value instanceof UUID id ? dialect.writeId(id) : value);
                parameter++;
            }
        }
        return statement;
    }

    void insert(Table table, List<@Nullable Object[]> rows) throws SQLException {
        if (!rows.isEmpty()) {
            dialect.insert(connection, prefix, table, rows);
        }
    }

    /** So many new numbers, each greater than all before. */
    List<Long> numbers(int count) throws SQLException {
        return count == 0 ? List.of() : query(dialect.numbers(count), Row::number);
    }

    long number() throws SQLException {
        return numbers(1).get(0);
    }
}
