package io.millrace.spi;

import io.millrace.TaskQuery;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which tasks a change is meant for. */
public sealed interface Selection {
    record Ids(List<UUID> ids) implements Selection {}

    /** @param cursor where the step before this one ended; null to begin */
    record Matching(TaskQuery query, @Nullable String cursor) implements Selection {}

    /** Final tasks whose retention has passed. */
    record PastRetention() implements Selection {}
}
