package io.millrace.embedded;

import static io.millrace.embedded.LogFormat.HEAD;
import static io.millrace.embedded.LogFormat.HEADER;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log when it is opened, and decides where it ends. It changes nothing on the disk.
 *
 * <p>A segment is complete on the disk before the next one is begun, so only the last one may end in something that is
 * no frame: in a write that was not finished. It was not finished if no frame after it was written in the knowledge that
 * the disk had it. Everything else is damage.
 */
final class Recovery {
    private final List<FoundSegment> found;
    private final Disk disk;
    private final UUID log;
    private final FrameConsumer consumer;
    private final List<SealedSegment> sealed = new ArrayList<>();
    private long next;

    private Recovery(List<FoundSegment> found, Disk disk, FrameConsumer consumer) {
        this.found = found;
        this.disk = disk;
        this.consumer = consumer;
        log = FoundSegment.log(found).orElseThrow(() -> damaged(found.get(0), "its header is not whole"));
    }

    /**
     * What an existing log holds.
     *
     * @param tail the segment that is appended to
     * @param end where it is appended to; 0 if the segment was not begun
     * @param rest where the part of the tail begins that has to be zeros
     * @param endOfRest up to where it is not
     * @param next number of the next frame
     */
    record Result(
            UUID log, List<SealedSegment> sealed, FoundSegment tail, int end, int rest, int endOfRest, long next) {}

    /** Where the frames of a segment end. The flaw is null if that is the end of the segment. */
    private record End(int at, @Nullable String flaw) {}

    /** @throws DamagedLogException if the log is damaged */
    static Result read(List<FoundSegment> found, Disk disk, FrameConsumer consumer) throws IOException {
        return new Recovery(found, disk, consumer).run();
    }

    private Result run() throws IOException {
        int last = lastBegun();
        check(last);
        FoundSegment oldest = found.get(0);
        next = oldest.isUsed() ? oldest.header().orElseThrow().first() : 1;
        for (int i = 0; i <= last; i++) {
            FoundSegment segment = found.get(i);
            if (!segment.isUsed()) {
                return notBegun(segment);
            }
            SegmentImage image = segment.load(disk, log);
            End end = frames(segment, image);
            if (end.flaw() != null) {
                if (i < last) {
                    throw new DamagedLogException(
                            segment.file(), end.at(), end.flaw() + ", and the log goes on in the next segment");
                }
                return tail(segment, image, end);
            }
            sealed.add(new SealedSegment(
                    segment.number(),
                    segment.file(),
                    segment.header().orElseThrow().first(),
                    next - 1,
                    segment.length()));
        }
        if (last + 1 == found.size()) {
            FoundSegment before = found.get(last);
            throw new DamagedLogException(
                    before.file(), 0, "the segment after it, which was begun or prepared, is missing");
        }
        return notBegun(found.get(last + 1));
    }

    /** The last segment that frames were written to, or -1. */
    private int lastBegun() throws IOException {
        int last = found.size() - 1;
        while (last >= 0 && !isBegun(found.get(last))) {
            last--;
        }
        return last;
    }

    private boolean isBegun(FoundSegment segment) throws IOException {
        if (segment.header().isPresent()) {
            return segment.isUsed();
        }
        SegmentImage image = segment.load(disk, log);
        return image.nextWhole(HEADER) < image.length();
    }

    private void check(int last) {
        for (int i = 0; i < found.size(); i++) {
            FoundSegment segment = found.get(i);
            if (i > 0 && segment.number() != found.get(i - 1).number() + 1) {
                throw damaged(segment, "the segment before it is missing");
            }
            if (segment.header().isPresent()) {
                check(segment, segment.header().get());
            }
            if (i < last && !segment.isUsed()) {
                throw damaged(
                        segment,
                        segment.isUnused() ? "its header says that it is not in use" : "its header is not whole");
            }
        }
        FoundSegment oldest = found.get(0);
        if (!oldest.isUsed() && oldest.number() != 1) {
            throw damaged(oldest, "the segments before it are missing");
        }
    }

    private void check(FoundSegment segment, SegmentHeader header) {
        if (header.segment() != segment.number()) {
            throw damaged(segment, "its header is that of segment " + header.segment());
        }
        if (!header.log().equals(log)) {
            throw damaged(segment, "it belongs to another log, " + header.log() + " and not " + log);
        }
        if (segment.number() == 1 && header.isUsed() && header.first() != 1) {
            throw damaged(segment, "its first frame has the number " + header.first() + " and not 1");
        }
    }

    private End frames(FoundSegment segment, SegmentImage image) {
        long first = segment.header().orElseThrow().first();
        if (first != next) {
            throw damaged(segment, "its first frame has the number " + first + " and not " + next);
        }
        for (int at = HEADER; ; at += image.size(at)) {
            String flaw = image.flaw(at, next);
            if (flaw != null) {
                return new End(at, flaw);
            }
            if (image.kind(at) != LogFormat.DATA) {
                return new End(at, image.kind(at) == LogFormat.END ? null : "the log was closed here");
            }
            consumer.accept(segment.number(), next, image.payload(at));
            next++;
        }
    }

    private Result tail(FoundSegment segment, SegmentImage image, End end) {
        checkTorn(image, end.at(), String.valueOf(end.flaw()));
        boolean closed = image.flaw(end.at(), next) == null;
        int rest = closed ? end.at() + HEAD : end.at();
        return new Result(log, sealed, segment, end.at(), rest, image.endOfBytes(rest), next);
    }

    /** The last segment, if no header says what is in it: a write to it may have been torn. */
    private Result notBegun(FoundSegment segment) throws IOException {
        // a file has its full size before it gets its name, so no crash cuts it
        if (segment.length() < HEADER) {
            throw damaged(segment, "the file ends within its header");
        }
        SegmentImage image = segment.load(disk, log);
        checkTorn(image, HEADER, "its header does not say that it is in use");
        int rest = segment.header().isPresent() ? HEADER : 0;
        return new Result(log, sealed, segment, 0, rest, image.endOfBytes(rest), next);
    }

    private void checkTorn(SegmentImage image, int at, String flaw) {
        if (image.provesForced(at, next)) {
            throw new DamagedLogException(
                    image.file(), at, flaw + ", and later frames prove that frame " + next + " was on the disk");
        }
    }

    private static DamagedLogException damaged(FoundSegment segment, String reason) {
        return new DamagedLogException(segment.file(), 0, reason);
    }
}
