package io.millrace.cli;

import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

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
        System.exit(commandLine(Shell.ofProcess()).execute(arguments));
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
        addHelp(root);
        Complaints.installIn(root);
        return root;
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
