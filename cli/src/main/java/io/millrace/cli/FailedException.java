package io.millrace.cli;

import java.util.List;

/** It could not be done. The messages are all that the user sees. */
final class FailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> messages;

    FailedException(String message) {
        this(List.of(message));
    }

    /** @param messages a line each; there is at least one */
    FailedException(List<String> messages) {
        super(messages.get(0));
        this.messages = List.copyOf(messages);
    }

    List<String> messages() {
        return messages;
    }
}
