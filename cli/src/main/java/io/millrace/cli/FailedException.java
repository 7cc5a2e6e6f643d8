package io.millrace.cli;

/** It could not be done. The message is all that the user sees. */
final class FailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FailedException(String message) {
        super(message);
    }
}
