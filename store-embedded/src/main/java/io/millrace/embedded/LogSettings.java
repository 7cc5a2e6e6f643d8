package io.millrace.embedded;

import io.millrace.Limits;
import io.millrace.spi.EngineClock;
import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * How a log works.
 *
 * @param segmentBytes the size of a segment file
 * @param forceEvery zero: {@link SegmentedLog#awaitDurable} waits for the disk. Otherwise it waits for the operating
 *     system only, which survives the end of the process, and a power cut loses up to so much
 * @param background prepares segments, and forces if {@code forceEvery} is not zero
 */
record LogSettings(int segmentBytes, Duration forceEvery, EngineClock clock, Executor background, Disk disk) {
    static final int DEFAULT_SEGMENT = 16 << 20;
    private static final int LEAST_SEGMENT = 1 << 10;
    private static final int MOST_SEGMENT = 1 << 30;

    LogSettings {
        Limits.between("segmentBytes", segmentBytes, LEAST_SEGMENT, MOST_SEGMENT);
        segmentBytes = LogFormat.padded(segmentBytes);
        forceEvery = Limits.notNegative("forceEvery", forceEvery);
    }

    LogSettings(EngineClock clock, Executor background) {
        this(DEFAULT_SEGMENT, Duration.ZERO, clock, background, new RealDisk());
    }

    LogSettings withSegmentBytes(int bytes) {
        return new LogSettings(bytes, forceEvery, clock, background, disk);
    }

    LogSettings withForceEvery(Duration every) {
        return new LogSettings(segmentBytes, every, clock, background, disk);
    }

    LogSettings withDisk(Disk other) {
        return new LogSettings(segmentBytes, forceEvery, clock, background, other);
    }
}
