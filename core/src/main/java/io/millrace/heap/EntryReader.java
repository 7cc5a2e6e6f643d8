package io.millrace.heap;

import io.millrace.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads what an {@link EntryWriter} has written. */
final class EntryReader {
    private final ByteBuffer bytes;
    private final int version;

    EntryReader(ByteBuffer bytes) {
        this(bytes, 1);
    }

    private EntryReader(ByteBuffer bytes, int version) {
        this.bytes = bytes;
        this.version = version;
    }

    /** Whether the entry was written by this version or a later one. */
    boolean isSince(int atLeast) {
        return version >= atLeast;
    }

    /** The same entry, known to be of this version. */
    EntryReader ofVersion(int number) {
        return new EntryReader(bytes, number);
    }

    int size() {
        return bytes.limit();
    }

    boolean hasMore() {
        return bytes.hasRemaining();
    }

    /** The kind of the next entry; {@link #body} has its content. */
    int kind() {
        return bytes.get();
    }

    /** The content of an entry, which is passed over here. */
    EntryReader body() {
        int length = bytes.getInt();
        EntryReader body = new EntryReader(bytes.slice(bytes.position(), length));
        bytes.position(bytes.position() + length);
        return body;
    }

    int position() {
        return bytes.position();
    }

    long number() {
        long value = 0;
        int shift = 0;
        byte next;
        do {
            next = bytes.get();
            value |= (next & 0x7FL) << shift;
            shift += 7;
        } while (next < 0);
        return value;
    }

    int smallNumber() {
        return Math.toIntExact(number());
    }

    long signed() {
        long value = number();
        return value >>> 1 ^ -(value & 1);
    }

    long moment() {
        long value = number();
        return value == 0 ? TaskNode.NONE : value - 1;
    }

    boolean flag() {
        return number() != 0;
    }

    UUID id() {
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    @Nullable
    String textOrNull() {
        int length = smallNumber() - 1;
        return length < 0 ? null : new String(raw(length), StandardCharsets.UTF_8);
    }

    String text() {
        String value = textOrNull();
        if (value == null) {
            throw new IllegalStateException("a text is missing at byte " + position());
        }
        return value;
    }

    @Nullable
    Payload payload() {
        long kind = number();
        if (kind == 0) {
            return null;
        }
        byte[] content = raw(smallNumber());
        if (content.length == 0 && kind == 1) {
            return Payload.EMPTY;
        }
        return kind == 2 ? Payload.json(content) : Payload.bytes(content);
    }

    private byte[] raw(int length) {
        byte[] value = new byte[length];
        bytes.get(value);
        return value;
    }
}
