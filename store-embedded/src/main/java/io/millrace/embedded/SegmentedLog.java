package io.millrace.embedded;

import io.millrace.InvalidValueException;
import io.millrace.StoreUnavailableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An append-only log of frames in numbered files. One thread at a time appends, and asks for room, under a lock of the
 * caller's; then, outside of that lock, as many as like wait until their frames are on the disk.
 *
 * <p>{@link GroupCommit} lets them share writes and forces, {@link SpareSegments} prepares files, {@link Recovery}
 * reads the log when it is opened, {@link LogFormat} says what is in the files.
 */
final class SegmentedLog implements AutoCloseable {
    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

    private final LogDirectory held;
    private final UUID log;
    private final GroupCommit commit;
    private final LazyForce lazyForce;
    private final SpareSegments spares;
    private final SealedSegments sealed;
    private volatile Segment tail;
    private volatile boolean closed;

    private SegmentedLog(LogDirectory held, LogSettings settings, Opening opening) {
        this.held = held;
        log = opening.files().log();
        tail = opening.tail();
        commit = new GroupCommit(new SegmentWriter(log, tail.file(), opening.last()), opening.last());
        lazyForce = new LazyForce(commit, settings);
        spares = new SpareSegments(opening.files(), settings, opening.spares(), opening.nextSegment());
        sealed = new SealedSegments(opening.files().directory(), settings.disk(), commit, log, opening.sealed());
    }

    /**
     * Opens a log, or creates it if the directory is empty or missing.
     *
     * @param consumer is given all frames of the log
     * @throws DamagedLogException if frames may be lost; nothing was changed
     * @throws InvalidValueException if the directory cannot hold a log, or holds one of another version
     * @throws StoreUnavailableException if another process or another part of this one holds it, or a disk fails
     */
    static SegmentedLog open(Path directory, LogSettings settings, FrameConsumer consumer) {
        LogDirectory held = null;
        SegmentedLog opened = null;
        try {
            held = LogDirectory.hold(directory, settings.clock().instant());
            opened = new SegmentedLog(held, settings, Opening.open(directory, settings, consumer));
        } catch (IOException e) {
            throw new StoreUnavailableException(
                    "The log in " + directory + " could not be opened: " + DiskTrouble.text(e), e);
        } finally {
            if (opened == null && held != null) {
                held.close();
            }
        }
        opened.spares.refill();
        return opened;
    }

    /**
     * Writes all readable frames of a log that nobody has open to a new one, with new numbers. The old one is not
     * changed.
     *
     * @throws InvalidValueException if there is no log, one of another version, or something where the new one should
     *     be
     */
    static RepairReport repair(Path from, Path to, LogSettings settings, FrameFilter... filters) {
        try {
            return LogRepair.repair(from, to, settings, List.of(filters));
        } catch (IOException e) {
            throw new StoreUnavailableException(from + " could not be repaired to " + to + ": " + e, e);
        }
    }

    /**
     * Appends a frame and returns its number; there is I/O only if no segment with room for it is prepared. The frame
     * is written when somebody waits for it, or for a later one.
     *
     * @throws StoreUnavailableException if there is no room, which changes nothing, or if a write or force has failed
     */
    long append(ByteBuffer payload) {
        checkOpen();
        if (payload.remaining() > LogFormat.LONGEST_PAYLOAD) {
            throw new InvalidValueException(
                    "frame", payload.remaining(), "it may have up to " + LogFormat.LONGEST_PAYLOAD + " bytes");
        }
        commit.checkWhole();
        Segment full = tail;
        long number = commit.appended() + 1;
        int frame = LogFormat.frameSize(payload.remaining());
        if (full.fits(frame)) {
            commit.append((pending, pool) -> add(pending, pool, full, number, payload), number);
            return number;
        }
        Segment next = spares.take(frame);
        commit.append(
                (pending, pool) -> {
                    chunk(pending, pool, full, number).add(LogFormat.END, number, EMPTY);
                    add(pending, pool, next, number, payload);
                },
                number);
        sealed.add(new SealedSegment(full.number(), full.file().path(), full.first(), number - 1, full.size()));
        tail = next;
        spares.refill();
        return number;
    }

    private void add(List<Chunk> pending, ChunkPool pool, Segment segment, long number, ByteBuffer payload) {
        segment.advance(chunk(pending, pool, segment, number).add(LogFormat.DATA, number, payload));
    }

    private Chunk chunk(List<Chunk> pending, ChunkPool pool, Segment segment, long number) {
        Chunk last = pending.isEmpty() ? null : pending.get(pending.size() - 1);
        if (last != null && last.segment() == segment) {
            return last;
        }
        Chunk chunk = pool.chunk(segment, segment.isUsed() ? segment.end() : 0);
        if (!segment.isUsed()) {
            chunk.header(segment.use(log, number));
        }
        pending.add(chunk);
        return chunk;
    }

    /** The segment of the frame that was appended last. */
    int lastSegment() {
        return tail.number();
    }

    /** Number of the frame that was appended last. */
    long lastNumber() {
        return commit.appended();
    }

    /**
     * Returns when a frame and all before it have reached the operating system: the end of the process does not harm
     * them, a power cut may.
     *
     * @throws StoreUnavailableException if a write or force has failed
     */
    void awaitWritten(long number) {
        commit.await(number, false);
        lazyForce.arm();
    }

    /** Sees to it that a frame and all before it reach the operating system soon, and waits for nobody. */
    void writeSoon(long number) {
        commit.writeSoon(number);
        lazyForce.arm();
    }

    /**
     * Returns when a frame and all before it are on the disk; with {@code forceEvery}, when they are written.
     *
     * @throws StoreUnavailableException if a write or force has failed
     */
    void awaitDurable(long number) {
        commit.await(number, !lazyForce.isOn());
        lazyForce.arm();
    }

    /** Returns when a frame and all before it are on the disk, also with {@code forceEvery}. */
    void awaitForced(long number) {
        commit.await(number, true);
    }

    /**
     * Whether a frame with so many bytes of payload surely finds room, without the reserve. It does not say no only
     * because the background is behind, or because the frame is larger than a segment: then it makes room first.
     */
    boolean hasRoom(long bytes) {
        long frame = frame(bytes);
        return bytes <= LogFormat.LONGEST_PAYLOAD && ((tail.fits(frame) && spares.have(1, 0)) || spares.have(2, frame));
    }

    /**
     * Whether a frame with so many bytes of payload surely finds room, for work that has to go on when the disk is
     * full.
     */
    boolean hasReserve(long bytes) {
        long frame = frame(bytes);
        return bytes <= LogFormat.LONGEST_PAYLOAD && (tail.fits(frame) || spares.have(1, frame));
    }

    /** Why there is no room; null if the disk has not refused any. */
    @Nullable
    Exception trouble() {
        return spares.trouble();
    }

    /** @throws StoreUnavailableException if a write or force has failed, so that nothing more can be appended */
    void checkWhole() {
        commit.checkWhole();
    }

    private static long frame(long bytes) {
        return LogFormat.HEAD + bytes + 7;
    }

    /** The segments that hold frames, the oldest first. */
    List<Integer> segments() {
        return sealed.numbersWith(tail);
    }

    /**
     * Gives the frames of a segment that is full.
     *
     * @throws IllegalArgumentException if it is none
     * @throws DamagedLogException if not all of it can be read
     */
    void read(int segment, FrameConsumer consumer) {
        sealed.read(segment, consumer);
    }

    /** Deletes the oldest segment, which has to be full. */
    void deleteOldest() {
        sealed.delete(segments().get(0));
    }

    /** @throws IllegalArgumentException if the segment is not the oldest, or not full */
    void delete(int segment) {
        sealed.delete(segment);
    }

    /** What the log takes on the disk, with what is prepared. */
    long bytes() {
        return sealed.bytes() + tail.size() + spares.bytes();
    }

    /**
     * Copies all frames that were appended before the call to a directory that is empty or missing. Appending goes on
     * meanwhile; deleting waits.
     */
    void copyTo(Path directory) {
        checkOpen();
        sealed.copy(directory);
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the log " + log + " is closed");
        }
    }

    /** Makes everything durable that was appended. Nobody may be appending or waiting. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        lazyForce.close();
        boolean whole = !commit.isBroken();
        try {
            if (whole && tail.isUsed()) {
                // a mark proves that all before it is on the disk, so it is written after that
                commit.await(commit.appended(), true);
                Segment last = tail;
                long next = commit.appended() + 1;
                commit.finish(
                        (pending, pool) -> chunk(pending, pool, last, next).add(LogFormat.MARK, next, EMPTY));
                commit.checkWhole();
            }
        } finally {
            closeFiles();
        }
    }

    private void closeFiles() {
        try (held) {
            spares.close();
            tail.file().close();
        } catch (IOException e) {
            throw new StoreUnavailableException("The files of a log could not be closed: " + e, e);
        }
    }
}
