package io.millrace;

/**
 * Thrown by a handler that has ended its work because its time-to-run was over: the attempt counts as timed out, and the
 * topic's {@link OnTimeout} says what follows. A handler need not watch the time; one that is late is interrupted. This is
 * for those who can stop on time.
 */
public class TimedOutException extends Exception {
    private static final long serialVersionUID = 1L;

    public TimedOutException(String message) {
        super(message);
    }
}
