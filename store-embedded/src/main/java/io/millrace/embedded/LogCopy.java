package io.millrace.embedded;

import io.millrace.InvalidValueException;
import io.millrace.embedded.Disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Copies a log up to a frame that is on the disk, while others append to it. What is copied is checked. A copy that was
 * not finished cannot be opened: the last file that it has says that another follows.
 */
final class LogCopy {
    private final Path target;
    private final Disk disk;
    private final long last;

    private LogCopy(Path target, Disk disk, long last) {
        this.target = target;
        this.disk = disk;
        this.last = last;
    }

    /** @throws InvalidValueException if the target is neither missing nor an empty directory */
    static void copy(Path source, Path target, Disk disk, long last) throws IOException {
        checkEmpty(target, disk);
        LogCopy copy = new LogCopy(target, disk, last);
        for (FoundSegment segment : FoundSegment.list(source, disk)) {
            if (segment.isUsed() && !copy.segment(segment, segment.header().orElseThrow())) {
                break;
            }
        }
        disk.forceDirectory(target);
    }

    static void checkEmpty(Path target, Disk disk) throws IOException {
        if (!Files.exists(target)) {
            Path parent = target.toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            PrivateFiles.createDirectory(target);
        }
        if (!Files.isDirectory(target) || !disk.list(target).isEmpty()) {
            throw new InvalidValueException("target", target, "it must be an empty directory, or not exist");
        }
    }

    /** Whether the next segment belongs to the copy too. */
    private boolean segment(FoundSegment segment, SegmentHeader header) throws IOException {
        SegmentImage image = segment.load(disk, header.log());
        int at = LogFormat.HEADER;
        long next = header.first();
        while (next <= last && !isEnd(image, at, next)) {
            image.check(at, next);
            at += image.size(at);
            next++;
        }
        boolean more = next <= last;
        write(header, image, at, lastFrame(header.log(), more ? LogFormat.END : LogFormat.MARK, next));
        return more;
    }

    private static boolean isEnd(SegmentImage image, int at, long next) {
        return image.flaw(at, next) == null && image.kind(at) == LogFormat.END;
    }

    private static byte[] lastFrame(UUID log, int kind, long next) {
        byte[] frame = new byte[LogFormat.HEAD];
        ByteBuffer view = ByteBuffer.wrap(frame).putInt(kind).putInt(0).putLong(next);
        view.putInt(LogFormat.CHECKSUM_AT, new LogFormat.Checksum(log).of(frame, 0, 0));
        return frame;
    }

    private void write(SegmentHeader header, SegmentImage image, int end, byte[] lastFrame) throws IOException {
        Path unfinished = LogFormat.unfinishedFile(target, header.segment());
        try (DiskFile file = disk.create(unfinished)) {
            file.write(0, image.bytes(), end);
            file.write(end, lastFrame, lastFrame.length);
            SegmentFiles.zero(file, end + lastFrame.length, header.size());
            file.force();
        }
        disk.rename(unfinished, LogFormat.segmentFile(target, header.segment()));
    }
}
