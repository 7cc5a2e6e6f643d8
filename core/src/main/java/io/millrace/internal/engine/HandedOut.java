package io.millrace.internal.engine;

import io.millrace.Task;
import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The tasks that this node gave to workers, kept so that a report needs no look into the store. */
final class HandedOut {
    private static final Duration KEPT = Duration.ofMinutes(2);

    private final TaskStore store;
    private final Map<UUID, LeasedTask> tasks = new ConcurrentHashMap<>();

    HandedOut(TaskStore store) {
        this.store = store;
    }

    void add(LeasedTask leased) {
        tasks.put(leased.task().id(), leased);
    }

    /** The task as leased; null if it is not there at all. */
    @Nullable
    LeasedTask find(Lease lease) {
        LeasedTask known = tasks.get(lease.task());
        if (known != null && known.lease().equals(lease)) {
            return known;
        }
        // given out by another node: while the lease is good, the task is still as it was then
        List<Task> found = store.get(List.of(lease.task()));
        return found.isEmpty() ? null : new LeasedTask(found.get(0), lease, Duration.ZERO);
    }

    /** The topics of tasks, those that are not there at all left out. */
    Map<UUID, String> topicsOf(Collection<UUID> ids) {
        Map<UUID, String> topics = new HashMap<>();
        List<UUID> others = new ArrayList<>(0);
        for (UUID id : ids) {
            LeasedTask known = tasks.get(id);
            if (known == null) {
                others.add(id);
            } else {
                topics.put(id, known.task().topic());
            }
        }
        if (!others.isEmpty()) {
            store.get(others).forEach(task -> topics.put(task.id(), task.topic()));
        }
        return topics;
    }

    /** The attempt has ended, under whatever lease. */
    void remove(Lease lease) {
        LeasedTask known = tasks.get(lease.task());
        if (known != null && known.lease().attempt() <= lease.attempt()) {
            tasks.remove(lease.task(), known);
        }
    }

    /** Forgets what was given out long ago: its report may have gone to another node, or will find it in the store. */
    void forgetOld(Instant now) {
        Instant recent = now.minus(KEPT);
        tasks.values().removeIf(leased -> {
            Task.Hold hold = leased.task().hold();
            return hold == null || hold.since().isBefore(recent);
        });
    }
}
