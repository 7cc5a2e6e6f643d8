package io.millrace.embedded;

import io.millrace.embedded.Disk.DiskFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log made ready for appending: what was read, the end cleaned, the files open.
 *
 * @param last number of the last frame, which is on the disk
 * @param nextSegment number of the next segment to prepare
 */
record Opening(
        SegmentFiles files,
        List<SealedSegment> sealed,
        Segment tail,
        long last,
        List<Segment> spares,
        int nextSegment) {
    private static final Logger LOG = LoggerFactory.getLogger(Opening.class);

    /** @throws DamagedLogException if the log is damaged; then nothing is changed */
    static Opening open(Path directory, LogSettings settings, FrameConsumer consumer) throws IOException {
        Disk disk = settings.disk();
        List<FoundSegment> found = FoundSegment.list(directory, disk);
        if (found.isEmpty()) {
            deleteUnfinished(directory, disk);
            SegmentFiles files = new SegmentFiles(directory, disk, UUID.randomUUID());
            return new Opening(files, List.of(), files.prepare(1, settings.segmentBytes()), 0, List.of(), 2);
        }
        Recovery.Result read = Recovery.read(found, disk, consumer);
        consumer.end();
        deleteUnfinished(directory, disk);
        List<FoundSegment> after = found.stream()
                .filter(segment -> segment.number() > read.tail().number())
                .toList();
        forceLastSealed(read, disk);
        Segment tail = tail(read, settings);
        List<Segment> spares = spares(directory, after, settings);
        return new Opening(
                new SegmentFiles(directory, disk, read.log()),
                read.sealed(),
                tail,
                read.next() - 1,
                spares,
                tail.number() + spares.size() + 1);
    }

    private static void deleteUnfinished(Path directory, Disk disk) throws IOException {
        for (Path file : disk.list(directory)) {
            if (LogFormat.isUnfinished(file)) {
                disk.delete(file);
            }
        }
    }

    /** Its end may have been written, but not forced, when the process ended. */
    private static void forceLastSealed(Recovery.Result read, Disk disk) throws IOException {
        if (!read.sealed().isEmpty()) {
            Path last = read.sealed().get(read.sealed().size() - 1).file();
            try (DiskFile file = disk.open(last)) {
                file.force();
            }
        }
    }

    /** Zeros what belongs to no frame, so that it never comes back, and forces what was only written when it was read. */
    private static Segment tail(Recovery.Result read, LogSettings settings) throws IOException {
        FoundSegment found = read.tail();
        int size = found.header().map(header -> Math.toIntExact(header.size())).orElse((int)
                Math.max(found.length(), settings.segmentBytes()));
        DiskFile file = settings.disk().open(found.file());
        boolean ready = false;
        try {
            clean(read, file, size);
            file.force();
            ready = true;
        } finally {
            if (!ready) {
                file.close();
            }
        }
        return read.end() == 0
                ? Segment.unused(found.number(), file, size)
                : Segment.used(
                        found.number(), file, size, found.header().orElseThrow().first(), read.end());
    }

    private static void clean(Recovery.Result read, DiskFile file, int size) throws IOException {
        FoundSegment found = read.tail();
        if (read.endOfRest() > read.rest()) {
            LOG.warn(
                    "{} ends in a write that was not finished: {} bytes from offset {} on, after frame {}, are dropped;"
                            + " they are not known to have been durable",
                    found.file(),
                    read.endOfRest() - read.rest(),
                    read.rest(),
                    read.next() - 1);
            SegmentFiles.zero(file, read.rest(), read.endOfRest());
        }
        if (found.length() < size) {
            LOG.warn("{} was cut to {} bytes; it is filled up to {} again", found.file(), found.length(), size);
            SegmentFiles.zero(file, found.length(), size);
        }
    }

    /** Those that can be used as they are; the others, and all after them, are prepared again. */
    private static List<Segment> spares(Path directory, List<FoundSegment> after, LogSettings settings)
            throws IOException {
        Disk disk = settings.disk();
        List<Segment> spares = new ArrayList<>();
        for (FoundSegment segment : after) {
            if (!segment.isSpare(settings.segmentBytes())) {
                break;
            }
            spares.add(Segment.unused(segment.number(), disk.open(segment.file()), settings.segmentBytes()));
        }
        // the last first, so that a crash leaves no gap
        for (int i = after.size() - 1; i >= spares.size(); i--) {
            disk.delete(after.get(i).file());
            disk.forceDirectory(directory);
        }
        return spares;
    }
}
