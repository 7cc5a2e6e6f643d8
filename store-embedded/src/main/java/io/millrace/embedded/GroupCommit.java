package io.millrace.embedded;

import io.millrace.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets many threads share one write and one force, without a thread of its own and without timers.
 *
 * <p>Whoever waits and finds nobody at work leads: takes all chunks that are pending, writes them, wakes those who wait
 * for no more than that, and forces if it needs that itself. Then it hands the lead to the first of those who still
 * wait, before it wakes those who are done, so that the disk works while they wake up. Nobody else is woken: with a
 * thousand waiting threads a commit costs one wake-up for each that is done, and one for the next leader.
 *
 * <p>The first failure is the end: what a file holds after a write or a force that failed is not known, and a second
 * force may report success for bytes that the system has dropped.
 */
final class GroupCommit {
    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final SegmentWriter writer;
    private final ChunkPool pool = new ChunkPool();

    // guarded by the lock
    private List<Chunk> pending = new ArrayList<>();
    private List<Waiter> waiters = new ArrayList<>();
    private boolean led;

    // written under the lock
    private volatile long appended;
    private volatile long written;
    private volatile long forced;
    private volatile @Nullable Breakage broken;

    private record Breakage(Path file, Throwable cause) {}

    /** @param last the last frame, which is on the disk */
    GroupCommit(SegmentWriter writer, long last) {
        this.writer = writer;
        appended = last;
        written = last;
        forced = last;
    }

    long forced() {
        return forced;
    }

    long written() {
        return written;
    }

    long appended() {
        return appended;
    }

    /** Adds to what is pending; no I/O. */
    void append(Appending step, long last) {
        checkWhole();
        lock.lock();
        try {
            step.run(pending, pool);
            appended = last;
        } catch (Throwable e) {
            // half a step may be pending now
            fail(e);
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /** Adds frames to the pending chunks. */
    interface Appending {
        void run(List<Chunk> pending, ChunkPool pool);
    }

    /**
     * Returns when a frame, and all before it, are written or forced. It cannot be interrupted: the frame will be
     * written whether or not anybody waits for it.
     *
     * @throws StoreUnavailableException if that failed, now or earlier
     */
    void await(long number, boolean force) {
        if (isDone(number, force)) {
            return;
        }
        if (number > appended) {
            throw new IllegalArgumentException("no frame has the number " + number + " yet");
        }
        Waiter me = new Waiter(number, force);
        if (mayLead(me) || me.awaitTurn()) {
            lead(me);
        }
        if (!isDone(number, force)) {
            checkWhole();
        }
    }

    /**
     * Sees to it that a frame, and all before it, are written as soon as the file is free. It waits for nobody: who is at
     * work now will do it.
     */
    void writeSoon(long number) {
        if (!isDone(number, false) && mayLead()) {
            lead(new Waiter(number, false));
        }
    }

    /** Writes and forces everything, with these frames, which have no numbers of their own, as the last. */
    void finish(Appending marks) {
        Waiter me = new Waiter(Long.MAX_VALUE, true);
        if (mayLead(me) || me.awaitTurn()) {
            append(marks, appended);
            lead(me);
        }
    }

    private boolean isDone(long number, boolean force) {
        return (force ? forced : written) >= number;
    }

    private boolean isDone(Waiter waiter) {
        return broken != null || isDone(waiter.number(), waiter.force());
    }

    /** Whether nobody leads; otherwise who leads writes everything that is pending before it stops. */
    private boolean mayLead() {
        lock.lock();
        try {
            if (led || broken != null) {
                return false;
            }
            led = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Whether nobody leads; otherwise the waiter is in the queue. */
    private boolean mayLead(Waiter me) {
        lock.lock();
        try {
            if (isDone(me)) {
                me.finish();
                return false;
            }
            if (led) {
                waiters.add(me);
                return false;
            }
            led = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void lead(Waiter me) {
        boolean force = me.force();
        boolean more = true;
        while (more) {
            List<Waiter> done = List.of();
            try {
                done = write();
                if (force && broken == null) {
                    Waiter.wake(done);
                    done = List.of();
                    writer.force();
                }
            } catch (Throwable e) {
                fail(e);
            }
            more = !handOver(done);
            force = false;
        }
    }

    private List<Waiter> write() throws IOException {
        List<Chunk> chunks;
        long last;
        lock.lock();
        try {
            chunks = pending;
            pending = new ArrayList<>();
            last = appended;
        } finally {
            lock.unlock();
        }
        writer.write(chunks, last);
        lock.lock();
        try {
            chunks.forEach(pool::giveBack);
            written = last;
            forced = writer.forced();
            return takeDone();
        } finally {
            lock.unlock();
        }
    }

    private void fail(Throwable cause) {
        lock.lock();
        try {
            if (broken == null) {
                broken = new Breakage(writer.current().path(), cause);
                LOG.error("{}", breakage(writer.current().path(), cause));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether somebody else leads now, or nobody has to. */
    private boolean handOver(List<Waiter> doneBefore) {
        List<Waiter> done;
        Waiter next = null;
        boolean over = true;
        lock.lock();
        try {
            if (broken == null) {
                forced = writer.forced();
            }
            done = takeDone();
            if (!waiters.isEmpty()) {
                next = waiters.remove(0);
            } else {
                over = pending.isEmpty() || broken != null;
                led = !over;
            }
        } finally {
            lock.unlock();
        }
        if (next != null) {
            next.lead();
        }
        Waiter.wake(doneBefore);
        Waiter.wake(done);
        return over;
    }

    private List<Waiter> takeDone() {
        List<Waiter> done = new ArrayList<>(waiters.size());
        List<Waiter> rest = new ArrayList<>();
        for (Waiter waiter : waiters) {
            (isDone(waiter) ? done : rest).add(waiter);
        }
        waiters = rest;
        return done;
    }

    boolean isBroken() {
        return broken != null;
    }

    /** @throws StoreUnavailableException if a write or a force has failed */
    void checkWhole() {
        Breakage breakage = broken;
        if (breakage != null) {
            throw new StoreUnavailableException(breakage(breakage.file(), breakage.cause()), breakage.cause());
        }
    }

    private static String breakage(Path file, Throwable cause) {
        return file + " could not be written (" + cause.getMessage() + "). What it holds now is not known, so the log"
                + " takes nothing more; see to the disk and open the store again";
    }
}
