package io.millrace.sql;

import io.millrace.spi.Lease;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a lease is known by, and what finds its task: the number of the lease, the lane and the number of the
 * task, and a mark of the task's id, so that a token does not fit to another task.
 */
record Token(long lease, int lane, long num, int mark) {
    private static final HexFormat HEX = HexFormat.of();
    private static final int BYTES = 24;

    static Token of(long lease, int lane, long num, UUID task) {
        return new Token(lease, lane, num, task.hashCode());
    }

    /** What a lease's token says; null if it cannot be of this store, or not of that task. */
    static @Nullable Token of(Lease lease) {
        return parse(lease.token(), lease.task());
    }

    private static @Nullable Token parse(String text, UUID task) {
        if (text.length() != 2 * BYTES) {
            return null;
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(HEX.parseHex(text));
            Token token = new Token(bytes.getLong(), bytes.getInt(), bytes.getLong(), bytes.getInt());
            return token.mark == task.hashCode() ? token : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    @Override
    public String toString() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        bytes.putLong(lease).putInt(lane).putLong(num).putInt(mark);
        return HEX.formatHex(bytes.array());
    }
}
