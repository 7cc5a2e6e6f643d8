package io.millrace.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/** A segment file of a directory. The header is empty if it is damaged. */
record FoundSegment(int number, Path file, long length, Optional<SegmentHeader> header) {
    /** The segments of a directory in their order. Other files are not looked at. */
    static List<FoundSegment> list(Path directory, Disk disk) throws IOException {
        List<FoundSegment> found = new ArrayList<>();
        for (Path file : disk.list(directory)) {
            OptionalInt number = LogFormat.segmentNumber(file);
            if (number.isPresent()) {
                found.add(read(number.getAsInt(), file, disk));
            }
        }
        found.sort(Comparator.comparingInt(FoundSegment::number));
        return found;
    }

    private static FoundSegment read(int number, Path file, Disk disk) throws IOException {
        byte[] start = disk.read(file, LogFormat.HEADER);
        Optional<SegmentHeader> header =
                start.length < LogFormat.HEADER ? Optional.empty() : SegmentHeader.decode(file, start);
        return new FoundSegment(number, file, disk.size(file), header);
    }

    /** The id of the log that most of the segments belong to. */
    static Optional<UUID> log(List<FoundSegment> found) {
        Map<UUID, Integer> segments = new LinkedHashMap<>();
        for (FoundSegment segment : found) {
            segment.header().ifPresent(header -> segments.merge(header.log(), 1, Integer::sum));
        }
        return segments.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    }

    boolean isUsed() {
        return header.isPresent() && header.get().isUsed();
    }

    boolean isUnused() {
        return header.isPresent() && !header.get().isUsed();
    }

    /** Whether it is prepared for use as segments of that size are. */
    boolean isSpare(int size) {
        return isUnused() && length == size && header.orElseThrow().size() == size;
    }

    SegmentImage load(Disk disk, UUID log) throws IOException {
        return new SegmentImage(file, number, disk.read(file, Integer.MAX_VALUE - 8), log);
    }
}
