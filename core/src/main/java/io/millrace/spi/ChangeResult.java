package io.millrace.spi;

import io.millrace.TaskState;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * @param items for ids, one per id; otherwise those that were changed
 * @param next the cursor of the next step; null if this was the last
 */
public record ChangeResult(List<Item> items, @Nullable String next) {
    public enum Status {
        CHANGED,
        NOT_FOUND,
        WRONG_STATE,
        /** A task cannot be pending again while another pending one holds its unique key. */
        KEY_TAKEN,
        /** A task whose dead letter was redriven runs again as that one. */
        REDRIVEN
    }

    /**
     * @param topic the task's, null if it was not found
     * @param before the state it was in, null if it was not found
     */
    public record Item(
            UUID id,
            Status status,
            @Nullable String topic,
            @Nullable TaskState before) {}

    public long changed() {
        return items.stream().filter(item -> item.status() == Status.CHANGED).count();
    }
}
