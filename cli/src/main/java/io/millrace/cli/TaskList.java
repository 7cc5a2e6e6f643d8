package io.millrace.cli;

import io.millrace.Origin;
import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.client.ServerViews;
import io.millrace.wire.TaskView;
import io.millrace.wire.TaskViewForm;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "list", description = "List tasks, oldest first; as JSON, one a line.")
final class TaskList extends ServerCommand {
    private static final int STEP = 500;
    private static final int ERROR_SHOWN = 60;

    @Mixin
    private Filters filters = new Filters();

    @Option(names = "--limit", paramLabel = "NUMBER", description = "At most so many. Default: all")
    private long limit = Long.MAX_VALUE;

    TaskList(Shell shell) {
        super(shell);
    }

    @Override
    public Integer call() {
        if (limit < 1) {
            throw new UsageException("--limit: " + limit + " must be 1 or more");
        }
        TaskQuery query = filters.query();
        Table table =
                new Table(shell().out(), List.of("ID", "TOPIC", "STATE", "CREATED", "ATTEMPTS", "ORIGIN", "ERROR"));
        try (ServerViews views = views()) {
            long left = limit;
            String cursor = null;
            do {
                Page<TaskView> page = views.tasks(query, cursor, (int) Math.min(left, STEP), isJson());
                print(page.items(), table);
                left -= page.items().size();
                cursor = page.next();
                // whoever reads may have seen enough, as head does
            } while (cursor != null && left > 0 && !shell().out().checkError());
        }
        return ExitCode.OK;
    }

    private void print(List<TaskView> tasks, Table table) {
        if (isJson()) {
            tasks.forEach(view -> printJson(out -> TaskViewForm.write(view, true, out)));
        } else {
            table.add(tasks.stream().map(view -> row(view.task())).toList());
        }
    }

    private static List<String> row(Task task) {
        Origin origin = task.given().origin();
        String error = task.lastError() == null && origin != null ? origin.error() : task.lastError();
        return List.of(
                task.id().toString(),
                task.topic(),
                task.state().name(),
                task.moments().created().toString(),
                String.valueOf(task.tally().attempts()),
                origin == null ? "" : origin.topic(),
                shortened(error));
    }

    private static String shortened(@Nullable String error) {
        String firstLine = error == null ? "" : error.lines().findFirst().orElse("");
        return firstLine.length() <= ERROR_SHOWN ? firstLine : firstLine.substring(0, ERROR_SHOWN) + "…";
    }
}
