package io.millrace;

/** Why an item goes to the dead-letter target of a {@link WorkQueue}. */
public enum DeadLetterCause {
    /** The queue was full: it leaks. Without this, producers wait. */
    FULL,
    /** It failed, and no retry was left. */
    FAILED,
    /** Its deadline had passed when a worker took it. */
    EXPIRED
}
