package io.millrace.cli;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The settings as flags of a command. */
final class SettingFlags {
    private static final String CONFIG = "--config";

    private SettingFlags() {}

    static void addTo(CommandSpec command) {
        for (Setting setting : Setting.values()) {
            String standard = setting.standard();
            command.addOption(OptionSpec.builder(setting.flag())
                    .type(String.class)
                    .paramLabel(setting.name())
                    .description(setting.help() + (standard == null ? "" : " Default: " + standard))
                    .build());
        }
        command.addOption(OptionSpec.builder(CONFIG)
                .type(Path.class)
                .paramLabel("FILE")
                .description("Settings as name=value lines; flags and MILLRACE_… variables come before it.")
                .build());
    }

    static Settings gather(CommandSpec command, Shell shell) {
        Map<Setting, String> flags = new EnumMap<>(Setting.class);
        for (Setting setting : Setting.values()) {
            String given = command.findOption(setting.flag()).getValue();
            if (given != null) {
                flags.put(setting, given);
            }
        }
        @Nullable Path file = command.findOption(CONFIG).getValue();
        return Settings.gather(flags, file, shell.environment());
    }
}
