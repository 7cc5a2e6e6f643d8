package io.millrace;

import java.util.UUID;

/** There is no such task, or not any more. */
public final class TaskNotFoundException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TaskNotFoundException(UUID id) {
        super("there is no task " + id + "; it may have been deleted when its retention had passed");
    }
}
