package io.millrace.spi;

import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.When;
import java.util.Map;

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
