package io.millrace.cli;

import io.millrace.InvalidValueException;
import io.millrace.StoreUnavailableException;
import io.millrace.wire.WireException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Whatever goes wrong, as one line and an exit code. */
final class Complaints {
    private Complaints() {}

    static void installIn(CommandLine commandLine) {
        commandLine.setParameterExceptionHandler(Complaints::badArgument);
        commandLine.setExecutionExceptionHandler(Complaints::failed);
    }

    private static int badArgument(ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        List<String> parts = new ArrayList<>();
        parts.add(String.valueOf(e.getMessage()));
        if (e instanceof UnmatchedArgumentException unmatched
                && !unmatched.getSuggestions().isEmpty()) {
            parts.add("did you mean " + String.join(" or ", unmatched.getSuggestions()) + "?");
        }
        parts.add("see " + command.getCommandSpec().qualifiedName() + " --help");
        print(command, String.join("; ", parts));
        return ExitCode.USAGE;
    }

    private static int failed(Exception e, CommandLine command, ParseResult result) {
        print(command, text(e));
        if (e instanceof UsageException || e instanceof InvalidValueException) {
            return ExitCode.USAGE;
        }
        return e instanceof StoreUnavailableException ? ExitCode.UNREACHABLE : ExitCode.FAILED;
    }

    static String text(Throwable e) {
        if (e instanceof WireException wire) {
            return "the server's answer is not what it should be: " + place(wire);
        }
        String message = e.getMessage();
        return message == null || message.isBlank() ? e.toString() : message;
    }

    /** What is wrong with a JSON text, and where in it. */
    static String place(WireException e) {
        return e.pointer().isEmpty() ? e.detail() : e.pointer() + ": " + e.detail();
    }

    private static void print(CommandLine command, String text) {
        command.getErr().println("millrace: " + Secrets.hidden(text.strip().replaceAll("\\s*\\R\\s*", " ")));
    }
}
