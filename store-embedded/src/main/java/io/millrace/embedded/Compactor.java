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
        long[] last = new long[1];
        journal.read(oldest, (segment, number, payload) -> {
            if (!closed) {
                last[0] = store.carryOver(oldest, payload);
            }
        });
        if (closed) {
            return;
        }
        last[0] = store.beginWithSegment(oldest + 1);
        journal.awaitDurable(last[0]);
        journal.deleteOldest();
        store.forgetSegment(oldest);
    }

    /** Waits until nothing of the log is touched any more. */
    void close() {
        closed = true;
        idle.acquireUninterruptibly();
        idle.release();
    }
}
