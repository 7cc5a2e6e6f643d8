package io.millrace.embedded;

import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A thread that waits until its frame is written or forced, or until it is its turn to see to that. */
final class Waiter {
    private enum State {
        WAITS,
        DONE,
        LEADS
    }

    private final Thread thread = Thread.currentThread();
    private final long number;
    private final boolean force;
    private volatile State state = State.WAITS;

    Waiter(long number, boolean force) {
        this.number = number;
        this.force = force;
    }

    long number() {
        return number;
    }

    boolean force() {
        return force;
    }

    /** Returns true if it has to lead, false if it is done. */
    boolean awaitTurn() {
        boolean interrupted = false;
        while (state == State.WAITS) {
            LockSupport.park(this);
            // an interrupted thread does not park; the caller gets its interrupt back afterwards
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return state == State.LEADS;
    }

    void finish() {
        state = State.DONE;
    }

    void lead() {
        state = State.LEADS;
        LockSupport.unpark(thread);
    }

    static void wake(List<Waiter> done) {
        for (Waiter waiter : done) {
            waiter.state = State.DONE;
            LockSupport.unpark(waiter.thread);
        }
    }
}
