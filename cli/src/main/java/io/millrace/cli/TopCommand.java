package io.millrace.cli;

import io.millrace.StoreUnavailableException;
import io.millrace.Worker;
import io.millrace.client.ServerViews;
import io.millrace.wire.TopicForm;
import io.millrace.wire.TopicView;
import io.millrace.wire.WorkerForm;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "top", description = "Watch topics and workers; q or Ctrl-C ends it.")
final class TopCommand extends ServerCommand {
    @Option(names = "--once", description = "Print it once, and end.")
    private boolean once;

    @Option(names = "--every", paramLabel = "DURATION", description = "How often. Default: 1s")
    private String every = "1s";

    private final CompletableFuture<Integer> end = new CompletableFuture<>();

    TopCommand(Shell shell) {
        super(shell);
    }

    /** @param time when it was asked for */
    private record Frame(Instant time, List<TopicView> topics, List<Worker> workers) {}

    @Override
    public Integer call() throws InterruptedException {
        Duration pause = Arguments.duration("--every", every);
        if (pause.isNegative() || pause.isZero()) {
            throw new UsageException("--every: " + every + " must be more than nothing");
        }
        try (ServerViews views = views()) {
            // the first one tells of a wrong address or key
            Frame first = frame(views);
            if (once) {
                print(first);
            } else if (shell().outIsTerminal() && !isJson()) {
                watch(views, first, pause);
            } else {
                follow(views, first, pause);
            }
        }
        return ExitCode.OK;
    }

    private static Frame frame(ServerViews views) {
        return new Frame(Instant.now().truncatedTo(ChronoUnit.SECONDS), views.topics(), views.workers());
    }

    /** Draws on a terminal. A server that is away may come back. */
    private void watch(ServerViews views, Frame first, Duration pause) throws InterruptedException {
        try (Screen screen = new Screen(shell())) {
            shell().signals().listen(screen::close);
            screen.onKey('q', () -> end.complete(0));
            screen.draw(lines(first));
            while (!ended(pause)) {
                try {
                    screen.draw(lines(frame(views)));
                } catch (StoreUnavailableException e) {
                    screen.draw(List.of(Complaints.text(e), "", "The next try comes by itself; q ends it."));
                }
            }
        }
    }

    /** Prints for a file or a program, until that has seen enough. */
    private void follow(ServerViews views, Frame first, Duration pause) throws InterruptedException {
        shell().signals().listen(() -> {});
        print(first);
        while (!ended(pause) && !shell().out().checkError()) {
            print(frame(views));
        }
    }

    private boolean ended(Duration pause) throws InterruptedException {
        try {
            var unused = CompletableFuture.anyOf(end, shell().signals().asked())
                    .get(pause.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private void print(Frame frame) {
        if (isJson()) {
            printJson(out -> {
                out.startObject().field("time", frame.time).startArray("topics");
                frame.topics.forEach(view -> TopicForm.write(view, out));
                out.endArray().startArray("workers");
                frame.workers.forEach(worker -> WorkerForm.write(worker, out));
                out.endArray().endObject();
            });
        } else {
            lines(frame).forEach(shell().out()::println);
            shell().out().println();
        }
    }

    private List<String> lines(Frame frame) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        out.println(connection().url(shell()) + "  " + frame.time + "  " + frame.topics.size() + " topics, "
                + frame.workers.size() + " workers");
        out.println();
        Table.print(
                out,
                TopicPrinter.headings(),
                frame.topics.stream().map(TopicPrinter::row).toList());
        out.println();
        Table.print(
                out,
                WorkersCommand.HEADINGS,
                frame.workers.stream().map(WorkersCommand::row).toList());
        return text.toString().lines().toList();
    }
}
