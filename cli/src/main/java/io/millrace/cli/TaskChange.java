package io.millrace.cli;

import io.millrace.Millrace;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Changes tasks: those with these ids, or all that match. */
abstract class TaskChange extends ServerCommand {
    private final String done;

    @Mixin
    private Filters filters = new Filters();

    @Parameters(arity = "0..*", paramLabel = "ID", description = "The tasks; or use filters.")
    private List<UUID> ids = List.of();

    /** @param done what has become of them */
    TaskChange(Shell shell, String done) {
        super(shell);
        this.done = done;
    }

    abstract void change(Millrace millrace, UUID id);

    abstract long changeAll(Millrace millrace, TaskQuery query);

    @Override
    public Integer call() {
        TaskQuery query = filters.query();
        if (ids.isEmpty() == query.matchesEverything()) {
            throw new UsageException("give ids, or at least one filter, and not both");
        }
        try (Millrace millrace = open()) {
            if (ids.isEmpty()) {
                printDone(changeAll(millrace, query));
                return ExitCode.OK;
            }
            long count = changeEach(ids, id -> change(millrace, id));
            printDone(count);
            return count == ids.size() ? ExitCode.OK : ExitCode.FAILED;
        }
    }

    void printDone(long count) {
        printCount(done, count);
    }

    @Command(
            name = "cancel",
            description = {
                "Cancel tasks by id, or all pending ones that the filters match.",
                "Those that run are asked to stop: a success that is still reported counts."
            })
    static final class Cancel extends TaskChange {
        /** How many of them run: it is up to their workers to end them. */
        private long asked;

        Cancel(Shell shell) {
            super(shell, "cancelled");
        }

        @Override
        void change(Millrace millrace, UUID id) {
            millrace.cancel(id);
            if (millrace.find(id)
                    .filter(task -> task.state() == TaskState.RUNNING)
                    .isPresent()) {
                asked++;
            }
        }

        @Override
        long changeAll(Millrace millrace, TaskQuery query) {
            Set<TaskState> states = EnumSet.copyOf(query.states().isEmpty() ? TaskState.PENDING : query.states());
            boolean running = states.remove(TaskState.RUNNING);
            // those that run come last: what is started meanwhile is among them
            long cancelled = states.isEmpty() ? 0 : millrace.cancelAll(query.states(states));
            asked = running ? millrace.cancelAll(query.state(TaskState.RUNNING)) : 0;
            return cancelled + asked;
        }

        @Override
        void printDone(long count) {
            long cancelled = count - asked;
            if (isJson()) {
                printJson(out -> out.startObject()
                        .field("cancelled", cancelled)
                        .field("askedToStop", asked)
                        .endObject());
            } else if (asked == 0) {
                super.printDone(cancelled);
            } else {
                shell().out().println((cancelled == 0 ? "" : cancelled + " cancelled, ") + asked + " asked to stop");
            }
        }
    }

    @Command(name = "retry", description = "Run final tasks again, by id, or all that the filters match.")
    static final class Retry extends TaskChange {
        Retry(Shell shell) {
            super(shell, "retried");
        }

        @Override
        void change(Millrace millrace, UUID id) {
            millrace.retry(id);
        }

        @Override
        long changeAll(Millrace millrace, TaskQuery query) {
            return millrace.retryAll(query);
        }
    }

    @Command(
            name = "delete",
            description = "Delete tasks by id, or all that the filters match; not those that are running.")
    static final class Delete extends TaskChange {
        Delete(Shell shell) {
            super(shell, "deleted");
        }

        @Override
        void change(Millrace millrace, UUID id) {
            millrace.delete(id);
        }

        @Override
        long changeAll(Millrace millrace, TaskQuery query) {
            return millrace.deleteAll(query);
        }
    }
}
