package io.millrace.cli;

import io.millrace.Millrace;
import io.millrace.TaskCount;
import io.millrace.wire.CountForm;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "count", description = "Count tasks by topic and state.")
final class TaskCounts extends ServerCommand {
    @Mixin
    private Filters filters = new Filters();

    TaskCounts(Shell shell) {
        super(shell);
    }

    @Override
    public Integer call() {
        try (Millrace millrace = open()) {
            List<TaskCount> counts = millrace.count(filters.query());
            if (isJson()) {
                byte[] json = CountForm.writeGroups(counts, true, true);
                shell().out().println(new String(json, StandardCharsets.UTF_8));
                return ExitCode.OK;
            }
            List<List<String>> rows = new ArrayList<>();
            for (TaskCount count : counts) {
                rows.add(List.of(count.topic(), count.state().name(), String.valueOf(count.count())));
            }
            Table.print(shell().out(), List.of("TOPIC", "STATE", "COUNT"), rows);
        }
        return ExitCode.OK;
    }
}
