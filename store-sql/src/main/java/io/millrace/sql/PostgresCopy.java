package io.millrace.sql;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Adds many rows as a stream, by {@code COPY} in its binary format. The server takes rows in while more are made, and writes
 * them by pages; in exchange there are two round trips more than by a statement.
 */
final class PostgresCopy {
    private static final byte[] SIGNATURE = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0};

    private static final String CONNECTION_FAILURE = "08";

    private final CopyIn copy;
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);

    private PostgresCopy(CopyIn copy) {
        this.copy = copy;
    }

    static void copy(Connection connection, String prefix, Table table, List<@Nullable Object[]> rows)
            throws SQLException {
        String sql = "copy " + prefix + table.name() + " (" + table.columnNames() + ") from stdin (format binary)";
        CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(sql);
        try {
            new PostgresCopy(copy).write(table, rows);
            copy.endCopy();
        } catch (SQLException | RuntimeException e) {
            stop(connection, copy, e);
            throw e;
        }
    }

    /**
     * While it is under way the connection does nothing else, not even roll back. To take it back takes an answer of the
     * server; one that does not answer is not asked again.
     */
    private static void stop(Connection connection, CopyIn copy, Exception failure) {
        try {
            if (failure instanceof SQLException e
                    && String.valueOf(e.getSQLState()).startsWith(CONNECTION_FAILURE)) {
                connection.abort(Runnable::run);
            } else if (copy.isActive()) {
                copy.cancelCopy();
            }
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    private void write(Table table, List<@Nullable Object[]> rows) throws SQLException {
        buffer.put(SIGNATURE);
        // no flags, and nothing more in the header
        buffer.putLong(0);
        for (@Nullable Object[] row : rows) {
            room(Short.BYTES).putShort((short) row.length);
            for (int i = 0; i < row.length; i++) {
                write(table.columns().get(i).type(), row[i]);
            }
        }
        room(Short.BYTES).putShort((short) -1);
        send();
    }

    private void write(String type, @Nullable Object value) throws SQLException {
        if (value == null) {
            room(Integer.BYTES).putInt(-1);
            return;
        }
        switch (type) {
            case "bigint" -> field(Long.BYTES).putLong((Long) value);
            case "int" -> field(Integer.BYTES).putInt((Integer) value);
            case "smallint" -> field(Short.BYTES).putShort(((Number) value).shortValue());
            case "boolean" -> field(1).put((byte) ((Boolean) value ? 1 : 0));
            case "uuid" -> {
                UUID id = (UUID) value;
                field(2 * Long.BYTES).putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
            }
            case "bytea" -> bytes((byte[]) value);
            case "text" -> bytes(((String) value).getBytes(StandardCharsets.UTF_8));
            default -> throw new IllegalArgumentException("no way to send a " + type);
        }
    }

    private void bytes(byte[] bytes) throws SQLException {
        room(Integer.BYTES).putInt(bytes.length);
        if (bytes.length <= buffer.capacity()) {
            room(bytes.length).put(bytes);
        } else {
            send();
            copy.writeToCopy(bytes, 0, bytes.length);
        }
    }

    private ByteBuffer field(int length) throws SQLException {
        return room(Integer.BYTES + length).putInt(length);
    }

    private ByteBuffer room(int bytes) throws SQLException {
        if (buffer.remaining() < bytes) {
            send();
        }
        return buffer;
    }

    private void send() throws SQLException {
        copy.writeToCopy(buffer.array(), 0, buffer.position());
        buffer.clear();
    }
}
