package io.millrace.cli;

import io.millrace.wire.JsonOut;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "config",
        description = "Show the settings that 'serve' would use with the same flags, and where they come from.")
final class ConfigCommand implements Callable<Integer> {
    private final Shell shell;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    ConfigCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        Settings settings = SettingFlags.gather(Commands.present(spec), shell);
        var unused = ServerPlan.of(settings);
        if (json) {
            printJson(settings);
            return ExitCode.OK;
        }
        List<List<String>> rows = new ArrayList<>();
        for (Setting setting : Setting.values()) {
            Settings.Value value = settings.get(setting);
            rows.add(
                    value == null
                            ? List.of(setting.key(), "-", "not set")
                            : List.of(setting.key(), Secrets.hidden(value.text()), value.origin()));
        }
        Table.print(shell.out(), List.of("SETTING", "VALUE", "FROM"), rows);
        return ExitCode.OK;
    }

    private void printJson(Settings settings) {
        JsonOut out = new JsonOut().startObject();
        for (Setting setting : Setting.values()) {
            Settings.Value value = settings.get(setting);
            if (value != null) {
                out.startObject(setting.key())
                        .field("value", Secrets.hidden(value.text()))
                        .field("from", value.origin())
                        .endObject();
            }
        }
        shell.out().println(new String(out.endObject().toBytes(), StandardCharsets.UTF_8));
    }
}
