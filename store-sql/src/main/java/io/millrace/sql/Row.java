package io.millrace.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A row of a result, read from left to right. */
final class Row {
    private final ResultSet results;
    private final Dialect dialect;
    private int column;

    Row(ResultSet results, Dialect dialect) {
        this.results = results;
        this.dialect = dialect;
    }

    boolean next() throws SQLException {
        column = 0;
        return results.next();
    }

    long number() throws SQLException {
        return results.getLong(++column);
    }

    int smallNumber() throws SQLException {
        return results.getInt(++column);
    }

    double fraction() throws SQLException {
        return results.getDouble(++column);
    }

    @Nullable
    Long numberOrNull() throws SQLException {
        long value = results.getLong(++column);
        return results.wasNull() ? null : value;
    }

    @Nullable
    Integer smallNumberOrNull() throws SQLException {
        int value = results.getInt(++column);
        return results.wasNull() ? null : value;
    }

    boolean flag() throws SQLException {
        return results.getBoolean(++column);
    }

    String text() throws SQLException {
        return results.getString(++column);
    }

    @Nullable
    String textOrNull() throws SQLException {
        return results.getString(++column);
    }

    byte @Nullable [] bytes() throws SQLException {
        return results.getBytes(++column);
    }

    UUID id() throws SQLException {
        return Objects.requireNonNull(idOrNull());
    }

    @Nullable
    UUID idOrNull() throws SQLException {
        return dialect.readId(results, ++column);
    }
}
