package io.millrace;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a task that has ended.
 *
 * @param number from 1; it never repeats within a task
 */
public record Attempt(
        int number,
        UUID worker,
        Instant startedAt,
        Instant endedAt,
        Outcome outcome,
        @Nullable String error) {}
