package io.millrace.cli;

import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.Payload;
import io.millrace.TaskContext;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "work",
        description = "Run a program for each task.",
        footer = {
            "%nThe program gets the payload on standard input. Exit code 0 is a success, and its output the result;",
            "any other is a failure, and the end of its standard error says why.",
            "%nmillrace work --topic thumbnails --exec 'convert - -resize 128 out/$MILLRACE_TASK_ID.png'"
        })
final class WorkCommand implements Callable<Integer> {
    /** Programs end by their time-to-run at last. */
    private static final Duration UNTIL_DONE = Duration.ofDays(3_650);

    private final Shell shell;
    private final AtomicLong started = new AtomicLong();
    private final CompletableFuture<Long> enough = new CompletableFuture<>();

    @Mixin
    private Connection connection = new Connection();

    @Option(
            names = "--topic",
            paramLabel = "TOPIC",
            required = true,
            description = "Take tasks of this topic; may be repeated.")
    private List<String> topics = List.of();

    @Option(names = "--exec", paramLabel = "COMMAND", required = true, description = "The program, as sh -c takes it.")
    private String command = "";

    @Option(
            names = "--threads",
            paramLabel = "NUMBER",
            description = "So many tasks at once. Default: one for each processor")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--max", paramLabel = "NUMBER", description = "Leave after so many tasks. Default: never")
    private long max = Long.MAX_VALUE;

    @Option(names = "--name", description = "The worker's name. Default: millrace-work")
    private String name = "millrace-work";

    @Option(
            names = "--close-timeout",
            paramLabel = "DURATION",
            description = "How long a stop lets programs finish. Default: until they are done")
    private @Nullable String closeTimeout;

    WorkCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        if (max < 1) {
            throw new UsageException("--max: " + max + " must be 1 or more");
        }
        MillraceOptions.Builder options = options();
        try (TaskProgram program = new TaskProgram(command)) {
            shell.signals().listen(program::close);
            try (Millrace millrace = connection.open(shell, options)) {
                for (String topic : new LinkedHashSet<>(topics)) {
                    millrace.handle(topic, (payload, context) -> handle(program, payload, context));
                }
                shell.err()
                        .println("Works on " + String.join(", ", topics) + " at " + connection.url(shell)
                                + ". Ctrl-C lets it finish and leave.");
                var unused = CompletableFuture.anyOf(shell.signals().asked(), millrace.stopped(), enough)
                        .join();
                shell.err().println("Stopping; programs may finish. The same signal again kills them.");
            }
        }
        return ExitCode.OK;
    }

    private MillraceOptions.Builder options() {
        Duration patience = closeTimeout == null ? UNTIL_DONE : Arguments.duration("--close-timeout", closeTimeout);
        return connection
                .options(shell)
                .workerName(name)
                // tasks that wait here would lose their time-to-run
                .prefetch(0)
                .virtualThreads(false)
                .workers(threads)
                .closeTimeout(patience);
    }

    private void handle(TaskProgram program, Payload payload, TaskContext context) throws Exception {
        long number = started.incrementAndGet();
        if (number > max) {
            // it was fetched while the last one began
            context.snooze(Duration.ZERO);
            return;
        }
        if (number == max) {
            enough.complete(number);
        }
        try {
            program.handle(payload, context);
        } catch (Exception e) {
            shell.err()
                    .println("Attempt " + context.attempt() + " of "
                            + context.task().topic() + "/" + context.task().id() + ": "
                            + Table.shown(Complaints.text(e)));
            throw e;
        }
    }
}
