package io.millrace;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a handler can ask and say about the task it runs. */
public interface TaskContext {
    /** The task as it was when this attempt began. */
    Task task();

    /** The number of this attempt, from 1. */
    int attempt();

    /** Someone asked for the task to stop, or its lease is lost; the handler's thread is interrupted as well. */
    boolean cancelled();

    /**
     * Tells how far the task is. It is seen within about a second, unless the task has ended by then.
     *
     * @throws InvalidValueException if percent is not between 0 and 100
     */
    void progress(int percent, @Nullable String message);

    /**
     * Sets the end of the time-to-run to {@code fromNow} from now, at once.
     *
     * @return false if the lease is lost; the handler had better give up
     */
    boolean extend(Duration fromNow);

    /** When the handler has returned, the task is not done but comes again after the delay. This uses no retry. */
    void snooze(Duration delay);

    /** What the task will answer when it has succeeded: a {@link Payload}, or anything the codec can encode. */
    void result(Object value);

    /** A task that is enqueued together with this one's success, in one step; none is if it does not succeed. */
    void spawn(NewTask task);

    /** With its success this task arrives at another that waits for arrivals. */
    void arriveAt(UUID waitingTask);
}
