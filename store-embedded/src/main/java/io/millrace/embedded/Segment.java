package io.millrace.embedded;

import io.millrace.embedded.Disk.DiskFile;
import java.util.UUID;

/** A segment that is or will be appended to. All of it but the file belongs to the thread that appends. */
final class Segment {
    private final int number;
    private final DiskFile file;
    private final int size;
    private long first;
    private int end;

    private Segment(int number, DiskFile file, int size, long first, int end) {
        this.number = number;
        this.file = file;
        this.size = size;
        this.first = first;
        this.end = end;
    }

    /** One that holds nothing but zeros, and a header that says so. */
    static Segment unused(int number, DiskFile file, int size) {
        return new Segment(number, file, size, 0, 0);
    }

    static Segment used(int number, DiskFile file, int size, long first, int end) {
        return new Segment(number, file, size, first, end);
    }

    Segment enlarged(int to) {
        return unused(number, file, to);
    }

    int number() {
        return number;
    }

    DiskFile file() {
        return file;
    }

    int size() {
        return size;
    }

    /** Number of the first frame. */
    long first() {
        return first;
    }

    /** Where the next frame begins. */
    int end() {
        return end;
    }

    boolean isUsed() {
        return first != 0;
    }

    /** Whether a frame fits, with the end of the segment after it. */
    boolean fits(long frame) {
        return Math.max(end, LogFormat.HEADER) + frame + LogFormat.HEAD <= size;
    }

    /** Gives it the number of its first frame; returns the header to write. */
    byte[] use(UUID log, long firstFrame) {
        first = firstFrame;
        end = LogFormat.HEADER;
        return new SegmentHeader(number, firstFrame, log, size).encode();
    }

    /** The size that a segment for one frame needs. */
    static long sizeFor(long frame) {
        return LogFormat.HEADER + frame + LogFormat.HEAD;
    }

    void advance(int bytes) {
        end += bytes;
    }
}
