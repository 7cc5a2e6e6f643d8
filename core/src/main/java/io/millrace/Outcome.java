package io.millrace;

/** How one attempt ended. */
public enum Outcome {
    SUCCEEDED,
    FAILED,
    /** It took longer than its time-to-run. */
    TIMED_OUT,
    /** The worker wants to see the task again later; this uses no retry. */
    SNOOZED,
    /** The worker was not heard of in time. */
    LOST,
    /** The worker gave the task back before it was done. */
    RELEASED
}
