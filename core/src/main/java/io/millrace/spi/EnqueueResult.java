package io.millrace.spi;

import java.util.List;
import java.util.UUID;

/** What became of an {@link EnqueueRequest}. */
public sealed interface EnqueueResult {
    /** All tasks are in; one item per task. */
    record Stored(List<Item> items) implements EnqueueResult {}

    /**
     * Nothing was stored: this topic cannot take what the request has for it.
     *
     * @param wanting the tasks of the request that need room there, in their order; duplicates need none
     * @param room for how many of them there is room
     */
    record Full(String topic, List<UUID> wanting, int room) implements EnqueueResult {}

    /**
     * Nothing was stored: tasks whose deadline has passed hold a unique key or room that the request needs. End them by
     * {@link Change.Expire}, and try again.
     *
     * @param tasks some of them
     */
    record Overdue(List<UUID> tasks) implements EnqueueResult {}

    /**
     * Nothing was stored: the store itself can take no more tasks now.
     *
     * @param why for the caller, in words
     */
    record StoreFull(String why) implements EnqueueResult {}

    /** @param id the task's own id, or that of the task already there if it is a duplicate */
    record Item(UUID id, boolean duplicate) {}
}
