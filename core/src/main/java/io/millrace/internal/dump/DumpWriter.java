package io.millrace.internal.dump;

import io.millrace.spi.EngineClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects records and flushes them to files. Two locks, so that records are taken while others are on their way to the
 * disk: the monitor guards the buffer and is never held over file work; {@code io} guards the files and what is being
 * written. Who needs both takes {@code io} first.
 */
public final class DumpWriter {
    private static final Logger log = LoggerFactory.getLogger(DumpWriter.class);
    private static final int BUFFERS = 4;
    private static final byte[] NOTHING = new byte[0];

    private final DumpSettings settings;
    private final long most;
    private final ReentrantLock io = new ReentrantLock();
    private final DumpFiles files;
    private byte[] unwritten = NOTHING;

    private ByteArrayOutputStream filling = new ByteArrayOutputStream();
    private long buffered;
    private long items;
    private boolean failing;
    private boolean closed;
    private EngineClock.@Nullable Timer timer;

    public DumpWriter(DumpSettings settings) {
        this.settings = settings;
        most = (long) BUFFERS * settings.flushBytes();
        files = new DumpFiles(settings, this::finishFile);
    }

    public synchronized long items() {
        return items;
    }

    public long bytes() {
        return files.written();
    }

    /** Takes a record. If it throws, the record was not taken. */
    public void add(byte[] payload, boolean json) {
        byte[] head = DumpFormat.head(payload, json);
        while (!offer(head, payload)) {
            makeRoom();
        }
        if (isDue()) {
            flushIfDue();
        }
    }

    private synchronized boolean offer(byte[] head, byte[] payload) {
        if (closed) {
            throw new IllegalStateException(
                    "the dump to " + settings.directory() + " is closed and takes no more items");
        }
        if (buffered >= most) {
            return false;
        }
        filling.writeBytes(head);
        filling.writeBytes(payload);
        buffered += (long) head.length + payload.length;
        items++;
        arm();
        return true;
    }

    private void makeRoom() {
        try {
            flush();
        } catch (UncheckedIOException e) {
            throw new UncheckedIOException(
                    "the item was not taken, the buffer is full: " + e.getMessage(), e.getCause());
        }
    }

    /** While flushes fail, only the timer tries, and whoever needs room. */
    private synchronized boolean isDue() {
        return !failing && filling.size() >= settings.flushBytes();
    }

    /** Several may find that a flush is due and wait for the disk; the first one's flush does for all. */
    private void flushIfDue() {
        io.lock();
        try {
            if (isDue()) {
                flushOrWarn();
            }
        } finally {
            io.unlock();
        }
    }

    public void flush() {
        io.lock();
        try {
            write(unwritten);
            write(swap());
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "%s could not be written (%s); %d bytes stay buffered, and the next flush or close tries again"
                            .formatted(files.latest(), e, failed()),
                    e);
        } finally {
            io.unlock();
        }
    }

    private void write(byte[] chunk) throws IOException {
        unwritten = chunk;
        if (chunk.length > 0) {
            files.append(chunk);
            unwritten = NOTHING;
            succeeded(chunk.length);
        }
    }

    private synchronized byte[] swap() {
        disarm();
        byte[] chunk = filling.toByteArray();
        filling = new ByteArrayOutputStream();
        return chunk;
    }

    private synchronized void succeeded(int bytes) {
        buffered -= bytes;
        failing = false;
    }

    private synchronized long failed() {
        failing = true;
        arm();
        return buffered;
    }

    private synchronized void arm() {
        if (timer == null && !closed) {
            timer = settings.clock().after(settings.flushEvery(), this::onTimer);
        }
    }

    private synchronized void disarm() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void onTimer() {
        disarm();
        flushOrWarn();
    }

    private void flushOrWarn() {
        try {
            flush();
        } catch (UncheckedIOException e) {
            log.warn("{}; this happens in {} at the latest", e.getMessage(), settings.flushEvery());
        }
    }

    private void finishFile() {
        io.lock();
        try {
            files.finish();
        } finally {
            io.unlock();
        }
    }

    /** Takes no more items and writes what is buffered. If it throws, it can be called again. */
    public void close() {
        synchronized (this) {
            closed = true;
            disarm();
        }
        io.lock();
        try {
            flush();
            files.finish();
        } finally {
            io.unlock();
        }
    }
}
