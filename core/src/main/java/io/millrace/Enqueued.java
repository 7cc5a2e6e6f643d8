package io.millrace;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The answer to an enqueue.
 *
 * @param id the task's id; of a duplicate, the id of the task already there; of a leaked task, that of its dead letter
 * @param leakedTo the dead-letter topic that took the task because its own was full; null if it was not
 */
public record Enqueued(UUID id, boolean duplicate, @Nullable String leakedTo) {}
