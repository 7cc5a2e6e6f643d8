package io.millrace.cli;

import io.millrace.InvalidValueException;
import io.millrace.StoreUnavailableException;
import io.millrace.client.AccessDeniedException;
import io.millrace.wire.WireException;
import io.millrace.wire.WireException.Fault;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Whatever goes wrong, as an exit code and a line; or several, if several fields are bad. */
final class Complaints {
    private static final int FIELDS = 20;

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
        texts(e).forEach(text -> print(command, text));
        if (e instanceof UsageException || e instanceof InvalidValueException) {
            return ExitCode.USAGE;
        }
        return e instanceof StoreUnavailableException ? ExitCode.UNREACHABLE : ExitCode.FAILED;
    }

    /** A text for each bad field. */
    static List<String> texts(Throwable e) {
        if (e instanceof InvalidValueException invalid) {
            return invalid.messages();
        }
        return e instanceof FailedException failed ? failed.messages() : List.of(text(e));
    }

    static String text(Throwable e) {
        if (e instanceof WireException wire) {
            return "the server's answer is not what it should be: "
                    + places(wire).get(0);
        }
        String message = e.getMessage();
        String said = message == null || message.isBlank() ? e.toString() : message;
        return e instanceof AccessDeniedException denied ? withKeys(denied, said) : said;
    }

    private static String withKeys(AccessDeniedException denied, String said) {
        return denied.isKeyKnown()
                ? said + "; another key can be set in MILLRACE_KEY, or in a file with --key-file"
                : "the server, or a proxy before it, needs an access key that it knows: set MILLRACE_KEY, or give a file with --key-file";
    }

    /** What is wrong with a JSON text, and where in it: the first bad fields, and how many there are beside these. */
    static List<String> places(WireException e) {
        List<String> places = new ArrayList<>();
        for (Fault fault : e.faults()) {
            places.add(fault.pointer().isEmpty() ? fault.detail() : fault.pointer() + ": " + fault.detail());
        }
        return bounded(places, e.more());
    }

    /** @param more how many there are beside these */
    static List<String> bounded(List<String> texts, int more) {
        List<String> listed = new ArrayList<>(texts.subList(0, Math.min(texts.size(), FIELDS)));
        int left = texts.size() - listed.size() + more;
        if (left > 0) {
            listed.add(left + " more");
        }
        return listed;
    }

    private static void print(CommandLine command, String text) {
        command.getErr().println("millrace: " + Secrets.hidden(text.strip().replaceAll("\\s*\\R\\s*", " ")));
    }
}
