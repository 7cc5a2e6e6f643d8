package io.millrace.spi;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A worker says that it lives, and how its tasks are.
 *
 * @param holding all tasks it knows to hold; leases older than {@code grace} that are not among them are given up,
 *     because the answer to their claim was lost. Null says nothing.
 * @param started tasks it holds and has started. Where time counts from the start, their time-to-run begins now, unless they
 *     were named before. A report starts a task too.
 */
public record Heartbeat(
        UUID worker, @Nullable Set<UUID> holding, Duration grace, Set<UUID> started, List<Report> reports) {
    public Heartbeat(UUID worker, @Nullable Set<UUID> holding, Duration grace, List<Report> reports) {
        this(worker, holding, grace, Set.of(), reports);
    }

    /** @param extend sets the end of the time-to-run to this long from now */
    public record Report(
            Lease lease,
            @Nullable Integer percent,
            @Nullable String message,
            @Nullable Duration extend) {}

    public static Heartbeat of(UUID worker) {
        return new Heartbeat(worker, null, Duration.ZERO, List.of());
    }
}
