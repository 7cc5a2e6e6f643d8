package io.millrace.cli;

import io.millrace.TimedOutException;
import java.io.PrintWriter;

/** A program was ended because its time was over; like {@link ProgramFailedException}, it is nothing but its message. */
final class ProgramTimedOutException extends TimedOutException {
    private static final long serialVersionUID = 1L;

    ProgramTimedOutException(String message) {
        super(message);
    }

    /** This is what a task keeps of an exception. */
    @Override
    public void printStackTrace(PrintWriter out) {
        out.println(getMessage());
    }
}
