package io.millrace.spi;

import io.millrace.TaskState;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * @param state what the task is now, if the completion was applied
 * @param released waiting tasks whose last arrival this was
 */
public record CompletionResult(Status status, @Nullable TaskState state, List<UUID> released) {
    public static final CompletionResult LEASE_LOST = new CompletionResult(Status.LEASE_LOST, null, List.of());
    public static final CompletionResult REPEATED = new CompletionResult(Status.REPEATED, null, List.of());
    public static final CompletionResult STORE_FULL = new CompletionResult(Status.STORE_FULL, null, List.of());

    public enum Status {
        APPLIED,
        /** The same report was applied before; nothing was changed now. */
        REPEATED,
        /** The lease is not, or not any more, this worker's; nothing was changed. */
        LEASE_LOST,
        /**
         * There is no room for the result or the spawned tasks. Nothing was changed: the lease is good, and the report
         * can be repeated when there is room, or made without them.
         */
        STORE_FULL
    }

    public static CompletionResult applied(TaskState state, List<UUID> released) {
        return new CompletionResult(Status.APPLIED, state, released);
    }
}
