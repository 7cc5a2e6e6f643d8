package io.millrace.internal.worker;

import io.millrace.spi.EngineClock;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches the time-to-run of running jobs. One timer serves all of them: it rings at the earliest end, and is moved only when
 * a job starts that ends earlier. So a job costs one comparison. Moments are nanoseconds since the worker was made.
 */
final class TimeKeeper {
    private static final Duration FURTHEST = Duration.ofDays(36_525);

    private final EngineClock clock;
    private final long origin;
    private final Supplier<Collection<Job>> jobs;
    private final Consumer<Job> overrun;
    private volatile long ringsAt = Job.NEVER;
    private boolean closed;
    private EngineClock.@Nullable Timer timer;

    /** @param overrun is told of each running job whose time is over, on a thread of the clock's */
    TimeKeeper(EngineClock clock, Supplier<Collection<Job>> jobs, Consumer<Job> overrun) {
        this.clock = clock;
        this.jobs = jobs;
        this.overrun = overrun;
        origin = clock.elapsedNanos();
    }

    long now() {
        return clock.elapsedNanos() - origin;
    }

    static long endOf(long start, Duration timeToRun) {
        return timeToRun.compareTo(FURTHEST) > 0 ? Job.NEVER : start + timeToRun.toNanos();
    }

    /** Rings when a job ends that knows its end already: it may be over by now. */
    void watch(long end) {
        if (end < ringsAt) {
            arm(end);
        }
    }

    private synchronized void arm(long end) {
        if (closed || end >= ringsAt) {
            return;
        }
        if (timer != null) {
            timer.cancel();
        }
        ringsAt = end;
        timer = clock.after(Duration.ofNanos(Math.max(0, end - now())), this::ring);
    }

    /** A timer that may be set for a long time must not keep a closed worker, and all that it leads to, in memory. */
    synchronized void close() {
        closed = true;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void ring() {
        synchronized (this) {
            ringsAt = Job.NEVER;
            timer = null;
        }
        long now = now();
        long next = Job.NEVER;
        for (Job job : jobs.get()) {
            long end = job.endsAt();
            if (end <= now) {
                overrun.accept(job);
            } else {
                next = Math.min(next, end);
            }
        }
        arm(next);
    }
}
