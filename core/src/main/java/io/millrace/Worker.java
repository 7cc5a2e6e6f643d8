package io.millrace;

import java.time.Instant;
import java.util.Set;
import java.util.UUID;

/**
 * A process that takes tasks.
 *
 * @param topics those it said it serves; empty for all
 * @param owner the name of the access key that registered it; empty if there was none
 * @param running how many leases it holds
 */
public record Worker(
        UUID id,
        String name,
        String host,
        Set<String> topics,
        String owner,
        Status status,
        Instant registeredAt,
        Instant lastSeenAt,
        int running) {

    public enum Status {
        ACTIVE,
        /** Told to finish and leave; it gets no more tasks. */
        STOPPING,
        /** Not heard of in time; what it held runs elsewhere. */
        EXPIRED
    }

    /** Whether it said that it serves this topic, and can still be given tasks. */
    public boolean serves(String topic) {
        return status == Status.ACTIVE && (topics.isEmpty() || topics.contains(topic));
    }
}
