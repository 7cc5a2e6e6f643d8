package io.millrace.embedded;

import io.millrace.StoreUnavailableException;
import io.millrace.heap.HeapStore;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the log from growing for ever: writes anew what is still needed of the oldest segment, and deletes that. It does so
 * while less than half of the log is needed, so each task is written about twice at most, and the disk holds about twice
 * what is alive.
 */
final class Compactor implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(Compactor.class);
    /** Below this many segments, with those that are prepared, nothing is gained. */
    private static final int FEW = 6;

    private final HeapStore store;
    private final SegmentedLog journal;
    private final long segmentBytes;
    private final Semaphore idle = new Semaphore(1);
    private volatile boolean closed;

    Compactor(HeapStore store, SegmentedLog journal, int segmentBytes) {
        this.store = store;
        this.journal = journal;
        this.segmentBytes = segmentBytes;
    }

    @Override
    public void run() {
        if (!idle.tryAcquire()) {
            return;
        }
        try {
            while (!closed && isWorthIt()) {
                reclaimOldest();
            }
        } catch (StoreUnavailableException e) {
            log.warn("The log could not be compacted; it is tried again with the next segment: {}", e.getMessage());
        } catch (RuntimeException e) {
            log.error("The log could not be compacted; it is tried again with the next segment", e);
        } finally {
            idle.release();
        }
    }

    private boolean isWorthIt() {
        long alive =
                store.liveBytes().values().stream().mapToLong(Long::longValue).sum();
        boolean hasOld = journal.segments().size() > 1;
        return hasOld && journal.bytes() > 2 * alive + FEW * segmentBytes;
    }

    private void reclaimOldest() {
        int oldest = journal.segments().get(0);
        carryOver(oldest);
        if (closed) {
            return;
        }
        // forced in any case: what was durable long ago is about to stand only here
        journal.awaitForced(store.beginWithSegment(oldest + 1));
        journal.deleteOldest();
        store.forgetSegment(oldest);
    }

    private void carryOver(int oldest) {
        try {
            journal.read(oldest, (segment, number, payload) -> {
                if (!closed) {
                    store.carryOver(oldest, payload);
                }
            });
        } catch (DamagedLogException e) {
            log.error(
                    "{} has been damaged at offset {}: {}. What it held is in memory too and is written anew, so nothing"
                            + " is lost; but see to the disk",
                    e.file(),
                    e.offset(),
                    e.reason());
            store.carryOver(oldest);
        }
    }

    /** Waits until nothing of the log is touched any more. */
    void close() {
        closed = true;
        idle.acquireUninterruptibly();
        idle.release();
    }
}
