package io.millrace.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the databases do not agree on. */
interface Dialect {
    /**
     * A node that does nothing for so long in the middle of a transaction has stopped, or is gone without a word, as with a
     * machine that loses its power. The server then ends its transaction, or others would wait for its locks until the network
     * finds out.
     */
    Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /** The beginning of its schema files' names. */
    String name();

    /** What the driver has to be told. */
    Map<String, String> driverSettings();

    /** What a new connection begins with; null for nothing. */
    default @Nullable String beginConnection() {
        return null;
    }

    /** What follows a column that has to be one of so many values. */
    String in(int values);

    /** Binds these values. @return the next free parameter */
    int bindIn(PreparedStatement statement, int parameter, Collection<?> values) throws SQLException;

    @Nullable
    Object writeId(@Nullable UUID id);

    @Nullable
    UUID readId(ResultSet results, int column) throws SQLException;

    /** Draws from the sequence of blocks of numbers. */
    String nextBlock();

    /** Adds rows, or replaces those that have the same key. */
    List<Tx.Command> insert(String prefix, Table table, List<@Nullable Object[]> rows);

    /** From so many rows on, {@link #copy} is there, and better than {@link #insert}. */
    default int copiedFrom() {
        return Integer.MAX_VALUE;
    }

    /** Adds rows to a table without a key, at once. */
    default void copy(Connection connection, String prefix, Table table, List<@Nullable Object[]> rows)
            throws SQLException {
        throw new UnsupportedOperationException("rows are inserted");
    }

    /** Whether {@link #insertNumbered} can be done in one statement. */
    default boolean insertsNumbered() {
        return false;
    }

    /**
     * Adds tasks whose first columns count from the beginning of the block that is drawn by the way, and counts them.
     *
     * @param block draws one, or answers nothing: then nothing is added
     */
    default Tx.Command insertNumbered(
            String prefix, List<@Nullable Object[]> tasks, List<@Nullable Object[]> tallies, Tx.Command block) {
        throw new UnsupportedOperationException("not in one statement");
    }

    /** Whether tasks are kept in the order of their numbers, too, and not only within each lane. */
    boolean hasTasksByNumber();

    /** Deletes the rows of a table that have one of so many numbers as a key, and touches no others. */
    String deleteByKey(String table, String key, int values);

    /** What follows a table's name where rows are to be locked by its key, and no others looked at. */
    String byKey();

    /** Waits until these lanes are ours, in the order of their ids; until the transaction ends. */
    void lockLanes(Tx tx, SortedSet<Integer> lanes) throws SQLException;

    /** The same, but others may add tasks to them meanwhile as well, where the database has a way to let them. */
    default void lockLanesToAdd(Tx tx, SortedSet<Integer> lanes) throws SQLException {
        lockLanes(tx, lanes);
    }

    /** What a transaction begins with that changes something. */
    List<String> beginChanging();

    /** The same, for one that does not wait until what it has changed is on the disk. */
    List<String> beginChangingSoon();

    /** Begins a transaction whose statements all see the same moment, and none of which writes. */
    List<String> beginReading();

    /** Asks for the time of the database, in milliseconds. */
    String now();

    /** Begins what only one node may do at a time; answers 1 if it may. */
    String lockSchema(String prefix);

    /** Ends it, before the transaction does. */
    String unlockSchema(String prefix);

    boolean isDuplicate(SQLException error);

    /** It can be tried again at once. */
    boolean isConflict(SQLException error);

    /** The server changes nothing, as one that only follows another does. */
    boolean isReadOnly(SQLException error);
}
