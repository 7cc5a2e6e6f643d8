package io.millrace.embedded;

import io.millrace.embedded.Disk.DiskFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

/** Creates the files of a log. A file gets its name when all of it is on the disk. */
final class SegmentFiles {
    private static final byte[] ZEROS = new byte[256 << 10];

    private final Path directory;
    private final Disk disk;
    private final UUID log;

    SegmentFiles(Path directory, Disk disk, UUID log) {
        this.directory = directory;
        this.disk = disk;
        this.log = log;
    }

    Path directory() {
        return directory;
    }

    UUID log() {
        return log;
    }

    /** A segment of zeros: real ones, so that no later write needs room or has to note in the file system that it got some. */
    Segment prepare(int number, int size) throws IOException {
        Path unfinished = LogFormat.unfinishedFile(directory, number);
        try (DiskFile file = disk.create(unfinished)) {
            file.write(0, new SegmentHeader(number, 0, log, size).encode(), LogFormat.HEADER);
            zero(file, LogFormat.HEADER, size);
            file.force();
        } catch (IOException e) {
            deleteQuietly(unfinished, e);
            throw e;
        }
        Path named = LogFormat.segmentFile(directory, number);
        disk.rename(unfinished, named);
        disk.forceDirectory(directory);
        return Segment.unused(number, disk.open(named), size);
    }

    /** For a frame that fits into no ordinary segment. */
    Segment enlarge(Segment segment, int size) throws IOException {
        try {
            zero(segment.file(), segment.size(), size);
            segment.file().force();
        } catch (IOException e) {
            segment.file().truncate(segment.size());
            throw e;
        }
        return segment.enlarged(size);
    }

    static void zero(DiskFile file, long from, long to) throws IOException {
        for (long at = from; at < to; at += ZEROS.length) {
            file.write(at, ZEROS, (int) Math.min(ZEROS.length, to - at));
        }
    }

    /** What is left over of a file that could not be finished takes room that others need. */
    private void deleteQuietly(Path file, IOException reason) {
        try {
            disk.delete(file);
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }
}
