package io.millrace;

/** Which tasks a worker of several topics gets first. */
public enum ClaimOrder {
    /** Each topic gives its share, by weight. */
    SHARE,
    /** The lowest priority number first, then the task that was created first, whatever its topic. */
    OLDEST
}
