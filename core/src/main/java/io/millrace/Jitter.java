package io.millrace;

/** How chance spreads retries that would otherwise come all at once. */
public enum Jitter {
    NONE,
    /** Anything between zero and the delay. */
    FULL,
    /** At least half of the delay, the other half by chance. */
    HALF,
    /** Between the base and three times what the previous delay was without chance. */
    DECORRELATED
}
