package io.millrace.spi;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * @param worker whether the worker is one that gets tasks
 * @param overdue tasks whose deadline has passed, leased to be ended instead of run; not counted as {@code tasks}
 * @param nextDue when time alone will make another task of these topics claimable; null if it will not
 */
public record ClaimResult(
        WorkerStanding worker,
        List<LeasedTask> tasks,
        List<LeasedTask> overdue,
        @Nullable Instant nextDue) {
    public static ClaimResult refused(WorkerStanding worker) {
        return new ClaimResult(worker, List.of(), List.of(), null);
    }
}
