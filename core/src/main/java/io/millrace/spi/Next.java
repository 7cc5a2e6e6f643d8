package io.millrace.spi;

import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What becomes of a task when an attempt has ended. */
public sealed interface Next {
    /**
     * It runs again, after the delay. What was lost or released comes as early as it can, before what stood behind it;
     * a retry or a snooze queues up at the end of its lane when it is due.
     */
    record Requeue(Duration delay, Reason reason) implements Next {}

    /** What a requeue is counted as. */
    enum Reason {
        RETRY,
        /** It exceeded its time-to-run and runs again, which is no retry; it queues up like one. */
        REDELIVERY,
        LOSS,
        SNOOZE,
        RELEASE
    }

    /**
     * It is over.
     *
     * @param retention how long it is kept; zero removes it at once
     * @param spawned tasks to take in; those that are duplicates stay out, and capacities are not looked at
     * @param arrivals waiting tasks that this one arrives at; the last arrival releases a task, and one that is not
     *     waiting, or not there, is passed over
     */
    record Finish(
            TaskState state, Duration retention, @Nullable Payload result, List<NewTask> spawned, List<UUID> arrivals)
            implements Next {
        public static Finish as(TaskState state, Duration retention) {
            return new Finish(state, retention, null, List.of(), List.of());
        }
    }
}
