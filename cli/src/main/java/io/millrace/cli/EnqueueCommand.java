package io.millrace.cli;

import io.millrace.Enqueued;
import io.millrace.Millrace;
import io.millrace.NewTask;
import io.millrace.wire.EnqueuedForm;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "enqueue",
        description = "Enqueue a task, or a file of tasks.",
        footer = {
            "%nmillrace enqueue email '{\"to\": \"a@example.org\"}' --delay 5m",
            "millrace enqueue --file tasks.ndjson"
        })
final class EnqueueCommand extends ServerCommand {
    private static final Set<String> ALSO_FOR_FILES = Set.of("--file", "--url", "--key-file", "--json");

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private TaskOptions options = new TaskOptions();

    @Parameters(index = "0", arity = "0..1", paramLabel = "TOPIC", description = "The topic.")
    private @Nullable String topic;

    @Parameters(index = "1", arity = "0..1", paramLabel = "PAYLOAD", description = "A JSON value.")
    private @Nullable String payload;

    @Option(names = "--file", paramLabel = "FILE", description = "NDJSON, a task a line; - for standard input.")
    private @Nullable String file;

    EnqueueCommand(Shell shell) {
        super(shell);
    }

    @Override
    public Integer call() throws IOException {
        if ((topic == null) == (file == null)) {
            throw new UsageException("give a topic, or --file for many tasks; see millrace enqueue --help");
        }
        if (file == null) {
            one(options.task(Commands.present(topic), payload));
        } else {
            checkOptions();
            many(file);
        }
        return ExitCode.OK;
    }

    /** What a file says of each task cannot be said again for all of them. */
    private void checkOptions() {
        for (OptionSpec option :
                Commands.present(spec).commandLine().getParseResult().matchedOptions()) {
            if (!ALSO_FOR_FILES.contains(option.longestName())) {
                throw new UsageException(option.longestName() + " is for one task; in a file, each line says it");
            }
        }
    }

    private void one(NewTask task) {
        try (Millrace millrace = open()) {
            Enqueued answer = millrace.enqueue(task);
            if (isJson()) {
                print(EnqueuedForm.write(answer));
                return;
            }
            shell().out().println(answer.id());
            if (answer.duplicate()) {
                shell().err().println("It is a duplicate: that task was there already.");
            }
            if (answer.leakedTo() != null) {
                shell().err().println("The topic is full: the task went to " + answer.leakedTo() + ".");
            }
        }
    }

    private void many(String source) throws IOException {
        boolean standardInput = source.equals("-");
        try (InputStream in = standardInput ? shell().in() : Files.newInputStream(Path.of(source));
                Millrace millrace = open();
                ProgressBar progress = new ProgressBar(shell())) {
            long size = standardInput ? 0 : Files.size(Path.of(source));
            EnqueuedForm.Stream answer = new NdjsonFeed(millrace, in, size, progress).send();
            progress.close();
            if (isJson()) {
                print(EnqueuedForm.write(answer));
            } else {
                shell().out().println(answer.accepted() + " accepted, " + answer.duplicates() + " of them duplicates");
            }
        } catch (NoSuchFileException e) {
            throw new UsageException("there is no file " + source);
        }
    }

    private void print(byte[] json) {
        shell().out().println(new String(json, StandardCharsets.UTF_8));
    }
}
