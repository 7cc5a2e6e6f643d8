package io.millrace.cli;

/** A flag, an argument or a setting that is not allowed. The message is all that the user sees. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
