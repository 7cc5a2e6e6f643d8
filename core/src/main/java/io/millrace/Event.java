package io.millrace;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Something that happened to a task, a worker, a topic or an in-process queue, as seen by the process that did it. */
public sealed interface Event {
    /** A task was taken in; also a dead letter, or a task spawned by another. */
    record TaskEnqueued(NewTask task) implements Event {}

    /** A task was not taken in because it is there already. */
    record TaskDuplicate(NewTask task, UUID existing) implements Event {}

    /** A full topic sent a task to its dead-letter topic. */
    record TaskLeaked(NewTask task, String deadLetter, Leak side) implements Event {}

    /** A worker got a task. */
    record TaskClaimed(Task task, UUID worker) implements Event {}

    /**
     * An attempt ended, and the report was applied.
     *
     * @param task as it was when claimed
     * @param state what the task is now
     * @param ran how long the handler ran, as its worker says; from the claim to the end if it does not
     */
    record AttemptEnded(
            Task task, Outcome outcome, @Nullable String error, TaskState state, Duration ran) implements Event {}

    /**
     * A worker gave a task back before it had started it; that was no attempt.
     *
     * @param state what the task is now: READY, or CANCELLED if that was asked for meanwhile
     */
    record TaskGivenBack(Task task, TaskState state) implements Event {}

    /** A report changed nothing: it was sent before, or its lease was lost. */
    record ReportIgnored(UUID task, UUID worker, Outcome outcome, boolean repeated) implements Event {}

    /** A task's deadline passed before a worker took it. */
    record TaskExpired(Task task) implements Event {}

    /** The last arrival made a waiting task runnable. */
    record TaskReleased(UUID task) implements Event {}

    /** A running task said how far it is. */
    record TaskProgressed(
            UUID task, @Nullable Integer percent, @Nullable String message) implements Event {}

    /** Someone, or the janitor, changed a task by hand. */
    record TaskChanged(UUID task, @Nullable String topic, Kind kind) implements Event {
        public enum Kind {
            CANCELLED,
            CANCEL_REQUESTED,
            RETRIED,
            RESCHEDULED,
            DELETED
        }
    }

    record WorkerRegistered(UUID worker, String name) implements Event {}

    record WorkerLeft(UUID worker) implements Event {}

    /** A worker was not heard of in time. */
    record WorkerExpired(UUID worker) implements Event {}

    record WorkerStopRequested(UUID worker) implements Event {}

    /** An embedded worker's thread died of an error and was replaced. */
    record WorkerThreadReplaced(String thread, Throwable cause) implements Event {}

    /** The policy is null when it was removed. */
    record PolicyChanged(String topic, @Nullable TopicPolicy policy) implements Event {}

    record TopicPaused(String topic) implements Event {}

    record TopicResumed(String topic) implements Event {}

    record TopicRedriven(String deadLetterTopic, long tasks) implements Event {}

    /**
     * One call of the store that served a whole batch.
     *
     * @param size how many tasks were enqueued, claimed or completed; none if a claim found none
     */
    record BatchDone(Call call, int size, Duration took) implements Event {
        public enum Call {
            ENQUEUE,
            CLAIM,
            COMPLETE
        }
    }

    /**
     * Something that happened in a {@link WorkQueue} or to the workers of a pool. {@code queue} is the queue's name, or the
     * worker's for the embedded workers of a {@link Millrace}; {@code lane} is the sub-queue or key of an item, null where
     * the queue has no {@link Qos}.
     */
    sealed interface OfQueue extends Event {
        String queue();
    }

    /** How many workers there are, after a calibration that changed it. */
    record WorkersChanged(String queue, int active, int sleeping, int stopped) implements OfQueue {}

    record WorkerStarted(String queue, int worker) implements OfQueue {}

    record WorkerSlept(String queue, int worker) implements OfQueue {}

    record WorkerWoken(String queue, int worker) implements OfQueue {}

    record WorkerStopped(String queue, int worker) implements OfQueue {}

    /** An item was taken in. */
    record ItemPut(String queue, Object item, @Nullable String lane) implements OfQueue {}

    /** An item was taken in, and waits until it is due. No worker is held meanwhile. */
    record ItemDelayed(String queue, Object item, Duration delay) implements OfQueue {}

    /** A worker took an item. */
    record ItemPulled(String queue, Object item, @Nullable String lane) implements OfQueue {}

    /** A handler returned. */
    record ItemHandled(String queue, Object item, Duration ran) implements OfQueue {}

    /** A handler failed, and the item comes again after the delay. */
    record ItemRetried(String queue, Object item, int retry, Duration delay, Throwable cause, Duration ran)
            implements OfQueue {}

    /** A handler failed for the last time. */
    record ItemFailed(String queue, Object item, Throwable cause, boolean deadLettered, Duration ran)
            implements OfQueue {}

    /** A full queue sent an item to its dead-letter target: the new one, or one that made room for it. */
    record ItemLeaked(
            String queue, Object item, Leak side, @Nullable String lane) implements OfQueue {}

    /** An item was skipped because its deadline had passed when a worker took it. */
    record ItemExpired(String queue, Object item, boolean deadLettered) implements OfQueue {}

    /** An item that was taken in can neither be run nor handed over: the queue was closed, or the target failed. */
    record ItemLost(String queue, Object item) implements OfQueue {}
}
