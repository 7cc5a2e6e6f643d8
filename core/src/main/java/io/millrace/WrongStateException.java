package io.millrace;

import java.util.UUID;

/** What was asked for cannot be done to a task in the state it is in. Nothing was changed. */
public final class WrongStateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public WrongStateException(UUID task, String asked, String why) {
        super("task " + task + " cannot be " + asked + ": " + why);
    }

    /** One that was thrown elsewhere, with the message that it had there. */
    public WrongStateException(String message) {
        super(message);
    }
}
