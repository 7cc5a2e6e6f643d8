package io.millrace.sql;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.PreferQueryMode;
import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

/**
 * An array of ids, sent as bytes. The driver's own way is text, which the client has to write and the server to read; it
 * remains the way on connections that were not opened with these {@link #DRIVER_SETTINGS}.
 */
final class PostgresIds extends PGobject implements PGBinaryObject {
    private static final long serialVersionUID = 1;

    private static final int UUID_TYPE = 2950;
    private static final int UUID_ARRAY_TYPE = 2951;

    static final Map<String, String> DRIVER_SETTINGS = Map.of("binaryTransferEnable", "" + UUID_ARRAY_TYPE);

    private static final int HEADER = 5 * Integer.BYTES;
    private static final int ID = 2 * Long.BYTES;

    private final @Nullable Object[] ids;

    /** @param ids of type {@link UUID}, or null */
    PostgresIds(@Nullable Object[] ids) {
        this.ids = ids;
        setType("_uuid");
    }

    /** Not by one of another driver, or of the same in another class loader, nor by one that sends everything as text. */
    static boolean canBeSentBy(Connection connection) throws SQLException {
        return connection.isWrapperFor(PGConnection.class)
                && connection.unwrap(PGConnection.class).getPreferQueryMode() != PreferQueryMode.SIMPLE;
    }

    @Override
    public int lengthInBytes() {
        int nulls = (int) Arrays.stream(ids).filter(id -> id == null).count();
        return HEADER + ids.length * Integer.BYTES + (ids.length - nulls) * ID;
    }

    @Override
    public void toBytes(byte[] target, int offset) {
        ByteBuffer bytes = ByteBuffer.wrap(target, offset, target.length - offset);
        int dimensions = 1;
        int mayHaveNulls = 1;
        int firstIndex = 1;
        bytes.putInt(dimensions)
                .putInt(mayHaveNulls)
                .putInt(UUID_TYPE)
                .putInt(ids.length)
                .putInt(firstIndex);
        for (Object each : ids) {
            if (each == null) {
                bytes.putInt(-1);
            } else {
                UUID id = (UUID) each;
                bytes.putInt(ID).putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
            }
        }
    }

    @Override
    public String getValue() {
        return Arrays.stream(ids).map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
    }

    @Override
    public void setByteValue(byte[] value, int offset) {
        throw new UnsupportedOperationException("only to be sent");
    }
}
