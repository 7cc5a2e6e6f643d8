package io.millrace.spi;

/**
 * A lease that its worker has no right to any more.
 *
 * @param leased the task with the hold it had, under the reaper's lease
 */
public record OverdueLease(LeasedTask leased, Reason reason) {
    public enum Reason {
        /** The worker was not heard of in time. It outweighs an overrun: who is dead did not work too long. */
        WORKER_LOST,
        /** The time-to-run is over, and the worker was heard of since. Until then nothing is decided. */
        TIME_EXCEEDED,
        /** The worker left, or does not know any more of a task that it had started. */
        GIVEN_UP,
        /**
         * This was no attempt: the worker does not know of the lease, or left before it had started the task, where time counts
         * from the start.
         */
        NOT_STARTED
    }
}
