package io.millrace.internal.worker;

/**
 * How many tasks to have at hand. With quick handlers many, so that one claim serves many tasks; with slow ones none,
 * so that no task waits here while another process is idle.
 */
final class Prefetch {
    /** What is fetched should be started within about this time. */
    static final long HORIZON_NANOS = 50_000_000;

    private static final double HORIZON = HORIZON_NANOS;

    private static final double SMOOTHING = 0.1;

    private final int most;
    /** The run time of a handler, smoothed; threads race to set it, and losing one value does no harm. */
    private volatile double averageNanos;

    Prefetch(int most) {
        this.most = most;
        // as if handlers took as long as the horizon: one task per thread, until more is known
        averageNanos = HORIZON;
    }

    void ran(long nanos) {
        double before = averageNanos;
        averageNanos = before + SMOOTHING * (nanos - before);
    }

    /** How many more to fetch for so many threads; zero unless it is worth a claim. */
    int wanted(int buffered, int busy, int threads, boolean mayGrow) {
        int spare = spare(threads, mayGrow);
        int missing = threads - busy + spare - buffered;
        boolean worthIt = buffered == 0 || missing * 2 >= threads + spare;
        return worthIt ? Math.max(0, missing) : 0;
    }

    /** If there could be more threads, at least one: it tells that there is work for another. */
    private int spare(int threads, boolean mayGrow) {
        int byTime = (int) Math.min(most, threads * HORIZON / Math.max(1, averageNanos));
        return Math.max(mayGrow ? 1 : 0, byTime);
    }

    /** Between 0 and 1: how much of what may be at hand for later is. */
    double fillRate(int buffered, int threads, boolean mayGrow) {
        return Math.min(1, (double) buffered / Math.max(1, spare(threads, mayGrow)));
    }
}
