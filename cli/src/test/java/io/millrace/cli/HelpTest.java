package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class HelpTest {
    @TempDir
    private Path directory;

    @Test
    void every_command_has_help_and_is_in_the_docs() throws Exception {
        String docs = Files.readString(Path.of("../docs/cli.md"));
        Shell shell = Shell.ofProcess();
        Map<String, CommandLine> commands = Main.commandLine(shell).getSubcommands();

        assertThat(commands).isNotEmpty();
        commands.keySet().forEach(name -> {
            Run run = Run.of(name, "--help");
            assertThat(run.exitCode()).isZero();
            assertThat(run.out()).contains("Usage: millrace " + name);
            assertThat(docs).contains("`millrace " + name);
        });
    }

    @Test
    void every_subcommand_and_option_is_in_the_docs() throws Exception {
        String docs = Files.readString(Path.of("../docs/cli.md"));
        for (CommandLine command :
                Main.commandLine(Shell.ofProcess()).getSubcommands().values()) {
            checkOptions(command, docs);
            command.getSubcommands().forEach((name, subcommand) -> {
                assertThat(docs).containsPattern("`(millrace \\w+ )?" + name + "[` ]");
                checkOptions(subcommand, docs);
                assertThat(Run.of(command.getCommandName(), name, "--help").out())
                        .contains("Usage: millrace " + command.getCommandName() + " " + name);
            });
        }
    }

    /** Settings are listed by their keys. */
    private static void checkOptions(CommandLine command, String docs) {
        for (OptionSpec option : command.getCommandSpec().options()) {
            String name = option.longestName();
            if (!Set.of("--help", "--version").contains(name)) {
                assertThat(docs)
                        .as(command.getCommandName() + " " + name)
                        .containsPattern(name + "(?![\\w-])|`" + name.substring(2) + "`");
            }
        }
    }

    @Test
    void every_setting_is_in_the_docs() throws Exception {
        String docs = Files.readString(Path.of("../docs/cli.md"));

        for (Setting setting : Setting.values()) {
            assertThat(docs).contains("`" + setting.key() + "`");
        }
    }

    @Test
    void an_unknown_command_is_one_line() {
        Run run = Run.of("srve");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err().lines()).hasSize(1);
    }

    @Test
    void bash_takes_the_completion_script() throws Exception {
        Run run = Run.of("completion");
        Path script = Files.writeString(directory.resolve("completion"), run.out());

        Process bash = new ProcessBuilder("bash", "-c", "source " + script + " && complete -p millrace")
                .redirectErrorStream(true)
                .start();

        assertThat(bash.waitFor()).isZero();
        assertThat(run.out())
                .contains("worker-expiry", "redrive", "--created-after", "--close-timeout", "--callers", "--every")
                .contains(
                        "final" + "\" \"" + "retry" + "\" \"" + "redeliver", "share\" \"oldest", "pending\" \"failed");
    }
}
