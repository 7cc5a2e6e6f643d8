package io.millrace.spi;

import io.millrace.Task;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * @param worker whether the worker is one that gets tasks
 * @param expired tasks that ended as EXPIRED instead of being leased
 * @param nextDue when time alone will make another task of these topics claimable; null if it will not
 */
public record ClaimResult(
        WorkerStanding worker,
        List<LeasedTask> tasks,
        List<Task> expired,
        @Nullable Instant nextDue) {
    public static ClaimResult refused(WorkerStanding worker) {
        return new ClaimResult(worker, List.of(), List.of(), null);
    }
}
