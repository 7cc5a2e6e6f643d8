package io.millrace.cli;

import io.millrace.Attempt;
import io.millrace.Origin;
import io.millrace.Payload;
import io.millrace.Progress;
import io.millrace.Task;
import io.millrace.TaskNotFoundException;
import io.millrace.client.ServerViews;
import io.millrace.wire.TaskView;
import io.millrace.wire.TaskViewForm;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "show", description = "Show all about one task.")
final class TaskShow extends ServerCommand {
    @Parameters(paramLabel = "ID", description = "The task.")
    private UUID id = new UUID(0, 0);

    TaskShow(Shell shell) {
        super(shell);
    }

    @Override
    public Integer call() {
        try (ServerViews views = views()) {
            TaskView view = views.task(id).orElseThrow(() -> new TaskNotFoundException(id));
            if (isJson()) {
                printJson(out -> TaskViewForm.write(view, true, out));
            } else {
                print(view);
            }
        }
        return ExitCode.OK;
    }

    private void print(TaskView view) {
        Task task = view.task();
        Fields fields = new Fields(shell().out());
        fields.add("id", task.id());
        fields.add("topic", task.topic());
        fields.add("state", task.state());
        fields.add("why", view.why());
        Origin origin = task.given().origin();
        fields.add("origin", origin == null ? null : origin.topic() + "/" + origin.id());
        fields.add("error", origin == null ? null : origin.error());
        fields.add("redriven", task.redriven() ? "its dead letter runs instead" : null);
        fields.add("created", task.moments().created());
        fields.add("due", task.moments().due());
        fields.add("deadline", task.moments().deadline());
        fields.add("finished", task.moments().finished());
        fields.add("removed", task.moments().removal());
        fields.add("priority", task.given().priority());
        fields.add(
                "scope",
                task.given().scope().isEmpty()
                        ? null
                        : String.join(", ", task.given().scope()));
        fields.add("entity", task.given().entityId());
        fields.add("unique key", task.given().uniqueKey());
        fields.add("retries left", view.retriesLeft());
        Task.Hold hold = task.hold();
        fields.add("worker", hold == null ? null : hold.worker());
        fields.add("progress", progress(task.progress()));
        fields.add("payload", text(task.payload()));
        fields.add("result", text(task.result()));
        fields.print();
        if (!task.attempts().isEmpty()) {
            shell().out().println();
            if (task.attemptsDropped() > 0) {
                shell().out().println("Earlier attempts that are not kept: " + task.attemptsDropped());
            }
            printAttempts(task.attempts());
        }
    }

    private static @Nullable String progress(@Nullable Progress progress) {
        if (progress == null) {
            return null;
        }
        return progress.percent() + " %" + (progress.message() == null ? "" : " " + progress.message());
    }

    private static @Nullable String text(@Nullable Payload payload) {
        if (payload == null || payload.size() == 0) {
            return null;
        }
        return payload.isJson() ? payload.text() : payload.size() + " bytes; --json shows them in Base64";
    }

    private void printAttempts(List<Attempt> attempts) {
        List<List<String>> rows = new ArrayList<>();
        for (Attempt attempt : attempts) {
            String error = attempt.error();
            rows.add(List.of(
                    String.valueOf(attempt.number()),
                    attempt.outcome().name(),
                    attempt.startedAt().toString(),
                    attempt.endedAt().toString(),
                    error == null ? "" : error));
        }
        Table.print(shell().out(), List.of("ATTEMPT", "OUTCOME", "STARTED", "ENDED", "ERROR"), rows);
    }
}
