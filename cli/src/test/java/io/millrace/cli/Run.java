package io.millrace.cli;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** One run of the command line within this process. */
record Run(int exitCode, String out, String err) {
    static Run of(String... arguments) {
        return with(Map.of(), "", arguments);
    }

    static Run with(Map<String, String> environment, String input, String... arguments) {
        return with(environment, input, StopSignals.deaf(), arguments);
    }

    static Run with(Map<String, String> environment, String input, StopSignals signals, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Shell shell = new Shell(
                environment,
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                false,
                false,
                signals);
        int exitCode = Main.commandLine(shell).execute(arguments);
        return new Run(exitCode, out.toString(), err.toString());
    }
}
