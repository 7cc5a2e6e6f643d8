package io.millrace.cli;

import io.millrace.InvalidValueException;
import io.millrace.Millrace;
import io.millrace.StoreUnavailableException;
import io.millrace.server.MillraceServer;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "serve",
        description = "Run a server.",
        footer = "%nEvery setting is also an environment variable (--worker-expiry: MILLRACE_WORKER_EXPIRY).")
final class ServeCommand implements Callable<Integer> {
    private final Shell shell;

    @Spec
    private @Nullable CommandSpec spec;

    ServeCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        ServerPlan plan = ServerPlan.of(SettingFlags.gather(Commands.present(spec), shell));
        // before anything is open, so that a signal during the start ends it in order too
        shell.signals().listen(() -> {});
        try (Millrace millrace = open(plan);
                MillraceServer server = start(millrace, plan);
                @Nullable KeyFile keys = follow(plan, server)) {
            greet(plan, server.port());
            var unused = shell.signals().asked().join();
            shell.err().println("Stopping; requests under way may end. The same signal again stops at once.");
        }
        shell.err().println("Stopped.");
        return ExitCode.OK;
    }

    private static Millrace open(ServerPlan plan) {
        try {
            return Millrace.open(plan.store(), plan.millrace());
        } catch (StoreUnavailableException e) {
            throw new FailedException("the store cannot be opened: " + Complaints.text(e));
        }
    }

    private @Nullable KeyFile follow(ServerPlan plan, MillraceServer server) {
        return plan.keyFile() == null ? null : KeyFile.follow(plan.keyFile(), server, shell.signals());
    }

    private static MillraceServer start(Millrace millrace, ServerPlan plan) {
        try {
            return MillraceServer.start(millrace, plan.server());
        } catch (InvalidValueException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new FailedException("the server cannot listen on "
                    + plan.server().host() + ":" + plan.server().port() + ": " + Complaints.text(e));
        }
    }

    private void greet(ServerPlan plan, int port) {
        String host = plan.server().host();
        String address = (plan.server().isTls() ? "https" : "http") + "://"
                + (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
        String key = plan.server().keys().isEmpty() ? "" : " -H \"Authorization: Bearer $MILLRACE_KEY\"";
        shell.out().println("Millrace serves " + Secrets.hidden(plan.store()) + " at " + address);
        shell.out().println("Look at that address with a browser, or enqueue a task:");
        shell.out()
                .println("  curl " + address + "/v1/tasks" + key
                        + " -H 'Content-Type: application/json' -d '{\"topic\": \"email\", \"payload\": \"hello\"}'");
        shell.out().println("Ctrl-C stops it.");
    }
}
