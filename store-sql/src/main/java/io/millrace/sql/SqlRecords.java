package io.millrace.sql;

import io.millrace.spi.Records;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The compare-and-set map as a table. */
final class SqlRecords implements Records {
    private final Database database;
    private final Runnable changed;

    SqlRecords(Database database, Runnable changed) {
        this.database = database;
        this.changed = changed;
    }

    @Override
    public Optional<Entry> get(String key) {
        return database.read(tx -> tx.query(Sql.RECORD, SqlRecords::read, key)).stream()
                .findFirst();
    }

    private static Entry read(Row row) throws SQLException {
        return new Entry(row.text(), row.text(), row.number());
    }

    @Override
    public List<Entry> list(String prefix) {
        return database.read(tx -> tx.query(Sql.RECORDS, SqlRecords::read, prefix)).stream()
                .takeWhile(entry -> entry.key().startsWith(prefix))
                .toList();
    }

    @Override
    public boolean put(String key, String value, long expectedVersion) {
        return tellIf(database.change(tx -> {
            if (expectedVersion != ABSENT) {
                return tx.update(Sql.SET_RECORD, value, tx.block().rows().get(0), key, expectedVersion) == 1;
            }
            if (!tx.query(Sql.LOCK_RECORD, Row::number, key).isEmpty()) {
                return false;
            }
            return tx.update(Sql.ADD_RECORD, key, value, tx.block().rows().get(0)) == 1;
        }));
    }

    @Override
    public boolean remove(String key, long expectedVersion) {
        return tellIf(database.change(tx -> tx.update(Sql.DELETE_RECORD, key, expectedVersion) == 1));
    }

    private boolean tellIf(boolean written) {
        if (written) {
            changed.run();
        }
        return written;
    }
}
