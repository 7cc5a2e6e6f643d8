package io.millrace.heap;

import io.millrace.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes the entries of a step. Numbers take as many bytes as they need: seven bits each, the lowest first. */
final class EntryWriter {
    private static final int SMALL = 1 << 12;
    private static final int LARGE = 1 << 20;

    private byte[] bytes = new byte[SMALL];
    private int size;
    private int start;

    int size() {
        return size;
    }

    private void ensure(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }

    /** Begins an entry; {@link #end} tells how long it is, so that a reader can pass over it. */
    void begin(int kind) {
        ensure(5);
        bytes[size++] = (byte) kind;
        start = size;
        size += 4;
    }

    /** @return how many bytes the entry takes */
    int end() {
        ByteBuffer.wrap(bytes).putInt(start, size - start - 4);
        return size - start + 1;
    }

    void number(long value) {
        ensure(10);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    /** A number that may be negative, small when it is near zero. */
    void signed(long value) {
        number(value << 1 ^ value >> 63);
    }

    /** A moment, or {@link TaskNode#NONE}. */
    void moment(long millis) {
        number(millis == TaskNode.NONE ? 0 : millis + 1);
    }

    void flag(boolean value) {
        number(value ? 1 : 0);
    }

    void id(UUID value) {
        ensure(16);
        ByteBuffer.wrap(bytes, size, 16)
                .putLong(value.getMostSignificantBits())
                .putLong(value.getLeastSignificantBits());
        size += 16;
    }

    void text(@Nullable String value) {
        if (value == null) {
            number(0);
            return;
        }
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        number(utf8.length + 1L);
        raw(utf8);
    }

    void payload(@Nullable Payload value) {
        if (value == null) {
            number(0);
            return;
        }
        number(value.isJson() ? 2 : 1);
        number(value.size());
        raw(value.toBytes());
    }

    private void raw(byte[] value) {
        ensure(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
    }

    /** What is written; good until something more is. */
    ByteBuffer written() {
        return ByteBuffer.wrap(bytes, 0, size);
    }

    /** Forgets what was written beyond a size. */
    void cutTo(int earlier) {
        size = earlier;
        if (size == 0 && bytes.length > LARGE) {
            bytes = new byte[SMALL];
        }
    }
}
