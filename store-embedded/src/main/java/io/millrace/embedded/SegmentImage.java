package io.millrace.embedded;

import static io.millrace.embedded.LogFormat.HEAD;
import static io.millrace.embedded.LogFormat.HEADER;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A segment as it was read from its file. It believes nothing of a frame before its checksum was found right. */
final class SegmentImage {
    private final Path file;
    private final int segment;
    private final byte[] bytes;
    private final ByteBuffer view;
    private final LogFormat.Checksum checksum;

    SegmentImage(Path file, int segment, byte[] bytes, UUID log) {
        this.file = file;
        this.segment = segment;
        this.bytes = bytes;
        view = ByteBuffer.wrap(bytes);
        checksum = new LogFormat.Checksum(log);
    }

    Path file() {
        return file;
    }

    int segment() {
        return segment;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return bytes.length;
    }

    /** Why no whole frame begins here, or null if one does. */
    @Nullable
    String flaw(int at) {
        if (at > bytes.length - HEAD) {
            return "the file ends where a frame should be";
        }
        int kind = kind(at);
        if (kind != LogFormat.DATA && kind != LogFormat.END && kind != LogFormat.MARK) {
            return kind == 0 ? "there are zeros where a frame should be" : "no frame begins here";
        }
        int payload = view.getInt(at + LogFormat.LENGTH_AT);
        if (payload < 0 || payload > LogFormat.LONGEST_PAYLOAD || payload > bytes.length - at - HEAD) {
            return "the length of a frame, " + payload + ", is wrong";
        }
        if (LogFormat.padded(payload) > bytes.length - at - HEAD) {
            return "the file ends within a frame";
        }
        return checksum.of(bytes, at, payload) == view.getInt(at + LogFormat.CHECKSUM_AT)
                ? null
                : "the checksum of a frame is wrong";
    }

    /** Why not the frame with this number begins here, or null if it does. */
    @Nullable
    String flaw(int at, long number) {
        String flaw = flaw(at);
        return flaw == null && number(at) != number
                ? "a frame has the number " + number(at) + " and not " + number
                : flaw;
    }

    /** @throws DamagedLogException if not the data frame with this number begins here */
    void check(int at, long number) {
        String flaw = flaw(at, number);
        if (flaw != null || kind(at) != LogFormat.DATA) {
            throw new DamagedLogException(file, at, flaw == null ? "frame " + number + " is missing" : flaw);
        }
    }

    int kind(int at) {
        return view.getInt(at);
    }

    long number(int at) {
        return view.getLong(at + LogFormat.NUMBER_AT);
    }

    /** Up to which frame all were on the disk when this one was written. */
    long forced(int at) {
        return number(at) - 1 - view.getInt(at + LogFormat.UNFORCED_AT);
    }

    int size(int at) {
        return LogFormat.frameSize(view.getInt(at + LogFormat.LENGTH_AT));
    }

    ByteBuffer payload(int at) {
        return view.slice(at + HEAD, view.getInt(at + LogFormat.LENGTH_AT)).asReadOnlyBuffer();
    }

    /** The next place where a whole frame begins, or the end of the file. */
    int nextWhole(int from) {
        for (int at = Math.max(LogFormat.padded(from), HEADER); at <= bytes.length - HEAD; at += 8) {
            if (bytes[at] == (byte) 0xFF && flaw(at) == null) {
                return at;
            }
        }
        return bytes.length;
    }

    /** Whether a frame after this place proves that the one with the number was on the disk before it. */
    boolean provesForced(int from, long number) {
        for (int at = nextWhole(from); at < bytes.length; at = nextWhole(at + size(at))) {
            if (forced(at) >= number) {
                return true;
            }
        }
        return false;
    }

    /** Where the bytes after this place that are not zero end; this place if there are none. */
    int endOfBytes(int from) {
        int end = bytes.length;
        while (end > from && bytes[end - 1] == 0) {
            end--;
        }
        return end;
    }
}
