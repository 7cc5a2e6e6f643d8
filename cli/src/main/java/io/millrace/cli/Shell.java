package io.millrace.cli;

import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What a command has around it.
 *
 * @param isTerminal whether somebody watches, who likes to see progress; the script that starts the JVM knows
 */
record Shell(Map<String, String> environment, InputStream in, PrintWriter out, PrintWriter err, boolean isTerminal) {
    static Shell ofProcess() {
        return new Shell(
                System.getenv(),
                System.in,
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                Boolean.getBoolean("millrace.terminal"));
    }
}
