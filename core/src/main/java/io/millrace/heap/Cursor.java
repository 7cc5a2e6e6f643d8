package io.millrace.heap;

import io.millrace.InvalidValueException;
import org.jspecify.annotations.Nullable;

/** A place in the order of creation, as text. */
final class Cursor {
    private static final String PREFIX = "h";

    private Cursor() {}

    static String of(long sequence) {
        return PREFIX + Long.toString(sequence, Character.MAX_RADIX);
    }

    static long parse(@Nullable String cursor) {
        if (cursor == null) {
            return 0;
        }
        try {
            if (cursor.startsWith(PREFIX)) {
                long sequence = Long.parseLong(cursor.substring(PREFIX.length()), Character.MAX_RADIX);
                if (sequence >= 0) {
                    return sequence;
                }
            }
        } catch (NumberFormatException e) {
            // answered below, like every other text that is no cursor
        }
        throw new InvalidValueException("cursor", cursor, "it must be the next of an earlier page");
    }
}
