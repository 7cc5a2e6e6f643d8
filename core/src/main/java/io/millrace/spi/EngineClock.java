package io.millrace.spi;

import java.time.Duration;
import java.time.InstantSource;

/** Time for a node's own duties, and the clock of stores that have no other. Tests bring one that they can set. */
public interface EngineClock extends InstantSource {
    /** Nanoseconds that only go on, from an arbitrary start: for lengths of time, which no set of the clock should change. */
    default long elapsedNanos() {
        return millis() * 1_000_000;
    }

    /** Whether it shows what it is told to, for tests. Stores whose time comes from a server refuse such a clock. */
    default boolean isSettable() {
        return false;
    }

    /** Runs something once, after the delay, on a thread of the clock's. It must be short. */
    Timer after(Duration delay, Runnable action);

    interface Timer {
        void cancel();
    }
}
