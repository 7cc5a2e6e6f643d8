package io.millrace.benchmarks.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A table of tasks, and the statements that make a queue of it. */
interface RawTable {
    /** A task that is claimed. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Claimed(long id, byte[] payload) {}

    void create(Connection connection) throws SQLException;

    void insert(Connection connection, byte[] payload) throws SQLException;

    /** Inserts all by one statement. */
    void insertAll(Connection connection, List<byte[]> payloads) throws SQLException;

    /** Marks the oldest ready tasks that nobody else is about to claim, and commits. */
    List<Claimed> claim(Connection connection, int limit) throws SQLException;

    /** Removes the tasks, or marks them as done, and commits. */
    void finish(Connection connection, List<Claimed> tasks) throws SQLException;

    /** What the driver is told beside the URL. */
    default String[] driverOptions() {
        return new String[0];
    }
}
