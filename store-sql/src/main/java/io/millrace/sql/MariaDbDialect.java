package io.millrace.sql;

import static java.util.stream.Collectors.joining;

import com.zaxxer.hikari.HikariConfig;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

final class MariaDbDialect implements Dialect {
    private static final int ROWS = 500;
    /** Well below the smallest packet that servers are set to. */
    private static final int BYTES = 4 << 20;

    @Override
    public String name() {
        return "mariadb";
    }

    @Override
    public void configure(HikariConfig pool) {
        // several statements go together, and so do many rows of one
        pool.addDataSourceProperty("allowMultiQueries", "true");
        pool.addDataSourceProperty("useBulkStmts", "true");
        // in the driver's own way, so that it does so again when it connects anew by itself
        pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    }

    @Override
    public String in(int values) {
        return "in (" + (values == 0 ? "null" : "?" + ", ?".repeat(values - 1)) + ")";
    }

    @Override
    public int bindIn(PreparedStatement statement, int parameter, Collection<?> values) throws SQLException {
        int next = parameter;
        for (Object value : values) {
            statement.setObject(next, value instanceof UUID id ? writeId(id) : value);
            next++;
        }
        return next;
    }

    @Override
    public @Nullable Object writeId(@Nullable UUID id) {
        return id == null
                ? null
                : ByteBuffer.allocate(16)
                        .putLong(id.getMostSignificantBits())
                        .putLong(id.getLeastSignificantBits())
                        .array();
    }

    @Override
    public @Nullable UUID readId(ResultSet results, int column) throws SQLException {
        byte[] bytes = results.getBytes(column);
        if (bytes == null) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
    }

    @Override
    public String nextBlock() {
        return "select nextval({p}number)";
    }

    @Override
    public List<Tx.Command> insert(String prefix, Table table, List<@Nullable Object[]> rows) {
        List<Tx.Command> commands = new ArrayList<>();
        int from = 0;
        while (from < rows.size()) {
            int to = from;
            long bytes = 0;
            while (to < rows.size() && to - from < ROWS && bytes < BYTES) {
                bytes += bytesOf(rows.get(to));
                to++;
            }
            commands.add(insertSome(prefix, table, rows.subList(from, to), bytes));
            from = to;
        }
        return commands;
    }

    private static long bytesOf(@Nullable Object[] row) {
        long bytes = 0;
        for (Object value : row) {
            bytes += value instanceof byte[] array ? array.length : value instanceof String text ? text.length() : 8;
        }
        return bytes;
    }

    private Tx.Command insertSome(String prefix, Table table, List<@Nullable Object[]> rows, long bytes) {
        int[] columns = columnsToInsert(table, rows);
        String sql = insertInto(prefix, table, columns)
                + (", " + placeholders(columns)).repeat(rows.size() - 1)
                + (table.key().isEmpty() ? "" : updates(table));
        return new Tx.Command(sql, bytes, (statement, first) -> {
            int parameter = first;
            for (@Nullable Object[] row : rows) {
                parameter = bind(statement, parameter, columns, row);
            }
            return parameter;
        });
    }

    /** What no row has a value for is left out: the server would have to read each word of it. */
    private static int[] columnsToInsert(Table table, List<@Nullable Object[]> rows) {
        return IntStream.range(0, table.columns().size())
                .filter(column -> !table.key().isEmpty() || rows.stream().anyMatch(row -> row[column] != null))
                .toArray();
    }

    private static String insertInto(String prefix, Table table, int[] columns) {
        String names = Arrays.stream(columns)
                .mapToObj(column -> table.columns().get(column).name())
                .collect(joining(", "));
        return "insert into " + prefix + table.name() + " (" + names + ") values " + placeholders(columns);
    }

    private static String placeholders(int[] columns) {
        return "(?" + ", ?".repeat(columns.length - 1) + ")";
    }

    private int bind(PreparedStatement statement, int first, int[] columns, @Nullable Object[] row)
            throws SQLException {
        int parameter = first;
        for (int column : columns) {
            Object value = row[column];
            statement.setObject(parameter, value instanceof UUID id ? writeId(id) : value);
            parameter++;
        }
        return parameter;
    }

    @Override
    public int copiedFrom() {
        return 50;
    }

    /** The driver sends the rows as they are, behind a statement for one of them: nothing has to be read from text. */
    @Override
    public void copy(Connection connection, String prefix, Table table, List<@Nullable Object[]> rows)
            throws SQLException {
        int[] columns = columnsToInsert(table, rows);
        try (PreparedStatement statement = connection.prepareStatement(insertInto(prefix, table, columns))) {
            long bytes = 0;
            for (@Nullable Object[] row : rows) {
                bytes += bytesOf(row);
                if (bytes > BYTES) {
                    var unused = statement.executeBatch();
                    bytes = bytesOf(row);
                }
                var unused = bind(statement, 1, columns, row);
                statement.addBatch();
            }
            var unused = statement.executeBatch();
        }
    }

    @Override
    public boolean hasTasksByNumber() {
        return true;
    }

    /** It looks the rows up one by one, in this order of the tables; the column is called as its first value, a number of none. */
    @Override
    public String deleteByKey(String table, String key, int values) {
        return "delete t from (values (0)" + ", (?)".repeat(values) + ") v straight_join " + table + " t on t." + key
                + " = v.`0`";
    }

    /** It would read all of a small table, in whatever order, and wait for what others have locked there. */
    @Override
    public String byKey() {
        return " force index (primary)";
    }

    private static String updates(Table table) {
        return " on duplicate key update "
                + table.columns().stream()
                        .map(Table.Column::name)
                        .filter(name -> !name.equals(table.key()))
                        .map(name -> name + " = values(" + name + ")")
                        .collect(joining(", "));
    }

    @Override
    public String lockSchema(String prefix) {
        // for less time than the driver waits for an answer
        return "select get_lock('" + prefix + "schema', 20)";
    }

    @Override
    public String unlockSchema(String prefix) {
        return "select release_lock('" + prefix + "schema')";
    }

    @Override
    public void lockLanes(Tx tx, SortedSet<Integer> lanes) throws SQLException {
        tx.run("select id from {p}lane{byKey} where id :in order by id for update", lanes);
    }

    @Override
    public List<String> begin(Connection connection, Purpose purpose) {
        return switch (purpose) {
            // whether to wait for the disk is a setting of the whole server
            case CHANGE, CHANGE_SOON, ONE_STATEMENT -> List.of();
            // what is set is for the next transaction, so that one begins here, whether or not it will read a table
            case READ -> List.of("set transaction isolation level repeatable read", "start transaction read only");
        };
    }

    @Override
    public String now() {
        return "select cast(unix_timestamp(sysdate(6)) * 1000 as signed)";
    }

    @Override
    public boolean isDuplicate(SQLException error) {
        return error.getErrorCode() == 1062;
    }

    @Override
    public boolean isConflict(SQLException error) {
        return error.getErrorCode() == 1213 || error.getErrorCode() == 1205 || error.getErrorCode() == 1020;
    }

    @Override
    public boolean isReadOnly(SQLException error) {
        return error.getErrorCode() == 1290 || error.getErrorCode() == 1836;
    }
}
