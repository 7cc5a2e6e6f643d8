package io.millrace.heap;

import io.millrace.NewTask;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.Lease;
import io.millrace.spi.Next;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Ends attempts, if the lease is good. */
final class Completing {
    private final TaskTable table;
    private final WorkerTable workers;
    private final Enqueuing enqueuing;

    Completing(TaskTable table, WorkerTable workers, Enqueuing enqueuing) {
        this.table = table;
        this.workers = workers;
        this.enqueuing = enqueuing;
    }

    CompletionResult complete(Completion completion, long now) {
        Lease lease = completion.lease();
        TaskNode node = table.find(lease.task());
        if (node == null) {
            return CompletionResult.LEASE_LOST;
        }
        boolean alive = workers.seenAlive(lease.worker()) != null;
        if (!alive || !node.isHeldUnder(lease)) {
            return TaskTable.wasEndedUnder(lease, completion.outcome(), node)
                    ? CompletionResult.REPEATED
                    : CompletionResult.LEASE_LOST;
        }
        Next next = node.running().cancelRequested ? completion.ifCancelled() : completion.next();
        if (next instanceof Next.Finish end && !table.hasRoomFor(Estimates.growth(node, end))) {
            return CompletionResult.STORE_FULL;
        }
        if (completion.isAttempt()) {
            table.endAttempt(node, completion.outcome(), completion.error(), now);
        } else {
            table.endLease(node, completion.outcome());
        }
        return apply(next, node, now);
    }

    private CompletionResult apply(Next next, TaskNode node, long now) {
        if (next instanceof Next.Requeue requeue) {
            requeue(node, requeue, now);
            return CompletionResult.applied(node.state, List.of());
        }
        Next.Finish finish = (Next.Finish) next;
        table.finish(node, finish.state(), finish.result(), finish.retention(), now);
        for (NewTask spawned : finish.spawned()) {
            enqueuing.spawn(spawned, now);
        }
        return CompletionResult.applied(finish.state(), arrive(finish.arrivals(), now));
    }

    private void requeue(TaskNode node, Next.Requeue requeue, long now) {
        switch (requeue.reason()) {
            case RETRY -> node.retries++;
            case LOSS -> node.losses++;
            case REDELIVERY, SNOOZE, RELEASE -> {}
        }
        boolean returns = requeue.reason() == Next.Reason.LOSS || requeue.reason() == Next.Reason.RELEASE;
        if (returns && requeue.delay().isZero()) {
            table.putBack(node);
        } else {
            table.requeue(node, now + requeue.delay().toMillis(), now);
        }
    }

    private List<UUID> arrive(List<UUID> arrivals, long now) {
        if (arrivals.isEmpty()) {
            return List.of();
        }
        List<UUID> released = new ArrayList<>();
        for (UUID id : arrivals) {
            TaskNode waiting = table.find(id);
            if (waiting != null && table.arrive(waiting, now)) {
                released.add(id);
            }
        }
        return released;
    }
}
