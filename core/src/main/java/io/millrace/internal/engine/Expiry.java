package io.millrace.internal.engine;

import io.millrace.Event;
import io.millrace.StoreUnavailableException;
import io.millrace.Task;
import io.millrace.internal.Events;
import io.millrace.internal.lifecycle.LifeCycle;
import io.millrace.spi.Change;
import io.millrace.spi.ChangeResult;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.Next;
import io.millrace.spi.Selection;
import io.millrace.spi.TaskStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

/** Ends tasks past their deadline that hold a unique key or room which new tasks need. */
final class Expiry {
    /** Each round ends up to a thousand tasks, or others have ended them. */
    private static final int ROUNDS = 1_000;

    private final TaskStore store;
    private final Topics topics;
    private final Finishes finishes;
    private final Events events;

    Expiry(Node node) {
        store = node.store();
        topics = node.topics();
        finishes = node.finishes();
        events = node.events();
    }

    /**
     * Enqueues again, as often as overdue tasks stand in the way.
     *
     * @return a result that is not {@link EnqueueResult.Overdue}
     * @throws StoreUnavailableException if the same tasks stand in the way after they were ended: a transaction of the
     *     caller's
     *     own may not see what others have committed since it began
     */
    EnqueueResult clearTheWay(EnqueueResult first, Supplier<EnqueueResult> enqueue) {
        EnqueueResult result = first;
        List<UUID> before = List.of();
        for (int round = 0; result instanceof EnqueueResult.Overdue overdue; round++) {
            if (round == ROUNDS) {
                throw new StoreUnavailableException(
                        "tasks past their deadline are in the way, and more of them come as fast as they are ended");
            }
            if (overdue.tasks().equals(before)) {
                throw new StoreUnavailableException(
                        "tasks past their deadline were in the way and have ended, but this transaction does not see that; roll it"
                                + " back and try again");
            }
            end(overdue.tasks());
            before = overdue.tasks();
            result = enqueue.get();
        }
        return result;
    }

    private void end(List<UUID> overdue) {
        Map<UUID, Task> tasks = new HashMap<>();
        Map<UUID, Next.Finish> ends = new HashMap<>();
        for (Task task : store.get(overdue)) {
            tasks.put(task.id(), task);
            ends.put(task.id(), LifeCycle.expire(task, topics.policy(task.topic())));
        }
        ChangeResult changed = store.change(new Selection.Ids(overdue), new Change.Expire(ends), overdue.size());
        for (ChangeResult.Item item : changed.items()) {
            Task task = tasks.get(item.id());
            Next.Finish end = ends.get(item.id());
            if (item.status() == ChangeResult.Status.CHANGED && task != null && end != null) {
                finishes.look(item.id());
                events.tell(() -> new Event.TaskExpired(task));
                end.spawned().forEach(letter -> events.tell(() -> new Event.TaskEnqueued(letter)));
            }
        }
    }
}
