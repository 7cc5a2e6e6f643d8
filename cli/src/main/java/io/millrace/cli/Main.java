package io.millrace.cli;

import java.util.Set;
import java.util.UUID;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.TypeConversionException;

/** {@code millrace COMMAND}. */
@Command(
        name = "millrace",
        description = "A work queue: run a server, and talk to one.",
        versionProvider = Main.Version.class,
        synopsisSubcommandLabel = "COMMAND")
public final class Main {
    /** Commands that stay, and tell in their log what happens meanwhile. */
    private static final Set<String> SERVICES = Set.of("serve", "work");

    private Main() {}

    public static void main(String... arguments) {
        if (arguments.length > 0 && !SERVICES.contains(arguments[0])) {
            // read by logback.xml; must be set before the first logger is made
            System.setProperty("millrace.log", "OFF");
        }
        try {
            System.exit(commandLine(Shell.ofProcess()).execute(arguments));
        } catch (Throwable e) {
            // threads of a server would keep the process alive
            e.printStackTrace();
            Runtime.getRuntime().halt(ExitCode.FAILED);
        }
    }

    static CommandLine commandLine(Shell shell) {
        CommandLine root = new CommandLine(new Main());
        CommandLine serve = new CommandLine(new ServeCommand(shell));
        CommandLine config = new CommandLine(new ConfigCommand(shell));
        SettingFlags.addTo(serve.getCommandSpec());
        SettingFlags.addTo(config.getCommandSpec());
        root.addSubcommand(serve)
                .addSubcommand(config)
                .addSubcommand(new EnqueueCommand(shell))
                .addSubcommand(TasksCommand.with(shell))
                .addSubcommand(TopicsCommand.with(shell))
                .addSubcommand(WorkersCommand.with(shell))
                .addSubcommand(new WorkCommand(shell))
                .addSubcommand(new TopCommand(shell))
                .addSubcommand(new BenchCommand(shell))
                .addSubcommand(new KeyCommand(shell))
                .addSubcommand(new BackupCommand(shell))
                .addSubcommand(new CompletionCommand(shell));
        root.setOut(shell.out()).setErr(shell.err());
        root.setCaseInsensitiveEnumValuesAllowed(true);
        root.registerConverter(UUID.class, Main::id);
        addHelp(root);
        Complaints.installIn(root);
        return root;
    }

    private static UUID id(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(
                    "'" + text + "' is no id, which looks like 01a1e396-3d02-7000-bc15-bfdf5e09d70c");
        }
    }

    private static void addHelp(CommandLine command) {
        command.getCommandSpec().mixinStandardHelpOptions(true);
        command.getSubcommands().values().forEach(Main::addHelp);
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"millrace " + (version == null ? "(built from sources)" : version)};
        }
    }
}
