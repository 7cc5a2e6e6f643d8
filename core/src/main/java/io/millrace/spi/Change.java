package io.millrace.spi;

import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.When;
import java.util.Map;
import java.util.UUID;

/** What an operator can do to tasks, and in which states. */
public sealed interface Change {
    /** Whether a task in this state can be changed so. */
    boolean appliesTo(TaskState state);

    /**
     * Ends a pending task at once, or marks a running one, whose worker is then told.
     *
     * @param policies of the topics that have one of their own; they tell how long the task is kept
     */
    record Cancel(Map<String, TopicPolicy> policies) implements Change {
        @Override
        public boolean appliesTo(TaskState state) {
            return state.isPending();
        }

        public TopicPolicy policyOf(String topic) {
            return policies.getOrDefault(topic, TopicPolicy.DEFAULT);
        }
    }

    /**
     * Makes a final task READY again. Attempt numbers go on, retries and losses are counted anew, and a deadline is
     * dropped: it would only end the task again.
     */
    record Retry() implements Change {
        @Override
        public boolean appliesTo(TaskState state) {
            return state.isFinal();
        }
    }

    /**
     * Ends tasks whose deadline has passed and that no worker holds; others are in the wrong state for it.
     *
     * @param ends how each task ends, by id: as EXPIRED, with a dead letter or without; a task that is not among them is left
     */
    record Expire(Map<UUID, Next.Finish> ends) implements Change {
        @Override
        public boolean appliesTo(TaskState state) {
            return state.isPending() && state != TaskState.RUNNING;
        }
    }

    /** Marks a final task whose dead letter is redriven: it must not be retried besides. */
    record Redriven() implements Change {
        @Override
        public boolean appliesTo(TaskState state) {
            return state.isFinal();
        }
    }

    record Reschedule(When runAt) implements Change {
        @Override
        public boolean appliesTo(TaskState state) {
            return state == TaskState.READY || state == TaskState.SCHEDULED;
        }
    }

    record Delete() implements Change {
        @Override
        public boolean appliesTo(TaskState state) {
            return state != TaskState.RUNNING;
        }
    }
}
