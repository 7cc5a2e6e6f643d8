package io.millrace.cli;

import io.millrace.ClaimOrder;
import io.millrace.Limits;
import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.Payload;
import io.millrace.TaskContext;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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

    @Mixin
    private Connection connection = new Connection();

    @Option(
            names = "--topic",
            paramLabel = "TOPIC",
            required = true,
            description = "Take tasks of this topic; may be repeated. '*' takes those of every topic.")
    private List<String> topics = List.of();

    @Option(names = "--exec", paramLabel = "COMMAND", required = true, description = "The program, as sh -c takes it.")
    private String command = "";

    @Option(
            names = "--threads",
            paramLabel = "NUMBER",
            description = "So many tasks at once. Default: one for each processor")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--order",
            paramLabel = "ORDER",
            completionCandidates = Choices.Orders.class,
            description = {
                "share: every topic gets its share, by weight.",
                "oldest: by priority, then by age, whatever the topic.",
                "Default: share"
            })
    private ClaimOrder order = ClaimOrder.SHARE;

    @Option(names = "--max", paramLabel = "NUMBER", description = "Leave after this number of tasks. Default: never")
    private @Nullable Integer max;

    @Option(
            names = "--burst",
            description = "Run what can be run now, and leave; tasks that are scheduled for later are left.")
    private boolean burst;

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
        if (max != null && max < 1) {
            throw new UsageException("--max: " + max + " must be 1 or more");
        }
        MillraceOptions.Builder options = options();
        try (TaskProgram program = new TaskProgram(command)) {
            shell.signals().listen(program::close);
            try (Millrace millrace = connection.open(shell, options)) {
                millrace.handle(Set.copyOf(topics), (payload, context) -> handle(program, payload, context));
                boolean endsByItself = burst || max != null;
                shell.err()
                        .println("Works on " + served() + " at " + connection.url(shell)
                                + (endsByItself ? "." : ". Ctrl-C lets it finish and leave."));
                awaitEnd(millrace);
                if (shell.signals().asked().isDone()) {
                    shell.err().println("Stopping; programs may finish. The same signal again kills them.");
                }
            }
        }
        return ExitCode.OK;
    }

    /** Until a signal, the kill switch, the last task, or the end of a burst. */
    private void awaitEnd(Millrace millrace) {
        CompletableFuture<?> end = CompletableFuture.anyOf(shell.signals().asked(), millrace.stopped());
        try {
            var unused = (burst ? CompletableFuture.anyOf(end, drained(millrace)) : end).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** On a thread of its own, since a signal may end the wait. */
    private static CompletableFuture<Long> drained(Millrace millrace) {
        CompletableFuture<Long> drained = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        drained.complete(millrace.drain());
                    } catch (InterruptedException | RuntimeException e) {
                        drained.completeExceptionally(e);
                    }
                },
                "millrace-burst");
        thread.setDaemon(true);
        thread.start();
        return drained;
    }

    private String served() {
        return topics.contains(Limits.ALL_TOPICS) ? "every topic" : String.join(", ", topics);
    }

    private MillraceOptions.Builder options() {
        Duration patience = closeTimeout == null ? UNTIL_DONE : Arguments.duration("--close-timeout", closeTimeout);
        MillraceOptions.Builder options = connection
                .options(shell)
                .workerName(name)
                .claimOrder(order)
                // a task that waits here could run elsewhere
                .prefetch(0)
                .virtualThreads(false)
                .workers(threads)
                .closeTimeout(patience);
        return max == null ? options : options.maxTasks(max);
    }

    private void handle(TaskProgram program, Payload payload, TaskContext context) throws Exception {
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
