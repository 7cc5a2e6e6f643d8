package io.millrace.internal;

import io.millrace.spi.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The machine's clock. One thread waits for all timers of the process; what they start runs on threads that come and go,
 * so that a long action delays no other. All are daemons.
 */
public final class SystemClock implements EngineClock {
    private static final class Shared {
        static final SystemClock CLOCK = new SystemClock();
    }

    private static final Duration FURTHEST = Duration.ofDays(36_525);

    private final ScheduledThreadPoolExecutor timers =
            new ScheduledThreadPoolExecutor(1, action -> daemon(action, "millrace-timer"));
    private final ExecutorService actions = Executors.newCachedThreadPool(action -> daemon(action, "millrace-duty"));

    private SystemClock() {
        timers.setRemoveOnCancelPolicy(true);
    }

    private static Thread daemon(Runnable action, String name) {
        Thread thread = new Thread(action, name);
        thread.setDaemon(true);
        return thread;
    }

    public static SystemClock shared() {
        return Shared.CLOCK;
    }

    @Override
    public Instant instant() {
        return Instant.now();
    }

    @Override
    public long millis() {
        return System.currentTimeMillis();
    }

    @Override
    public long elapsedNanos() {
        return System.nanoTime();
    }

    /** What is further away than a long can count is as good as never. */
    private static long nanos(Duration delay) {
        return delay.compareTo(FURTHEST) > 0 ? FURTHEST.toNanos() : delay.toNanos();
    }

    private void start(Runnable action) {
        try {
            actions.execute(action);
        } catch (RuntimeException | Error e) {
            // no thread to be had: late timers are better than lost ones
            action.run();
        }
    }

    @Override
    public Timer after(Duration delay, Runnable action) {
        ScheduledFuture<?> future = timers.schedule(() -> start(action), nanos(delay), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }
}
