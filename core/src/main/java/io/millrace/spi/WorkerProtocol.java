package io.millrace.spi;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * How a worker, embedded or remote, talks to Millrace: register, then ping regularly, claim, work, report, leave. A
 * worker whose ping is answered with a standing that is not alive abandons its work and registers anew.
 */
public interface WorkerProtocol {
    record Registration(UUID id, Duration pingEvery, Duration expiresAfter) {}

    /** @param worker if it is not {@code ALIVE} there are no tasks */
    record Claim(WorkerStanding worker, List<LeasedTask> tasks) {}

    record Report(Lease lease, Ending ending) {}

    Registration register(WorkerRegistry.Introduction introduction);

    /** @param holding all tasks the worker holds, or null to say nothing of them */
    Renewal ping(UUID worker, @Nullable Set<UUID> holding, List<Heartbeat.Report> reports);

    /**
     * Asks for tasks and waits for some up to {@code wait}; then, or when cancelled, the answer has none.
     *
     * @param topics empty for those of the registration, and where that has none for all
     */
    CompletableFuture<Claim> claim(UUID worker, List<String> topics, int max, Duration wait);

    /** Each answer is given when the report is durable. */
    CompletableFuture<CompletionResult> report(UUID worker, Report report);

    /** Whatever it still holds is ready again at once. */
    void leave(UUID worker);
}
