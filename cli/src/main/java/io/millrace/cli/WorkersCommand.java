package io.millrace.cli;

import io.millrace.Millrace;
import io.millrace.Worker;
import io.millrace.client.ServerViews;
import io.millrace.wire.WorkerForm;
import java.util.List;
import java.util.UUID;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "workers", description = "Look at workers and stop them.", synopsisSubcommandLabel = "COMMAND")
final class WorkersCommand {
    static final List<String> HEADINGS = List.of("ID", "NAME", "HOST", "STATUS", "RUNNING", "LAST SEEN", "TOPICS");

    private WorkersCommand() {}

    static CommandLine with(Shell shell) {
        return new CommandLine(new WorkersCommand())
                .addSubcommand(new All(shell))
                .addSubcommand(new Stop(shell));
    }

    static List<String> row(Worker worker) {
        return List.of(
                worker.id().toString(),
                worker.name(),
                worker.host(),
                worker.status().name(),
                String.valueOf(worker.running()),
                worker.lastSeenAt().toString(),
                worker.topics().isEmpty() ? "(all)" : String.join(",", worker.topics()));
    }

    @Command(name = "list", description = "List all workers; as JSON, one a line.")
    private static final class All extends ServerCommand {
        All(Shell shell) {
            super(shell);
        }

        @Override
        public Integer call() {
            try (ServerViews views = views()) {
                List<Worker> workers = views.workers();
                if (isJson()) {
                    workers.forEach(worker -> printJson(out -> WorkerForm.write(worker, out)));
                } else {
                    Table.print(
                            shell().out(),
                            HEADINGS,
                            workers.stream().map(WorkersCommand::row).toList());
                }
            }
            return ExitCode.OK;
        }
    }

    @Command(name = "stop", description = "Ask a worker to finish what it runs and to leave.")
    private static final class Stop extends ServerCommand {
        @Parameters(paramLabel = "ID", description = "The worker.")
        private UUID id = new UUID(0, 0);

        Stop(Shell shell) {
            super(shell);
        }

        @Override
        public Integer call() {
            try (Millrace millrace = open()) {
                if (!millrace.workers().stop(id)) {
                    throw new FailedException("there is no worker " + id + " alive");
                }
                printCount("stopping", 1);
            }
            return ExitCode.OK;
        }
    }
}
