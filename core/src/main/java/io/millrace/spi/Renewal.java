package io.millrace.spi;

import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * @param lost of the tasks the worker said it holds, those it does not
 * @param cancel held tasks that are asked to stop
 * @param applied per report of the heartbeat, whether its lease was good
 * @param givenUp how many leases were given up, because the worker does not know of them
 */
public record Renewal(WorkerStanding worker, Set<UUID> lost, Set<UUID> cancel, List<Boolean> applied, int givenUp) {
    public Renewal(WorkerStanding worker, Set<UUID> lost, Set<UUID> cancel, List<Boolean> applied) {
        this(worker, lost, cancel, applied, 0);
    }
}
