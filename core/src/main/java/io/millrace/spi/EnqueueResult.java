package io.millrace.spi;

import java.util.List;
import java.util.UUID;

/** What became of an {@link EnqueueRequest}. */
public sealed interface EnqueueResult {
    /** All tasks are in; one item per task. */
    record Stored(List<Item> items) implements EnqueueResult {}

    /** Nothing was stored: this topic cannot take what the request has for it. */
    record Full(String topic) implements EnqueueResult {}

    /**
     * Nothing was stored: the store itself can take no more tasks now.
     *
     * @param why for the caller, in words
     */
    record StoreFull(String why) implements EnqueueResult {}

    /** @param id the task's own id, or that of the task already there if it is a duplicate */
    record Item(UUID id, boolean duplicate) {}
}
