package io.millrace;

/** Thrown by a handler: the task or item has failed and is not to be tried again, whatever retries are left. */
public class StopException extends Exception {
    private static final long serialVersionUID = 1L;

    public StopException(String message) {
        super(message);
    }

    public StopException(String message, Throwable cause) {
        super(message, cause);
    }
}
