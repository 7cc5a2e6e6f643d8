package io.millrace.embedded;

import io.millrace.StoreUnavailableException;
import io.millrace.spi.EngineClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Segments that are prepared before they are needed, so that appending neither waits for their creation nor fails
 * half-way on a full disk. The last of them is a reserve: new work is refused before it is touched.
 */
final class SpareSegments {
    private static final Logger LOG = LoggerFactory.getLogger(SpareSegments.class);
    private static final int WANTED = 2;
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final SegmentFiles files;
    private final int size;
    private final EngineClock clock;
    private final Executor background;

    /** Held while files are written; {@link #lock} only for a moment, so that nobody waits who finds a spare. */
    private final ReentrantLock preparing = new ReentrantLock();

    private final ReentrantLock lock = new ReentrantLock();

    // guarded by the lock
    private final ArrayDeque<Segment> ready = new ArrayDeque<>();
    private int nextNumber;
    private boolean closed;
    private EngineClock.@Nullable Timer retry;

    private volatile boolean failing;
    /** Why segments cannot be prepared, while that is so. */
    private volatile @Nullable Exception trouble;

    SpareSegments(SegmentFiles files, LogSettings settings, List<Segment> ready, int nextNumber) {
        this.files = files;
        size = settings.segmentBytes();
        clock = settings.clock();
        background = settings.background();
        this.ready.addAll(ready);
        this.nextNumber = nextNumber;
    }

    /**
     * Whether so many spares are there and the first of them takes such a frame. If not, it prepares them now, unless
     * that has failed lately.
     */
    boolean have(int count, long frame) {
        if (haveNow(count, frame)) {
            return true;
        }
        return !failing && prepare(frame) && haveNow(count, frame);
    }

    private boolean haveNow(int count, long frame) {
        lock.lock();
        try {
            Segment first = ready.peek();
            return ready.size() >= count && first != null && first.fits(frame);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The next segment, large enough for a frame.
     *
     * @throws StoreUnavailableException if there is no room for it; the log is as it was
     */
    Segment take(long frame) {
        if (!haveNow(1, frame) && !prepare(frame) && !haveNow(1, frame)) {
            Exception cause = trouble;
            throw new StoreUnavailableException(
                    "No segment can be prepared: " + DiskTrouble.why(cause, files.directory()) + ". "
                            + DiskTrouble.remedy(cause) + "; it goes on by itself",
                    cause == null ? new IOException("No spare segment could be prepared") : cause);
        }
        lock.lock();
        try {
            return ready.remove();
        } finally {
            lock.unlock();
        }
    }

    /** Why no segment can be prepared; null if that has not failed. */
    @Nullable
    Exception trouble() {
        return trouble;
    }

    /** Prepares what is missing, in the background. */
    void refill() {
        try {
            background.execute(() -> prepare(0));
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    /** Whether all spares are there, the first of them large enough for a frame. */
    private boolean prepare(long frame) {
        preparing.lock();
        try {
            while (isMissing()) {
                add(files.prepare(nextNumber, size));
            }
            enlargeFirst(frame);
            worked();
            return true;
        } catch (IOException | RuntimeException e) {
            failed(e);
            return false;
        } finally {
            preparing.unlock();
        }
    }

    private boolean isMissing() {
        lock.lock();
        try {
            return !closed && ready.size() < WANTED;
        } finally {
            lock.unlock();
        }
    }

    private void add(Segment segment) {
        lock.lock();
        try {
            ready.add(segment);
            nextNumber++;
        } finally {
            lock.unlock();
        }
    }

    /** Only the thread that appends asks for it, and only that one takes spares, so the first stays the first. */
    private void enlargeFirst(long frame) throws IOException {
        Segment first = first();
        if (frame == 0 || first == null || first.fits(frame)) {
            return;
        }
        Segment enlarged = files.enlarge(first, (int) Segment.sizeFor(frame));
        lock.lock();
        try {
            ready.remove();
            ready.addFirst(enlarged);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Segment first() {
        lock.lock();
        try {
            return ready.peek();
        } finally {
            lock.unlock();
        }
    }

    private void worked() {
        if (failing) {
            failing = false;
            trouble = null;
            LOG.info("Segments can be prepared again in {}; new work is taken", files.directory());
        }
    }

    private void failed(Exception cause) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            if (!failing) {
                LOG.warn(
                        "No segment of {} bytes can be prepared in {}: {}. Work that is already there goes on; new work is"
                                + " refused until one can, which is tried again every second",
                        size,
                        files.directory(),
                        DiskTrouble.text(cause));
            }
            trouble = cause;
            failing = true;
            if (retry == null) {
                retry = clock.after(RETRY, this::tryAgain);
            }
        } finally {
            lock.unlock();
        }
    }

    private void tryAgain() {
        lock.lock();
        try {
            retry = null;
        } finally {
            lock.unlock();
        }
        refill();
    }

    long bytes() {
        lock.lock();
        try {
            return ready.stream().mapToLong(Segment::size).sum();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a preparation that is under way. */
    void close() throws IOException {
        lock.lock();
        try {
            closed = true;
            if (retry != null) {
                retry.cancel();
            }
        } finally {
            lock.unlock();
        }
        preparing.lock();
        try {
            for (Segment segment : ready) {
                segment.file().close();
            }
        } finally {
            preparing.unlock();
        }
    }
}
