package io.millrace;

/** What happens to a task that overran its time-to-run while its worker lives. */
public enum OnTimeout {
    /** It ends as TIMED_OUT and is never run again by itself. */
    FINAL,
    /** It is tried again as if it had failed; with no retry left it ends as TIMED_OUT. */
    RETRY,
    /** It is ready again at once, any number of times; that is no retry. */
    REDELIVER
}
