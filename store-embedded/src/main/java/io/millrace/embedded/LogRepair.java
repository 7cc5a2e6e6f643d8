package io.millrace.embedded;

import io.millrace.Damage;
import io.millrace.InvalidValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Writes all readable frames of a damaged log to a new one, in their order. It looks for the next whole frame after each
 * damage; that the log's id is part of all checksums keeps it from taking bytes within a payload for one.
 */
final class LogRepair {
    /** What is not written takes memory. */
    private static final long MOST_PENDING = 1 << 20;

    private final SegmentedLog target;
    private final List<FrameFilter> filters;
    private final List<Damage> damages = new ArrayList<>();
    private long last;
    private long pending;
    private long kept;
    private long dropped;

    private LogRepair(SegmentedLog target, List<FrameFilter> filters) {
        this.target = target;
        this.filters = filters;
    }

    /** @throws InvalidValueException if there is no log, one of another version, or something where the new one should be */
    static RepairReport repair(Path from, Path to, LogSettings settings, List<FrameFilter> filters) throws IOException {
        if (!Files.isDirectory(from)) {
            throw new InvalidValueException("from", from, "it must be the directory of a log");
        }
        LogDirectory.checkNotHeld(from);
        List<FoundSegment> found = FoundSegment.list(from, settings.disk());
        UUID log = FoundSegment.log(found)
                .orElseThrow(() -> new InvalidValueException(
                        "from", from, "it must hold a log of which the header of at least one file is whole"));
        LogCopy.checkEmpty(to, settings.disk());
        try (SegmentedLog target = SegmentedLog.open(to, settings, (segment, number, payload) -> {})) {
            LogRepair repair = new LogRepair(target, filters);
            for (FoundSegment segment : found) {
                if (repair.isOfLog(segment, log)) {
                    repair.frames(segment.load(settings.disk(), log));
                }
            }
            target.awaitDurable(target.lastNumber());
            return new RepairReport(repair.kept, repair.dropped, repair.damages);
        }
    }

    private boolean isOfLog(FoundSegment segment, UUID log) {
        if (segment.header().isEmpty()) {
            damages.add(new Damage(segment.file(), 0, LogFormat.HEADER, "the header is not whole"));
        } else if (!segment.header().get().log().equals(log)) {
            damages.add(new Damage(segment.file(), 0, segment.length(), "it belongs to another log"));
            return false;
        }
        return true;
    }

    private void frames(SegmentImage image) {
        int at = LogFormat.HEADER;
        while (at < image.length()) {
            String flaw = image.flaw(at);
            if (flaw != null) {
                int whole = image.nextWhole(at + 1);
                int end = whole < image.length() ? whole : image.endOfBytes(at);
                if (end > at) {
                    damages.add(new Damage(image.file(), at, end - at, flaw));
                }
                at = whole;
            } else {
                frame(image, at);
                at += image.size(at);
            }
        }
    }

    private void frame(SegmentImage image, int at) {
        long number = image.number(at);
        if (number > last + 1 && last > 0) {
            damages.add(new Damage(
                    image.file(), at, 0, "frames " + (last + 1) + " to " + (number - 1) + " before it are missing"));
        }
        if (image.kind(at) != LogFormat.DATA) {
            last = Math.max(last, number - 1);
        } else if (number <= last) {
            damages.add(new Damage(image.file(), at, image.size(at), "frame " + number + " is there already"));
        } else {
            last = number;
            keep(image, at, number);
        }
    }

    private void keep(SegmentImage image, int at, long number) {
        for (FrameFilter filter : filters) {
            if (!filter.keep(image.segment(), number, image.payload(at))) {
                dropped++;
                return;
            }
        }
        long appended = target.append(image.payload(at));
        kept++;
        pending += image.size(at);
        if (pending > MOST_PENDING) {
            target.awaitWritten(appended);
            pending = 0;
        }
    }
}
