package io.millrace.internal.dump;

import static io.millrace.internal.dump.DumpFormat.HEAD;
import static io.millrace.internal.dump.DumpFormat.HEADER;

import io.millrace.Damage;
import io.millrace.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads the whole records of a file and tells what lies between them. It believes a length only after the checksum was
 * found right, which is computed window by window; so no damage makes it take more memory than the record it returns.
 */
final class DumpReader {
    private static final int WINDOW = 64 << 10;
    private static final int FIELD = 4;

    private final HeldFile file;
    private final long size;
    private final byte[] window = new byte[WINDOW];
    private final ByteBuffer view = ByteBuffer.wrap(window);
    private long windowStart;
    private int windowLength;
    private long position;
    private long latest;

    DumpReader(HeldFile file) throws IOException {
        this.file = file;
        size = file.size();
        position = size < HEADER ? 0 : HEADER;
    }

    long size() {
        return size;
    }

    long position() {
        return position;
    }

    /** Why the file is none that can be read at all, or null. */
    @Nullable
    String refusal() throws IOException {
        byte[] start = new byte[(int) Math.min(size, HEADER)];
        file.read(0, start, start.length);
        return DumpFormat.refusal(start);
    }

    /** The next whole record, or null at the end of the file. After an {@link IOException} it is still the next. */
    @Nullable
    Payload next(Consumer<Damage> onDamage) throws IOException {
        String flaw = null;
        long at = position;
        Payload payload = null;
        while (at < size) {
            String found = flaw(at);
            if (found == null) {
                payload = payload(at);
                break;
            }
            flaw = flaw == null ? found : flaw;
            at = nextMarker(at + 1);
        }
        long start = position;
        latest = at;
        position = payload == null ? at : at + HEAD + payload.size();
        if (flaw != null) {
            onDamage.accept(new Damage(file.file(), start, at - start, flaw));
        }
        return payload;
    }

    /** Speaks of the record that was returned last. */
    Damage damage(String what) {
        return new Damage(file.file(), latest, position - latest, what);
    }

    /** What keeps this from being the start of a whole record, or null if it is one. */
    private @Nullable String flaw(long at) throws IOException {
        if (size < HEADER) {
            return "the file ends within its header";
        }
        if (size - at < HEAD) {
            return "the file ends within a record";
        }
        int head = load(at, HEAD);
        if (view.getInt(head) != DumpFormat.MARKER) {
            return "no record begins here";
        }
        int length = view.getInt(head + FIELD);
        byte flags = view.get(head + 3 * FIELD);
        if (length < 0 || length > DumpFormat.LONGEST_PAYLOAD || (flags & ~DumpFormat.JSON) != 0) {
            return "a record cannot have the length " + length + " and the flags " + flags;
        }
        if (size - at - HEAD < length) {
            return "the file ends within a record";
        }
        int expected = view.getInt(head + 2 * FIELD);
        return checksum(at + HEAD, length, flags) == expected ? null : "the checksum of the record is wrong";
    }

    private int checksum(long start, int length, byte flags) throws IOException {
        CRC32C checksum = DumpFormat.checksum(flags, length);
        for (int done = 0; done < length; ) {
            int part = Math.min(WINDOW, length - done);
            checksum.update(window, load(start + done, part), part);
            done += part;
        }
        return (int) checksum.getValue();
    }

    private Payload payload(long at) throws IOException {
        int head = load(at, HEAD);
        boolean json = view.get(head + 3 * FIELD) == DumpFormat.JSON;
        byte[] bytes = new byte[view.getInt(head + FIELD)];
        if (bytes.length <= WINDOW) {
            System.arraycopy(window, load(at + HEAD, bytes.length), bytes, 0, bytes.length);
        } else {
            file.read(at + HEAD, bytes, bytes.length);
        }
        return json ? Payload.json(bytes) : Payload.bytes(bytes);
    }

    /** The next place where a record may begin, or the end of the file. */
    private long nextMarker(long from) throws IOException {
        long at = from;
        while (size - at >= HEAD) {
            int part = (int) Math.min(WINDOW, size - at);
            int start = load(at, part);
            for (int i = start; i <= start + part - FIELD; i++) {
                if (window[i] == DumpFormat.MARKER_START && view.getInt(i) == DumpFormat.MARKER) {
                    return at + i - start;
                }
            }
            // the last three bytes may be the beginning of a marker
            at += part - FIELD + 1;
        }
        return size;
    }

    /** Sees to it that so many bytes, which the file has, are in the window, and says where. */
    private int load(long at, int length) throws IOException {
        if (at < windowStart || at + length > windowStart + windowLength) {
            windowLength = 0;
            int filled = (int) Math.min(WINDOW, size - at);
            file.read(at, window, filled);
            windowStart = at;
            windowLength = filled;
        }
        return (int) (at - windowStart);
    }
}
