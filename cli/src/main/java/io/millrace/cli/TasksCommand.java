package io.millrace.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

@Command(name = "tasks", description = "Look at tasks and manage them.", synopsisSubcommandLabel = "COMMAND")
final class TasksCommand {
    private TasksCommand() {}

    static CommandLine with(Shell shell) {
        return new CommandLine(new TasksCommand())
                .addSubcommand(new TaskList(shell))
                .addSubcommand(new TaskShow(shell))
                .addSubcommand(new TaskCounts(shell))
                .addSubcommand(new TaskChange.Cancel(shell))
                .addSubcommand(new TaskChange.Retry(shell))
                .addSubcommand(new TaskReschedule(shell))
                .addSubcommand(new TaskChange.Delete(shell));
    }
}
