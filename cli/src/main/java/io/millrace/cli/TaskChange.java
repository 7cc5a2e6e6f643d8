package io.millrace.cli;

import io.millrace.Millrace;
import io.millrace.TaskNotFoundException;
import io.millrace.TaskQuery;
import io.millrace.WrongStateException;
import java.util.List;
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
                printCount(done, changeAll(millrace, query));
                return ExitCode.OK;
            }
            long count = ids.stream().filter(id -> isChanged(millrace, id)).count();
            printCount(done, count);
            return count == ids.size() ? ExitCode.OK : ExitCode.FAILED;
        }
    }

    /** One that cannot be changed does not keep the others from it. */
    private boolean isChanged(Millrace millrace, UUID id) {
        try {
            change(millrace, id);
            return true;
        } catch (TaskNotFoundException | WrongStateException e) {
            shell().err().println("millrace: " + Complaints.text(e));
            return false;
        }
    }

    @Command(name = "cancel", description = "Cancel tasks by id, or all pending ones that the filters match.")
    static final class Cancel extends TaskChange {
        Cancel(Shell shell) {
            super(shell, "cancelled");
        }

        @Override
        void change(Millrace millrace, UUID id) {
            millrace.cancel(id);
        }

        @Override
        long changeAll(Millrace millrace, TaskQuery query) {
            return millrace.cancelAll(query);
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
