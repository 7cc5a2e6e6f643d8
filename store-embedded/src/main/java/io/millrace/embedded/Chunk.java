package io.millrace.embedded;

import static io.millrace.embedded.LogFormat.HEAD;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Consecutive bytes of one segment that wait to be written. */
final class Chunk {
    private static final int SMALL = 16 << 10;

    private final Segment segment;
    private final int position;
    private byte[] bytes;
    private int length;
    private int frames;
    private boolean ends;
    private long lastFrame;

    Chunk(Segment segment, int position, byte[] buffer) {
        this.segment = segment;
        this.position = position;
        bytes = buffer;
    }

    Segment segment() {
        return segment;
    }

    int position() {
        return position;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** Whether the segment ends with it. */
    boolean ends() {
        return ends;
    }

    /** Number of the last data frame up to here. */
    long lastFrame() {
        return lastFrame;
    }

    void header(byte[] header) {
        reserve(header.length);
        System.arraycopy(header, 0, bytes, 0, header.length);
        length = header.length;
        frames = header.length;
    }

    /** Adds a frame that lacks what is known only when it is written; returns its size. */
    int add(int kind, long number, ByteBuffer payload) {
        int payloadLength = payload.remaining();
        int size = LogFormat.frameSize(payloadLength);
        reserve(size);
        ByteBuffer.wrap(bytes, length, size)
                .putInt(kind)
                .putInt(payloadLength)
                .putLong(number)
                .putLong(0)
                .put(payload.duplicate());
        // the buffer is used again and again
        Arrays.fill(bytes, length + HEAD + payloadLength, length + size, (byte) 0);
        length += size;
        ends |= kind == LogFormat.END;
        lastFrame = kind == LogFormat.DATA ? number : number - 1;
        return size;
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            long doubled = Math.min(Math.max(SMALL, 2L * bytes.length), segment.size());
            bytes = Arrays.copyOf(bytes, (int) Math.max(doubled, (long) length + more));
        }
    }

    /** Completes all frames, knowing up to which one the disk has them. */
    void complete(LogFormat.Checksum checksum, long forced) {
        ByteBuffer view = ByteBuffer.wrap(bytes, 0, length);
        for (int at = frames; at < length; ) {
            int payload = view.getInt(at + LogFormat.LENGTH_AT);
            long unforced = view.getLong(at + LogFormat.NUMBER_AT) - 1 - forced;
            view.putInt(at + LogFormat.UNFORCED_AT, (int) Math.min(unforced, Integer.MAX_VALUE));
            view.putInt(at + LogFormat.CHECKSUM_AT, checksum.of(bytes, at, payload));
            at += LogFormat.frameSize(payload);
        }
    }
}
