package io.millrace.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * What a command has around it.
 *
 * @param outIsTerminal whether somebody watches the output
 * @param errIsTerminal whether somebody watches standard error, and likes to see progress
 * @param signals heard by commands that stay
 */
record Shell(
        Map<String, String> environment,
        InputStream in,
        PrintWriter out,
        PrintWriter err,
        boolean outIsTerminal,
        boolean errIsTerminal,
        StopSignals signals) {
    static Shell ofProcess() {
        return new Shell(
                System.getenv(),
                System.in,
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                isTerminal(1),
                isTerminal(2),
                StopSignals.ofProcess());
    }

    /** The script that starts the JVM knows; without it, Linux does. The JDK knows only of all streams together. */
    private static boolean isTerminal(int descriptor) {
        String told = System.getProperty("millrace.terminals");
        if (told != null) {
            return told.contains(String.valueOf(descriptor));
        }
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd", String.valueOf(descriptor)))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
