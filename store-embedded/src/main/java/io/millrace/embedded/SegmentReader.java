package io.millrace.embedded;

import java.io.IOException;
import java.util.UUID;

/** Reads a full segment of an open log. */
final class SegmentReader {
    private SegmentReader() {}

    /** @throws DamagedLogException if a frame is missing */
    static void read(SealedSegment segment, Disk disk, UUID log, FrameConsumer consumer) throws IOException {
        byte[] bytes = disk.read(segment.file(), Integer.MAX_VALUE - 8);
        SegmentImage image = new SegmentImage(segment.file(), segment.number(), bytes, log);
        int at = LogFormat.HEADER;
        for (long number = segment.first(); number <= segment.last(); number++) {
            image.check(at, number);
            consumer.accept(segment.number(), number, image.payload(at));
            at += image.size(at);
        }
    }
}
