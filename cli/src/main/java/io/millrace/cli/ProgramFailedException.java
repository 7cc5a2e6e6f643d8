package io.millrace.cli;

import java.io.PrintWriter;

/** A program ended badly. The message is all that the task keeps: where the command line stood then is of no use to anybody. */
final class ProgramFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    ProgramFailedException(String message) {
        super(message, null, false, false);
    }

    /** This is what a task keeps of an exception. */
    @Override
    public void printStackTrace(PrintWriter out) {
        out.println(getMessage());
    }
}
