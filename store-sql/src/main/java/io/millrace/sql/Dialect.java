package io.millrace.sql;

import com.zaxxer.hikari.HikariConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
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

    /** Tells the pool and the driver what they need to know. */
    void configure(HikariConfig pool);

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

    /** Whether there is {@link #insertUnlessDue}. */
    default boolean insertsUnlessDue() {
        return false;
    }

    /**
     * Adds tasks whose first columns count from the beginning of a new block of numbers, with their tallies, by one statement,
     * unless something has come due in these lanes. Until the transaction ends nobody else can claim from them, but others may
     * add tasks as well.
     */
    default Tx.Command insertUnlessDue(
            Tx tx,
            List<@Nullable Object[]> tasks,
            List<@Nullable Object[]> tallies,
            SortedSet<Integer> lanes,
            long now) {
        throw new UnsupportedOperationException("not by one statement");
    }

    /** Whether tasks are kept in the order of their numbers, too, and not only within each lane. */
    boolean hasTasksByNumber();

    /** Deletes the rows of a table that have one of so many numbers as a key, and touches no others. */
    String deleteByKey(String table, String key, int values);

    /** What follows a table's name where rows are to be locked by its key, and no others looked at. */
    String byKey();

    /** Waits until these lanes are ours, in the order of their ids; until the transaction ends. */
    void lockLanes(Tx tx, SortedSet<Integer> lanes) throws SQLException;

    /** What a transaction is for. */
    enum Purpose {
        /** To change something. Each statement sees what was committed before it. */
        CHANGE,
        /** The same, but nobody waits until it is on the disk. */
        CHANGE_SOON,
        /** To read or change something by one statement. */
        ONE_STATEMENT,
        /** To read. All statements see the same moment. */
        READ
    }

    /** What a transaction begins with. */
    List<String> begin(Connection connection, Purpose purpose) throws SQLException;

    /** Whether a statement that stands alone can do without what a transaction begins with, and is better off so. */
    default boolean commitsAlone(Connection connection) throws SQLException {
        return false;
    }

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
