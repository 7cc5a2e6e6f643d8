package io.millrace.sql;

import io.millrace.spi.Lease;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a lease is known by, and what finds its task: the number of the lease, the lane and the number of the
 * task, and a mark of the task's id, so that a token does not fit to another task.
 */
record Token(long lease, int lane, long num, int mark) {
    static Token of(long lease, int lane, long num, UUID task) {
        return new Token(lease, lane, num, task.hashCode());
    }

    /** What a lease's token says; null if it cannot be of this store, or not of that task. */
    static @Nullable Token of(Lease lease) {
        return parse(lease.token(), lease.task());
    }

    private static @Nullable Token parse(String text, UUID task) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 4) {
            return null;
        }
        try {
            Token token = new Token(
                    Long.parseLong(parts[0], Character.MAX_RADIX),
                    Integer.parseInt(parts[1], Character.MAX_RADIX),
                    Long.parseLong(parts[2], Character.MAX_RADIX),
                    Integer.parseInt(parts[3], Character.MAX_RADIX));
            return token.mark == task.hashCode() && token.toString().equals(text) ? token : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    @Override
    public String toString() {
        return Long.toString(lease, Character.MAX_RADIX) + "." + Integer.toString(lane, Character.MAX_RADIX) + "."
                + Long.toString(num, Character.MAX_RADIX) + "." + Integer.toString(mark, Character.MAX_RADIX);
    }
}
