package io.millrace.engine.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.NewTask;
import io.millrace.OnTimeout;
import io.millrace.Outcome;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What must become of one task, worked out from its endings alone, by rules written down a second time. */
final class TaskModel {
    final NewTask given;
    private final TopicPolicy policy;
    private final List<Outcome> outcomes = new ArrayList<>();
    private int retries;
    private int losses;
    private boolean cancelRequested;
    private TaskState state;

    TaskModel(NewTask given, TopicPolicy policy, TaskState state) {
        this.given = given;
        this.policy = policy;
        this.state = state;
    }

    UUID id() {
        return given.id();
    }

    boolean isFinal() {
        return state.isFinal();
    }

    boolean leavesDeadLetter() {
        return policy.deadLetter() != null && (state == TaskState.FAILED || state == TaskState.TIMED_OUT);
    }

    void claimed(Task task) {
        assertThat(state).as("claimed only when it could be: %s", task).isIn(TaskState.READY, TaskState.SCHEDULED);
        assertThat(task.tally().attempts()).isEqualTo(outcomes.size() + 1);
        state = TaskState.RUNNING;
    }

    void cancelled() {
        if (state == TaskState.RUNNING) {
            cancelRequested = true;
        } else {
            state = TaskState.CANCELLED;
        }
    }

    /** An attempt ended. Says what the task must be now. */
    TaskState ended(int attempt, Outcome outcome, boolean stop) {
        assertThat(state).as("only a running attempt ends: %s", given).isEqualTo(TaskState.RUNNING);
        outcomes.add(outcome);
        assertThat(attempt).as("no attempt ends twice: %s", given).isEqualTo(outcomes.size());
        state = next(outcome, stop);
        return state;
    }

    /** A lease was given up before its task was started. */
    TaskState givenBack() {
        assertThat(state).as("only a running task is given back: %s", given).isEqualTo(TaskState.RUNNING);
        state = cancelRequested ? TaskState.CANCELLED : TaskState.READY;
        return state;
    }

    private TaskState next(Outcome outcome, boolean stop) {
        if (outcome == Outcome.SUCCEEDED) {
            return TaskState.SUCCEEDED;
        }
        if (cancelRequested) {
            return TaskState.CANCELLED;
        }
        return switch (outcome) {
            case FAILED -> stop ? TaskState.FAILED : retryOr(TaskState.FAILED);
            case TIMED_OUT ->
                policy.onTimeout() == OnTimeout.FINAL ? TaskState.TIMED_OUT : retryOr(TaskState.TIMED_OUT);
            case LOST -> ++losses == policy.lossLimit() ? TaskState.FAILED : TaskState.READY;
            case SNOOZED -> TaskState.SCHEDULED;
            default -> TaskState.READY;
        };
    }

    private TaskState retryOr(TaskState end) {
        if (retries == policy.retry().max()) {
            return end;
        }
        retries++;
        return TaskState.SCHEDULED;
    }

    void check(Task task) {
        assertThat(task.state()).as("the end of %s", given).isEqualTo(state);
        assertThat(task.attempts()).extracting(attempt -> attempt.outcome()).isEqualTo(outcomes);
        assertThat(task.attempts().stream().map(attempt -> attempt.number()).distinct())
                .hasSize(outcomes.size());
        assertThat(task.tally().retries()).isEqualTo(retries);
    }
}
