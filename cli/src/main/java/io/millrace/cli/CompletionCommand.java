package io.millrace.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "completion",
        description = "Print a completion script for bash and zsh.",
        footer = "%n  source <(millrace completion)")
final class CompletionCommand implements Callable<Integer> {
    private final Shell shell;

    @Spec
    private @Nullable CommandSpec spec;

    CompletionCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        shell.out()
                .print(AutoComplete.bash(
                        "millrace", Commands.present(spec).root().commandLine()));
        shell.out().flush();
        return ExitCode.OK;
    }
}
