package io.millrace.cli;

import io.millrace.InvalidValueException;
import io.millrace.Millrace;
import io.millrace.StoreUnavailableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "backup",
        description = "Copy an embedded store that no server has open.",
        footer = "%nTo use the copy: millrace serve --store embedded:DIRECTORY")
final class BackupCommand implements Callable<Integer> {
    private static final String EMBEDDED = "embedded:";

    private final Shell shell;

    @Parameters(paramLabel = "DIRECTORY", description = "Where the copy goes; empty or missing.")
    private Path target = Path.of("");

    @Option(names = "--store", description = "What to copy. Default: embedded:./data")
    private String store = EMBEDDED + "./data";

    BackupCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        checkStore();
        try (Millrace millrace = Millrace.open(store)) {
            millrace.backUp(target);
        } catch (StoreUnavailableException e) {
            throw new FailedException(Complaints.text(e)
                    + "; a store that a server has open cannot be copied from outside: stop the server first");
        }
        shell.out().println("Copied " + store + " to " + EMBEDDED + target);
        return ExitCode.OK;
    }

    /** To open a store that is not there would make an empty one, and copy that. */
    private void checkStore() {
        if (!store.startsWith(EMBEDDED)) {
            throw new InvalidValueException(
                    "store",
                    Secrets.hidden(store),
                    "only embedded stores are copied; databases have tools of their own");
        }
        String path = store.substring(EMBEDDED.length()).replaceAll("\\?.*", "");
        if (path.isEmpty() || !Files.isDirectory(Path.of(path))) {
            throw new FailedException("there is no store at " + store);
        }
    }
}
