package io.millrace.internal.worker;

import java.time.Duration;

/**
 * How many tasks to have at hand. With quick handlers many, so that one claim serves many tasks; with slow ones none,
 * so that no task waits here while another process is idle.
 */
final class Prefetch {
    /** What is fetched should be started within about this time. */
    private static final double HORIZON = Duration.ofMillis(50).toNanos();

    private static final double SMOOTHING = 0.1;

    private final int threads;
    private final int most;
    /** The run time of a handler, smoothed; threads race to set it, and losing one value does no harm. */
    private volatile double averageNanos;

    Prefetch(int threads, int most) {
        this.threads = threads;
        this.most = most;
        // as if handlers took as long as the horizon: one task per thread, until more is known
        averageNanos = HORIZON;
    }

    void ran(long nanos) {
        double before = averageNanos;
        averageNanos = before + SMOOTHING * (nanos - before);
    }

    /** How many more to fetch; zero unless it is worth a claim. */
    int wanted(int buffered, int busy) {
        int spare = (int) Math.min(most, threads * HORIZON / Math.max(1, averageNanos));
        int missing = threads - busy + spare - buffered;
        boolean worthIt = buffered == 0 || missing * 2 >= threads + spare;
        return worthIt ? Math.max(0, missing) : 0;
    }
}
