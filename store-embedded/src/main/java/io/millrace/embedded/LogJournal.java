package io.millrace.embedded;

import io.millrace.InvalidValueException;
import io.millrace.StoreUnavailableException;
import io.millrace.heap.HeapStore;
import io.millrace.heap.Journal;
import io.millrace.spi.EngineClock;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** The journal of a heap store as a log on disk. */
final class LogJournal implements Journal {
    private final EmbeddedUrl settings;
    private final EngineClock clock;
    private final Disk disk;
    private final ExecutorService background = Executors.newCachedThreadPool(LogJournal::daemon);
    private @Nullable SegmentedLog log;
    private @Nullable Compactor compactor;
    private int segment;

    LogJournal(EmbeddedUrl settings, EngineClock clock, Disk disk) {
        this.settings = settings;
        this.clock = clock;
        this.disk = disk;
    }

    private static Thread daemon(Runnable action) {
        Thread thread = new Thread(action, "millrace-embedded");
        thread.setDaemon(true);
        return thread;
    }

    void open(FrameConsumer frames) {
        LogSettings chosen = new LogSettings(clock, background)
                .withSegmentBytes(settings.segmentBytes())
                .withForceEvery(settings.forceEvery())
                .withDisk(disk);
        log = SegmentedLog.open(settings.directory(), chosen, frames);
    }

    void serve(HeapStore store) {
        // the number of this opening must not come again, or its tokens would
        log().awaitForced(log().lastNumber());
        Compactor started = new Compactor(store, log(), settings.segmentBytes());
        compactor = started;
        background.execute(started);
    }

    private SegmentedLog log() {
        SegmentedLog open = log;
        if (open == null) {
            throw new IllegalStateException("the log is not open");
        }
        return open;
    }

    @Override
    public void admit(Use use, long bytes) {
        log().checkWhole();
        if (bytes > LogFormat.LONGEST_PAYLOAD) {
            throw new InvalidValueException(
                    "call", "of about " + bytes + " bytes", "it may have up to " + LogFormat.LONGEST_PAYLOAD);
        }
        boolean fits = use == Use.GROWTH ? log().hasRoom(bytes) : log().hasReserve(bytes);
        if (!fits) {
            throw noRoom(use, log().trouble());
        }
    }

    private StoreUnavailableException noRoom(Use use, @Nullable Exception cause) {
        String why = DiskTrouble.why(cause, settings.directory()) + ": " + whatNow(use, DiskTrouble.remedy(cause));
        return cause == null ? new StoreUnavailableException(why) : new StoreUnavailableException(why, cause);
    }

    private String whatNow(Use use, String remedy) {
        if (compactor == null) {
            return "the store cannot go on there. " + remedy + " and open it again";
        }
        return (use == Use.GROWTH
                        ? "new tasks are refused meanwhile. "
                        : "even the reserve for reports and claims is used up. ")
                + remedy + "; it goes on by itself";
    }

    @Override
    public long largestStep() {
        return settings.segmentBytes() / 4;
    }

    @Override
    public long append(ByteBuffer step) {
        long number = log().append(step);
        int now = log().lastSegment();
        if (now != segment) {
            segment = now;
            if (compactor != null) {
                background.execute(compactor);
            }
        }
        return number;
    }

    @Override
    public int segment() {
        return log().lastSegment();
    }

    @Override
    public void writeSoon(long step) {
        log().writeSoon(step);
    }

    @Override
    public void awaitDurable(long step) {
        log().awaitDurable(step);
    }

    @Override
    public void copyTo(Path directory) {
        log().copyTo(directory);
    }

    @Override
    public void close() {
        if (compactor != null) {
            compactor.close();
        }
        if (log != null) {
            log.close();
        }
        background.shutdown();
    }
}
