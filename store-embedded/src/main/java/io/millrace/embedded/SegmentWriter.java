package io.millrace.embedded;

import io.millrace.embedded.Disk.DiskFile;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/**
 * Brings chunks to the disk; only for the one who leads.
 *
 * <p>A segment that ends is forced before anything is written to the next one, so that only the last segment of a log
 * can ever be torn.
 */
final class SegmentWriter {
    private final LogFormat.Checksum checksum;
    private DiskFile current;
    private boolean dirty;
    private long written;
    private long forced;

    /** @param last the last frame, which is forced */
    SegmentWriter(UUID log, DiskFile current, long last) {
        checksum = new LogFormat.Checksum(log);
        this.current = current;
        written = last;
        forced = last;
    }

    /** Up to which frame all are on the disk. */
    long forced() {
        return forced;
    }

    /** The file that was worked on last. */
    DiskFile current() {
        return current;
    }

    /** @param last the last frame of the chunks */
    void write(List<Chunk> chunks, long last) throws IOException {
        for (Chunk chunk : chunks) {
            current = chunk.segment().file();
            chunk.complete(checksum, forced);
            current.write(chunk.position(), chunk.bytes(), chunk.length());
            dirty = true;
            if (chunk.ends()) {
                force(chunk.lastFrame());
                current.close();
            }
        }
        written = last;
    }

    /** Forces everything that was written. */
    void force() throws IOException {
        force(written);
    }

    private void force(long last) throws IOException {
        if (dirty) {
            current.force();
            dirty = false;
        }
        forced = last;
    }
}
