package io.millrace.cli;

import io.millrace.server.AccessKey;
import io.millrace.server.Role;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "key",
        description = "Make an access key.",
        footer = "%nThe line for the server's key file goes to standard output, the key itself to standard error:%n"
                + "  millrace key shop --role producer >> keys")
final class KeyCommand implements Callable<Integer> {
    private final Shell shell;

    @Parameters(paramLabel = "NAME", description = "Who it is for; shown in logs.")
    private String name = "";

    @Option(names = "--role", required = true, description = "producer, worker, viewer or admin.")
    private Role role = Role.VIEWER;

    @Option(names = "--topic", description = "Opens this topic only; may be repeated.")
    private List<String> topics = List.of();

    KeyCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        AccessKey.Generated made = AccessKey.generate(name, role, Set.copyOf(topics));
        shell.out().println(made.key().toLine());
        shell.err().println("The key, shown this once: " + made.secret());
        return ExitCode.OK;
    }
}
