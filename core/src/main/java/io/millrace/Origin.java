package io.millrace;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where a dead letter came from.
 *
 * @param topic the topic it failed in, or was refused by
 * @param id the task it is a copy of; that task itself may be gone, or, if it leaked at the door, never have existed
 * @param error why it is here
 * @param uniqueKey the key it had there, restored by a redrive
 */
public record Origin(
        String topic, UUID id, String error, @Nullable String uniqueKey) {}
