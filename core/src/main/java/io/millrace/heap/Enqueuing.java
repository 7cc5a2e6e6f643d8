package io.millrace.heap;

import io.millrace.NewTask;
import io.millrace.TaskState;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Takes tasks in: all of a request, or none. */
final class Enqueuing {
    /** So many are enough for one answer. */
    private static final int MOST_OVERDUE = 1_000;

    private final TaskTable table;
    private final MemoryLimit limit;

    Enqueuing(TaskTable table, MemoryLimit limit) {
        this.table = table;
        this.limit = limit;
    }

    EnqueueResult enqueue(EnqueueRequest request, long now) {
        List<UUID> overdue = overdueKeyHolders(request, now);
        if (!overdue.isEmpty()) {
            return new EnqueueResult.Overdue(overdue);
        }
        EnqueueResult.Full full = firstFull(request);
        if (full != null) {
            TopicQueue topic = table.topic(full.topic());
            List<UUID> inTheWay = topic == null ? List.of() : topic.overdue(now, MOST_OVERDUE);
            return inTheWay.isEmpty() ? full : new EnqueueResult.Overdue(inTheWay);
        }
        if (isTooMuch(request)) {
            return new EnqueueResult.StoreFull("the tasks in memory take about " + table.weight() + " of "
                    + limit.bytes() + " bytes: new ones are refused until some have ended and their retention is over");
        }
        List<EnqueueResult.Item> items = new ArrayList<>(request.tasks().size());
        for (NewTask task : request.tasks()) {
            items.add(insert(task, now));
        }
        return new EnqueueResult.Stored(items);
    }

    private List<UUID> overdueKeyHolders(EnqueueRequest request, long now) {
        List<UUID> overdue = List.of();
        for (NewTask task : request.tasks()) {
            TaskNode holder = task.uniqueKey() == null ? null : table.keyHolder(task);
            if (holder != null && holder.isOverdue(now) && overdue.size() < MOST_OVERDUE) {
                overdue = overdue.isEmpty() ? new ArrayList<>() : overdue;
                overdue.add(holder.given.id());
            }
        }
        return overdue;
    }

    /** Takes in a task that comes with the end of another; a task past its deadline does not keep it out. */
    void spawn(NewTask task, long now) {
        TaskNode holder = table.keyHolder(task);
        if (holder != null && holder.isOverdue(now) && table.find(task.id()) == null) {
            table.passKeyOn(holder);
        }
        insert(task, now);
    }

    private EnqueueResult.Item insert(NewTask task, long now) {
        TaskNode twin = table.twin(task);
        if (twin != null) {
            return new EnqueueResult.Item(twin.given.id(), true);
        }
        table.insert(task, now);
        return new EnqueueResult.Item(task.id(), false);
    }

    private EnqueueResult.@Nullable Full firstFull(EnqueueRequest request) {
        if (request.capacities().isEmpty()) {
            return null;
        }
        Map<String, List<UUID>> wanting = newByTopic(request);
        for (Map.Entry<String, List<UUID>> entry : wanting.entrySet()) {
            Integer capacity = request.capacities().get(entry.getKey());
            TopicQueue topic = table.topic(entry.getKey());
            long there = topic == null ? 0 : topic.count(TaskState.READY) + topic.count(TaskState.SCHEDULED);
            if (capacity != null && there + entry.getValue().size() > capacity) {
                return new EnqueueResult.Full(entry.getKey(), entry.getValue(), (int) Math.max(0, capacity - there));
            }
        }
        return null;
    }

    private boolean isTooMuch(EnqueueRequest request) {
        return limit.isExceededBy(table.weight() + Estimates.memory(request.tasks()))
                && request.tasks().stream().anyMatch(task -> table.twin(task) == null);
    }

    /** The tasks of the request that would take up room, by topic. */
    private Map<String, List<UUID>> newByTopic(EnqueueRequest request) {
        Map<String, List<UUID>> wanting = new HashMap<>();
        Set<Object> seen = new HashSet<>();
        for (NewTask task : request.tasks()) {
            if (isNew(task, seen) && task.waitFor() == 0) {
                wanting.computeIfAbsent(task.topic(), any -> new ArrayList<>()).add(task.id());
            }
        }
        return wanting;
    }

    private boolean isNew(NewTask task, Set<Object> seen) {
        Object key = task.uniqueKey() == null ? task.id() : List.of(task.topic(), task.uniqueKey());
        if (table.twin(task) != null || seen.contains(task.id()) || seen.contains(key)) {
            return false;
        }
        seen.add(task.id());
        seen.add(key);
        return true;
    }
}
