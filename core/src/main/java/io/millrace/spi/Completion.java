package io.millrace.spi;

import io.millrace.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The end of an attempt, decided.
 *
 * @param next what to write
 * @param ifCancelled what to write instead if the task was asked to stop since it was claimed
 */
public record Completion(
        Lease lease, Outcome outcome, @Nullable String error, Next next, Next ifCancelled) {}
