package io.millrace.internal.worker;

import java.io.PrintWriter;
import java.io.StringWriter;

/** An exception as the text that a task keeps: enough to find the fault, not so much that it fills the store. */
final class Failures {
    private static final int LONGEST = 2_000;

    private Failures() {}

    static String describe(Throwable failure) {
        String trace;
        try {
            StringWriter text = new StringWriter();
            failure.printStackTrace(new PrintWriter(text));
            trace = text.toString().strip();
        } catch (RuntimeException e) {
            // an exception that cannot even describe itself
            trace = failure.getClass().getName() + ", which fails to describe itself: "
                    + e.getClass().getName();
        }
        return trace.length() <= LONGEST ? trace : trace.substring(0, LONGEST) + " …";
    }
}
