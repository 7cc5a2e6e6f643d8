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
    public Timer after(Duration delay, Runnable action) {
        ScheduledFuture<?> future =
                timers.schedule(() -> actions.execute(action), delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }
}
