package io.millrace.internal.worker;

import java.io.PrintWriter;
import java.io.StringWriter;

/** An exception as the text that a task keeps: enough to find the fault, not so much that it fills the store. */
final class Failures {
    private static final int LONGEST = 2_000;

    private Failures() {}

    static String describe(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        String trace = text.toString().strip();
        return trace.length() <= LONGEST ? trace : trace.substring(0, LONGEST) + " …";
    }
}
