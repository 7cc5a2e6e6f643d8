package io.millrace.server;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that bodies and pages of tasks may take at the same time, on all event loops together. Each limits what
 * one client sends at once; this limits what all do. Large ones leave a part of it, so that a single task or a ping
 * gets through when they have used up theirs.
 */
final class Budget {
    /** What is small; it may use the reserve. */
    static final int SMALL = 64 << 10;
    /** A byte of a body costs as much: it is copied at least once until its tasks are stored. */
    static final int FACTOR = 2;

    private final long total;
    private final long forLarge;
    private final AtomicLong used = new AtomicLong();

    Budget(long total) {
        this.total = total;
        forLarge = total - total / 8;
    }

    /** A quarter of what the process may use. */
    static Budget ofHeap() {
        return new Budget(Runtime.getRuntime().maxMemory() / 4);
    }

    /** The most bytes of a single body that could ever get through. */
    long largestBody() {
        return forLarge / FACTOR;
    }

    long used() {
        return used.get();
    }

    /** Whether a large body of this size would get through as things stand. */
    boolean hasRoomFor(long bytes) {
        return used.get() + FACTOR * bytes <= forLarge;
    }

    private boolean take(long bytes, boolean large) {
        long most = large ? forLarge : total;
        while (true) {
            long before = used.get();
            if (before + bytes > most) {
                return false;
            }
            if (used.compareAndSet(before, before + bytes)) {
                return true;
            }
        }
    }

    Charge charge() {
        return new Charge();
    }

    /** What one request takes. It is given back when the request is over and nothing that it began is under way. */
    final class Charge {
        private long taken;
        private int holders = 1;

        /**
         * Takes as much as that many bytes of a body cost, instead of what was taken before.
         *
         * @throws ProblemException 503 if there is not enough; nothing has changed then
         */
        synchronized void set(long bytes) {
            long wanted = holders == 0 ? 0 : FACTOR * bytes;
            if (wanted > taken && !take(wanted - taken, bytes > SMALL)) {
                throw Problems.noMemory();
            }
            if (wanted < taken) {
                used.addAndGet(wanted - taken);
            }
            taken = wanted;
        }

        /** Something begins that needs what was charged, whatever becomes of the client. */
        synchronized void hold() {
            holders++;
        }

        /** The request is over, or something that needed the charge. */
        synchronized void release() {
            holders--;
            if (holders == 0) {
                used.addAndGet(-taken);
                taken = 0;
            }
        }

        /** The body is not needed any more, though the request goes on. */
        synchronized void drop() {
            used.addAndGet(-taken);
            taken = 0;
        }
    }
}
