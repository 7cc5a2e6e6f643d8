package io.millrace.spi;

import io.millrace.ClaimOrder;
import io.millrace.Limits;
import io.millrace.spi.ClaimRequest.TimeFrom;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * How a worker, embedded or remote, talks to Millrace: register, then ping regularly, claim, work, report, leave. A
 * worker whose ping is answered with a standing that is not alive abandons its work and registers anew.
 */
public interface WorkerProtocol {
    record Registration(UUID id, Duration pingEvery, Duration expiresAfter) {}

    /** @param worker if it is not {@code ALIVE} there are no tasks */
    record Claim(WorkerStanding worker, List<LeasedTask> tasks) {}

    /** @param ran how long the handler ran; null if the worker does not say, and then it is the time since the claim */
    record Report(Lease lease, Ending ending, @Nullable Duration ran) {
        public Report(Lease lease, Ending ending) {
            this(lease, ending, null);
        }
    }

    /** Told at once, where possible, that a task is to stop; the answer to a ping says it in any case. */
    interface LeaseListener {
        LeaseListener NONE = new LeaseListener() {
            @Override
            public void lost(UUID task) {}

            @Override
            public void cancelRequested(UUID task) {}
        };

        void lost(UUID task);

        void cancelRequested(UUID task);
    }

    Registration register(WorkerRegistry.Introduction introduction, LeaseListener listener);

    /**
     * What a worker asks for.
     *
     * @param topics empty for those of the registration, and where that has none for all; {@link Limits#ALL_TOPICS} among them
     *     stands for all
     * @param patience how long to wait for a task, if there is none
     * @param timeFrom when the time-to-run of what is given begins
     */
    record Wanted(Collection<String> topics, int max, Duration patience, TimeFrom timeFrom, ClaimOrder order) {}

    /**
     * @param holding all tasks the worker holds, or null to say nothing of them
     * @param started tasks it holds and has started since it said so last; see {@link Heartbeat#started}
     */
    Renewal ping(UUID worker, @Nullable Set<UUID> holding, Set<UUID> started, List<Heartbeat.Report> reports);

    /**
     * Asks for tasks and waits for some; when the time is over, the answer has none. When it is cancelled, tasks that are on
     * their way are handed back. With {@code cancel(false)} they may be answered nevertheless, which is better for whoever is
     * still there to take them.
     *
     * @param executor does the looking, at first and whenever there may be something
     */
    CompletableFuture<Claim> claim(UUID worker, Wanted wanted, Executor executor);

    /** Each answer is given when the report is durable. */
    CompletableFuture<CompletionResult> report(UUID worker, Report report);

    /** Whatever it still holds is ready again at once. */
    void leave(UUID worker);
}
