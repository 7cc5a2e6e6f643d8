package io.millrace.embedded;

import io.millrace.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/** The segments that are full: read, copied and, the oldest first, deleted. */
final class SealedSegments {
    private final Path directory;
    private final Disk disk;
    private final GroupCommit commit;
    private final UUID log;

    /** Held while files are read or deleted, so that none goes away under a reader. */
    private final ReentrantLock using = new ReentrantLock();

    private final ReentrantLock lock = new ReentrantLock();
    private List<SealedSegment> segments;

    SealedSegments(Path directory, Disk disk, GroupCommit commit, UUID log, List<SealedSegment> segments) {
        this.directory = directory;
        this.disk = disk;
        this.commit = commit;
        this.log = log;
        this.segments = List.copyOf(segments);
    }

    /** All of them now. */
    private List<SealedSegment> segments() {
        lock.lock();
        try {
            return segments;
        } finally {
            lock.unlock();
        }
    }

    void add(SealedSegment segment) {
        lock.lock();
        try {
            List<SealedSegment> more = new ArrayList<>(segments);
            more.add(segment);
            segments = List.copyOf(more);
        } finally {
            lock.unlock();
        }
    }

    List<Integer> numbersWith(Segment tail) {
        return Stream.concat(segments().stream().map(SealedSegment::number), Stream.of(tail.number()))
                .toList();
    }

    long bytes() {
        return segments().stream().mapToLong(SealedSegment::size).sum();
    }

    void read(int number, FrameConsumer consumer) {
        using.lock();
        try {
            SealedSegment segment = find(number);
            awaitEnd(segment);
            SegmentReader.read(segment, disk, log, consumer);
        } catch (IOException e) {
            throw new StoreUnavailableException(
                    "Segment " + number + " of " + directory + " cannot be read: " + DiskTrouble.text(e), e);
        } finally {
            using.unlock();
        }
    }

    private SealedSegment find(int number) {
        return segments().stream()
                .filter(segment -> segment.number() == number)
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("segment " + number + " of " + directory + " is not a full one"));
    }

    /** Its end is written before the frame that follows. A log that was opened may have none yet, but has the end. */
    private void awaitEnd(SealedSegment segment) {
        commit.await(Math.min(segment.last() + 1, commit.appended()), false);
    }

    /** The header of the next segment, which goes to the disk with its first frame, keeps the count of the frames. */
    private void awaitNext(SealedSegment segment) {
        if (segment.last() == commit.appended()) {
            throw new IllegalArgumentException(
                    "segment " + segment.number() + " of " + directory + " holds the last frame");
        }
        commit.await(segment.last() + 1, true);
    }

    void delete(int number) {
        using.lock();
        try {
            SealedSegment segment = find(number);
            if (segment.number() != segments().get(0).number()) {
                throw new IllegalArgumentException("segment " + number + " of " + directory + " is not the oldest");
            }
            awaitNext(segment);
            disk.delete(segment.file());
            removeOldest();
            disk.forceDirectory(directory);
        } catch (IOException e) {
            throw new StoreUnavailableException(
                    "Segment " + number + " of " + directory + " cannot be deleted: " + DiskTrouble.text(e), e);
        } finally {
            using.unlock();
        }
    }

    private void removeOldest() {
        lock.lock();
        try {
            segments = segments.subList(1, segments.size());
        } finally {
            lock.unlock();
        }
    }

    /** Copies all frames that there are. */
    void copy(Path target) {
        using.lock();
        try {
            // not before: what segments held that were deleted meanwhile stands in frames that came meanwhile
            long last = commit.appended();
            commit.await(last, true);
            LogCopy.copy(directory, target, disk, last);
        } catch (IOException e) {
            throw new StoreUnavailableException(
                    directory + " cannot be copied to " + target + ": " + DiskTrouble.text(e), e);
        } finally {
            using.unlock();
        }
    }
}
