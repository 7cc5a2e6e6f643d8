package io.millrace.sql;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

final class PostgresDialect implements Dialect {
    private final ConcurrentMap<String, String> inserts = new ConcurrentHashMap<>();

    @Override
    public String name() {
        return "postgresql";
    }

    @Override
    public String in(int values) {
        return "= any (?)";
    }

    @Override
    public int bindIn(PreparedStatement statement, int parameter, Collection<?> values) throws SQLException {
        Object first = values.isEmpty() ? null : values.iterator().next();
        String type = first instanceof UUID
                ? "uuid"
                : first instanceof String ? "text" : first instanceof Integer ? "integer" : "bigint";
        statement.setArray(parameter, statement.getConnection().createArrayOf(type, values.toArray()));
        return parameter + 1;
    }

    @Override
    public @Nullable Object writeId(@Nullable UUID id) {
        return id;
    }

    @Override
    public @Nullable UUID readId(ResultSet results, int column) throws SQLException {
        return results.getObject(column, UUID.class);
    }

    @Override
    public String numbers(int count) {
        return "select nextval('{p}number') from generate_series(1, " + count + ")";
    }

    @Override
    public void insert(Connection connection, String prefix, Table table, List<@Nullable Object[]> rows)
            throws SQLException {
        String sql = inserts.computeIfAbsent(prefix + table.name(), any -> insert(prefix, table));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < table.columns().size(); i++) {
                statement.setArray(
                        i + 1, array(connection, table.columns().get(i).type(), i, rows));
            }
            statement.executeUpdate();
        }
    }

    private static Array array(Connection connection, String type, int column, List<@Nullable Object[]> rows)
            throws SQLException {
        Object[] values = type.equals("bytea") ? new byte[rows.size()][] : new Object[rows.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = rows.get(i)[column];
        }
        return connection.createArrayOf(type, values);
    }

    private static String insert(String prefix, Table table) {
        String parameters = table.columns().stream()
                .map(column -> "?::" + column.type() + "[]")
                .collect(Collectors.joining(", "));
        String sql = "insert into " + prefix + table.name() + " (" + table.columnNames() + ") select * from unnest("
                + parameters + ")";
        return table.key().isEmpty() ? sql : sql + " on conflict (" + table.key() + ") do update set " + updates(table);
    }

    private static String updates(Table table) {
        return table.columns().stream()
                .map(Table.Column::name)
                .filter(name -> !name.equals(table.key()))
                .map(name -> name + " = excluded." + name)
                .collect(Collectors.joining(", "));
    }

    @Override
    public String lockSchema(String prefix) {
        return "select pg_advisory_xact_lock(" + (0x4D696C6CL << 32 | (prefix.hashCode() & 0xFFFFFFFFL)) + ")";
    }

    @Override
    public String unlockSchema(String prefix) {
        // the end of the transaction does so
        return "select 1";
    }

    @Override
    public List<String> beginReading() {
        return List.of("set transaction isolation level repeatable read, read only");
    }

    @Override
    public String now() {
        return "select cast(extract(epoch from clock_timestamp()) * 1000 as bigint)";
    }

    @Override
    public boolean isDuplicate(SQLException error) {
        return "23505".equals(error.getSQLState());
    }

    @Override
    public boolean isConflict(SQLException error) {
        return "40P01".equals(error.getSQLState()) || "40001".equals(error.getSQLState());
    }
}
