package io.millrace.heap;

import io.millrace.spi.EngineClock;

/**
 * The time of the call under way, under the store's lock. Whether a worker lives and whether a time-to-run is over are
 * questions of elapsed time: steady moments, which no set of the clock moves. They begin as those of the clock when the
 * store is opened, and follow it until it differs from the elapsed time by more than {@link #TOLERANCE}, so that a
 * moment is shown the same in every snapshot although both clocks are read in whole milliseconds, one after the other.
 */
final class HeapTime {
    private static final long NANOS = 1_000_000;
    /** A clock that differs by more has been set, and is not followed, in milliseconds. */
    private static final long TOLERANCE = 100;

    private final EngineClock clock;
    private final long origin;
    private long now;
    private long steady;
    /** By how much the clock is ahead of steady moments. */
    private long ahead;

    HeapTime(EngineClock clock) {
        this.clock = clock;
        origin = clock.millis() - clock.elapsedNanos() / NANOS;
        steady = origin + clock.elapsedNanos() / NANOS;
        read();
    }

    /** A call begins. @return what the clock shows */
    long read() {
        now = clock.millis();
        long elapsed = origin + clock.elapsedNanos() / NANOS;
        if (Math.abs(now - ahead - elapsed) > TOLERANCE) {
            ahead = now - elapsed;
        }
        steady = Math.max(steady, now - ahead);
        return now;
    }

    long now() {
        return now;
    }

    long steady() {
        return steady;
    }

    /** What the clock shows, or will show, at a steady moment. */
    long shown(long moment) {
        return moment == TaskNode.NONE ? TaskNode.NONE : moment + ahead;
    }
}
