package io.millrace.internal.dump;

import io.millrace.spi.EngineClock;
import java.nio.file.Path;
import java.time.Duration;

/** How a dump writes; checked by its builder. */
public record DumpSettings(
        Path directory,
        int flushBytes,
        Duration flushEvery,
        long fileBytes,
        Duration fileEvery,
        boolean sync,
        EngineClock clock) {}
