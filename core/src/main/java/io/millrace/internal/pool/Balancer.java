package io.millrace.internal.pool;

import io.millrace.Event;
import io.millrace.Staffing;
import io.millrace.spi.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Keeps the number of workers to what the load, the staffing and the time of day ask for. */
final class Balancer {
    private final Pool pool;
    private final PoolSettings settings;
    private final Work work;
    private final AtomicInteger foundNoRoom = new AtomicInteger();
    private EngineClock.@Nullable Timer timer;
    private boolean closed;
    private volatile int most;

    Balancer(Pool pool, PoolSettings settings, Work work) {
        this.pool = pool;
        this.settings = settings;
        this.work = work;
    }

    void start() {
        calibrate();
        arm();
    }

    /** A pool that always has the same number of workers needs no timer. */
    private boolean mayChange() {
        return settings.schedule() != null
                || settings.staffing().min() < settings.staffing().max();
    }

    private synchronized void arm() {
        if (!closed && mayChange()) {
            if (timer != null) {
                timer.cancel();
            }
            timer = settings.clock().after(untilNext(), this::tick);
        }
    }

    private Duration untilNext() {
        Duration regular = settings.calibrateEvery();
        if (settings.schedule() == null) {
            return regular;
        }
        Instant now = settings.clock().instant();
        Duration change = settings.schedule()
                .nextChange(now)
                .map(next -> Duration.between(now, next))
                .orElse(regular);
        return change.compareTo(regular) < 0 ? change : regular;
    }

    private void tick() {
        try {
            calibrate();
        } finally {
            arm();
        }
    }

    void crowded() {
        if (pool.mayGrow() && foundNoRoom.incrementAndGet() >= settings.forceCalibrationAt()) {
            calibrate(1);
        }
    }

    int most() {
        return most;
    }

    private void calibrate() {
        calibrate(work.fillRate());
    }

    private void calibrate(double fillRate) {
        foundNoRoom.set(0);
        Staffing staffing = settings.staffingNow();
        most = staffing.max();
        pool.change(happened -> calibrate(fillRate, staffing, happened));
    }

    private void calibrate(double fillRate, Staffing staffing, List<Event> happened) {
        long sleepInterval = settings.sleepInterval().toNanos();
        pool.stopSleepersSince(settings.clock().elapsedNanos() - sleepInterval, happened);
        int change = change(pool.active(), fillRate, staffing, settings.sleepAtOnce());
        if (change < 0) {
            pool.sleep(-change, happened);
        }
        for (int i = 0; i < change; i++) {
            pool.addOne(happened);
        }
    }

    /** By how many the active workers should become more, or fewer. */
    static int change(int active, double fillRate, Staffing staffing, int sleepAtOnce) {
        if (active < staffing.min()) {
            return staffing.min() - active;
        }
        if (active > staffing.max()) {
            return staffing.max() - active;
        }
        if (fillRate > staffing.wakeUpFactor()) {
            return active < staffing.max() ? 1 : 0;
        }
        if (fillRate < staffing.sleepFactor()) {
            int spare = active - staffing.min();
            int atOnce = sleepAtOnce > 0 ? sleepAtOnce : (spare + 1) / 2;
            return -Math.min(spare, atOnce);
        }
        return 0;
    }

    synchronized void close() {
        closed = true;
        if (timer != null) {
            timer.cancel();
        }
    }
}
