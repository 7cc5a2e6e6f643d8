package io.millrace.testkit.mutants;

import io.millrace.Attempt;
import io.millrace.Payload;
import io.millrace.Task;
import io.millrace.TaskState;
import java.util.List;
import java.util.UUID;

/** Tasks with a detail that is not true. */
final class Shown {
    private Shown() {}

    static Task in(TaskState state, Task task) {
        return new Task(
                task.given(),
                state,
                task.moments(),
                task.tally(),
                task.hold(),
                task.attempts(),
                task.progress(),
                task.result(),
                task.redriven());
    }

    static Task withoutAttempts(Task task) {
        return withAttempts(List.of(), task);
    }

    static Task withAttempts(List<Attempt> attempts, Task task) {
        return new Task(
                task.given(),
                task.state(),
                task.moments(),
                task.tally(),
                task.hold(),
                attempts,
                task.progress(),
                task.result(),
                task.redriven());
    }

    static Task withResult(Payload result, Task task) {
        return new Task(
                task.given(),
                task.state(),
                task.moments(),
                task.tally(),
                task.hold(),
                task.attempts(),
                task.progress(),
                result,
                task.redriven());
    }

    static Task heldBy(UUID worker, Task task) {
        Task.Hold hold = task.hold();
        return new Task(
                task.given(),
                task.state(),
                task.moments(),
                task.tally(),
                new Task.Hold(worker, hold.since(), hold.until(), hold.cancelRequested()),
                task.attempts(),
                task.progress(),
                task.result(),
                task.redriven());
    }

    static Task notToldToStop(Task task) {
        Task.Hold hold = task.hold();
        return hold == null
                ? task
                : new Task(
                        task.given(),
                        task.state(),
                        task.moments(),
                        task.tally(),
                        new Task.Hold(hold.worker(), hold.since(), hold.until(), false),
                        task.attempts(),
                        task.progress(),
                        task.result(),
                        task.redriven());
    }
}
