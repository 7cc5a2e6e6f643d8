package io.millrace;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where a dead letter came from.
 *
 * @param topic the topic it failed in, or was refused by
 * @param id the task it is a copy of; that task itself may be gone, or, if it leaked at the door, never have existed
 * @param error why it is here
 * @param uniqueKey the key it had there, restored by a redrive
 * @param earlier if that was a dead letter itself, the topics through which it came there, the first one first
 */
public record Origin(
        String topic, UUID id, String error, @Nullable String uniqueKey, List<String> earlier) {
    public Origin {
        earlier = List.copyOf(earlier);
    }

    public Origin(String topic, UUID id, String error, @Nullable String uniqueKey) {
        this(topic, id, error, uniqueKey, List.of());
    }

    /** Whether the letter has been a task of this topic. */
    public boolean cameThrough(String name) {
        return topic.equals(name) || earlier.contains(name);
    }
}
