package io.millrace.internal;

import io.millrace.spi.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The machine's clock, with one daemon thread for all timers of the process. */
public final class SystemClock implements EngineClock {
    private static final class Shared {
        static final SystemClock CLOCK = new SystemClock();
    }

    private final ScheduledThreadPoolExecutor timers;

    private SystemClock() {
        timers = new ScheduledThreadPoolExecutor(1, action -> {
            Thread thread = new Thread(action, "millrace-timer");
            thread.setDaemon(true);
            return thread;
        });
        timers.setRemoveOnCancelPolicy(true);
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
    public Timer after(Duration delay, Runnable action) {
        ScheduledFuture<?> future = timers.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }
}
