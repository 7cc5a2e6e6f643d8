package io.millrace.cli;

import io.millrace.Millrace;
import io.millrace.When;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "reschedule", description = "Run READY and SCHEDULED tasks at another time.")
final class TaskReschedule extends ServerCommand {
    @Parameters(arity = "1..*", paramLabel = "ID", description = "The tasks.")
    private List<UUID> ids = List.of();

    @ArgGroup(multiplicity = "1")
    private Time time = new Time();

    /** One of the two. */
    private static final class Time {
        @Option(names = "--delay", paramLabel = "DURATION", description = "After this time from now, such as 5m.")
        private @Nullable String delay;

        @Option(names = "--run-at", paramLabel = "TIME", description = "At this time: 2030-01-02T03:04:05Z.")
        private @Nullable String runAt;

        When when() {
            if (delay != null) {
                return When.after(Arguments.duration("--delay", delay));
            }
            return When.at(Arguments.time("--run-at", Commands.present(runAt)));
        }
    }

    TaskReschedule(Shell shell) {
        super(shell);
    }

    @Override
    public Integer call() {
        When when = time.when();
        try (Millrace millrace = open()) {
            long count = changeEach(ids, id -> millrace.reschedule(id, when));
            printCount("rescheduled", count);
            return count == ids.size() ? ExitCode.OK : ExitCode.FAILED;
        }
    }
}
