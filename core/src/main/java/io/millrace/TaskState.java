package io.millrace;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** Where a task is in its life. {@code docs/architecture.md} has the picture. */
public enum TaskState {
    /** Waits for other tasks to arrive at it. */
    WAITING(false),
    /** Waits for its time: a delay, or the next retry. */
    SCHEDULED(false),
    /** Can be taken by a worker. */
    READY(false),
    /** A worker holds a lease on it. */
    RUNNING(false),
    SUCCEEDED(true),
    FAILED(true),
    TIMED_OUT(true),
    CANCELLED(true),
    /** Its deadline passed before a worker took it. */
    EXPIRED(true);

    /** All states of tasks whose outcome is not known yet. */
    public static final Set<TaskState> PENDING =
            Collections.unmodifiableSet(EnumSet.of(WAITING, SCHEDULED, READY, RUNNING));

    /** All ends but success. */
    public static final Set<TaskState> UNSUCCESSFUL =
            Collections.unmodifiableSet(EnumSet.of(FAILED, TIMED_OUT, CANCELLED, EXPIRED));

    private final boolean isFinal;

    TaskState(boolean isFinal) {
        this.isFinal = isFinal;
    }

    /** Nothing happens to the task any more, but for its removal, or a retry by hand. */
    public boolean isFinal() {
        return isFinal;
    }

    public boolean isPending() {
        return !isFinal;
    }
}
