package io.millrace.internal.pool;

import io.millrace.Schedule;
import io.millrace.Staffing;
import io.millrace.internal.Events;
import io.millrace.spi.EngineClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a pool is set up.
 *
 * @param name of the queue that it serves; its threads are called after it
 * @param staffing outside of the schedule's ranges
 * @param sleepAtOnce how many workers go to sleep in one calibration at most; 0 for half of those above the minimum
 * @param sleepInterval a worker that slept for this long ends
 * @param forceCalibrationAt how many callers must find no room until the pool is calibrated at once
 * @param batch how many items a worker may take at once
 */
public record PoolSettings(
        String name,
        boolean virtualThreads,
        Staffing staffing,
        @Nullable Schedule schedule,
        int sleepAtOnce,
        Duration sleepInterval,
        Duration calibrateEvery,
        int forceCalibrationAt,
        int batch,
        EngineClock clock,
        Events events) {
    public static final Duration SLEEP_INTERVAL = Duration.ofSeconds(5);
    public static final Duration CALIBRATE_EVERY = Duration.ofSeconds(1);
    public static final int FORCE_CALIBRATION_AT = 1;

    int mostWorkers() {
        return schedule == null ? staffing.max() : schedule.largestMax(staffing);
    }

    Staffing staffingNow() {
        return schedule == null ? staffing : schedule.at(clock.instant()).orElse(staffing);
    }
}
