package io.millrace.sql;

import com.zaxxer.hikari.HikariConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

final class PostgresDialect implements Dialect {
    private final ConcurrentMap<Insert, String> inserts = new ConcurrentHashMap<>();
    private final PostgresSessions sessions = new PostgresSessions();

    /** @param differ the columns that are not the same in all rows */
    private record Insert(String prefix, Table table, BitSet differ, Numbers numbers) {}

    /** What rows have to do with a block of numbers that is drawn in the same statement. */
    private enum Numbers {
        NONE,
        /** They are only added if there is one. */
        IF_THERE,
        /** Their first columns count from its beginning, too. */
        COUNTED
    }

    @Override
    public String name() {
        return "postgresql";
    }

    @Override
    public void configure(HikariConfig pool) {
        PostgresIds.DRIVER_SETTINGS.forEach(pool::addDataSourceProperty);
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
        bindArray(statement, parameter, type, values.toArray());
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
    public String nextBlock() {
        return "select nextval('{p}number')";
    }

    /** Columns that are the same in all rows, as many are, are sent and read once; the others as arrays. */
    @Override
    public List<Tx.Command> insert(String prefix, Table table, List<@Nullable Object[]> rows) {
        return List.of(insert(prefix, table, rows, Numbers.NONE));
    }

    @Override
    public int copiedFrom() {
        return 500;
    }

    @Override
    public void copy(Connection connection, String prefix, Table table, List<@Nullable Object[]> rows)
            throws SQLException {
        PostgresCopy.copy(connection, prefix, table, rows);
    }

    @Override
    public boolean insertsUnlessDue() {
        return true;
    }

    /**
     * The statement sees what was committed before it waited for the lock. That is enough: it has to see what was due before it
     * came, and its numbers are drawn after the lock.
     */
    @Override
    public Tx.Command insertUnlessDue(
            Tx tx,
            List<@Nullable Object[]> tasks,
            List<@Nullable Object[]> tallies,
            SortedSet<Integer> lanes,
            long now) {
        Tx.Command lock = lock(tx, "pg_advisory_xact_lock_shared", lanes);
        Tx.Command block = tx.command(Sql.BLOCK_UNLESS_DUE, lanes, now);
        Tx.Command tally = insert(tx.prefix(), Table.TALLY, tallies, Numbers.IF_THERE);
        Tx.Command task = insert(tx.prefix(), Table.TASK, tasks, Numbers.COUNTED);
        // materialized: the block is drawn once, and not for each row
        String sql = "with locked as materialized (" + lock.sql() + "), block as materialized (" + block.sql()
                + "), tallied as (" + tally.sql() + ") " + task.sql();
        return new Tx.Command(sql, 0, (statement, first) -> {
            int next = first;
            for (Tx.Command part : List.of(lock, block, tally, task)) {
                next = part.binder().bind(statement, next);
            }
            return next;
        });
    }

    @Override
    public String deleteByKey(String table, String key, int values) {
        return "delete from " + table + " where " + key + " " + in(values);
    }

    @Override
    public String byKey() {
        return "";
    }

    @Override
    public boolean hasTasksByNumber() {
        return false;
    }

    private Tx.Command insert(String prefix, Table table, List<@Nullable Object[]> rows, Numbers numbers) {
        BitSet differ = rows.size() == 1 ? new BitSet() : columnsThatDiffer(table, rows);
        String sql = inserts.computeIfAbsent(new Insert(prefix, table, differ, numbers), PostgresDialect::text);
        return new Tx.Command(sql, 0, (statement, first) -> {
            int parameter = first;
            int columns = table.columns().size();
            for (int i = differ.nextClearBit(0); i < columns; i = differ.nextClearBit(i + 1)) {
                statement.setObject(parameter, rows.get(0)[i]);
                parameter++;
            }
            for (int i = differ.nextSetBit(0); i >= 0; i = differ.nextSetBit(i + 1)) {
                bindColumn(statement, parameter, table.columns().get(i).type(), i, rows);
                parameter++;
            }
            return parameter;
        });
    }

    private static BitSet columnsThatDiffer(Table table, List<@Nullable Object[]> rows) {
        BitSet differ = new BitSet();
        // one at least: it tells how many rows there are
        differ.set(0);
        for (int i = 1; i < table.columns().size(); i++) {
            Object first = rows.get(0)[i];
            for (int j = 1; j < rows.size(); j++) {
                if (!Objects.equals(first, rows.get(j)[i])) {
                    differ.set(i);
                    break;
                }
            }
        }
        return differ;
    }

    private static void bindColumn(
            PreparedStatement statement, int parameter, String type, int column, List<@Nullable Object[]> rows)
            throws SQLException {
        // the driver sends arrays of these types as they are, and others as text
        @Nullable
        Object[] values = switch (type) {
            case "bytea" -> new byte[rows.size()][];
            case "bigint" -> new Long[rows.size()];
            case "int" -> new Integer[rows.size()];
            default -> new Object[rows.size()];
        };
        for (int i = 0; i < values.length; i++) {
            values[i] = rows.get(i)[column];
        }
        bindArray(statement, parameter, type, values);
    }

    private static void bindArray(PreparedStatement statement, int parameter, String type, @Nullable Object[] values)
            throws SQLException {
        if (type.equals("uuid") && PostgresIds.canBeSentBy(statement.getConnection())) {
            statement.setObject(parameter, new PostgresIds(values));
        } else {
            statement.setArray(parameter, statement.getConnection().createArrayOf(type, values));
        }
    }

    private static String text(Insert insert) {
        Table table = insert.table;
        List<String> values = new ArrayList<>();
        List<String> arrays = new ArrayList<>();
        for (int i = 0; i < table.columns().size(); i++) {
            Table.Column column = table.columns().get(i);
            if (insert.differ.get(i)) {
                values.add("r." + column.name());
                arrays.add("unnest(?::" + column.type() + "[]) as " + column.name());
            } else {
                values.add("?::" + column.type());
            }
        }
        List<String> sources = new ArrayList<>();
        if (insert.numbers != Numbers.NONE) {
            sources.add("block");
        }
        if (insert.numbers == Numbers.COUNTED) {
            values.set(0, "block.number * " + Tx.BLOCK + " + " + values.get(0));
        }
        if (!arrays.isEmpty()) {
            // as a function of several arrays, after "from", they would be put down row by row before they are read
            sources.add("(select " + String.join(", ", arrays) + ") r");
        }
        String sql = "insert into " + insert.prefix + table.name() + " (" + table.columnNames() + ") select "
                + String.join(", ", values) + (sources.isEmpty() ? "" : " from " + String.join(", ", sources));
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
        long key = 0x4D696C6CL << 32 | (prefix.hashCode() & 0xFFFFFFFFL);
        return "select 1 from (select pg_advisory_xact_lock(" + key + ")) locked";
    }

    @Override
    public String unlockSchema(String prefix) {
        // the end of the transaction does so
        return "select 1";
    }

    /**
     * Lanes whose ids leave the same rest share a lock: the server has room for 64 locks a connection, whatever the number of
     * lanes that a claim looks at.
     */
    private static final int LANE_LOCKS = 64;

    /**
     * Locks in memory. The rows themselves would have to be written to be locked, and could not well be shared by those who add
     * tasks: their commits wait for the disk, and would wait one after the other.
     */
    private static Tx.Command lock(Tx tx, String function, SortedSet<Integer> lanes) {
        SortedSet<Integer> locks = new TreeSet<>();
        lanes.forEach(lane -> locks.add(lane % LANE_LOCKS));
        // not "::integer": its beginning stands for a list in Tx
        String sql = "select " + function + "(cast('{p}lane'::regclass::oid as integer), ";
        return locks.size() == 1
                ? tx.command(sql + "?)", locks.first())
                : tx.command(
                        sql + "lane) from generate_series(0, " + (LANE_LOCKS - 1) + ") lane where lane :in", locks);
    }

    @Override
    public void lockLanes(Tx tx, SortedSet<Integer> lanes) throws SQLException {
        tx.run(lock(tx, "pg_advisory_xact_lock", lanes));
    }

    @Override
    public List<String> begin(Connection connection, Purpose purpose) throws SQLException {
        List<String> beginning = new ArrayList<>();
        boolean ours = sessions.settle(connection);
        if (purpose == Purpose.READ) {
            beginning.add("set transaction isolation level repeatable read, read only");
        } else if (!ours) {
            beginning.add("set transaction isolation level read committed");
        }
        if (!ours) {
            beginning.add(PostgresSessions.FOR_TRANSACTION);
        }
        if (purpose == Purpose.CHANGE_SOON) {
            beginning.add("set local synchronous_commit = off");
        }
        return beginning;
    }

    @Override
    public boolean commitsAlone(Connection connection) throws SQLException {
        return sessions.settle(connection);
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

    @Override
    public boolean isReadOnly(SQLException error) {
        return "25006".equals(error.getSQLState());
    }
}
