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
import org.jspecify.annotations.Nullable;

/** Takes tasks in: all of a request, or none. */
final class Enqueuing {
    private final TaskTable table;
    private final long memoryLimit;

    Enqueuing(TaskTable table, long memoryLimit) {
        this.table = table;
        this.memoryLimit = memoryLimit;
    }

    EnqueueResult enqueue(EnqueueRequest request, long now) {
        String full = firstFull(request);
        if (full != null) {
            return new EnqueueResult.Full(full);
        }
        if (isTooMuch(request)) {
            return new EnqueueResult.StoreFull("the tasks in memory take about " + table.weight() + " of " + memoryLimit
                    + " bytes: new ones are refused until some have ended and their retention is over");
        }
        List<EnqueueResult.Item> items = new ArrayList<>(request.tasks().size());
        for (NewTask task : request.tasks()) {
            items.add(insert(task, now));
        }
        return new EnqueueResult.Stored(items);
    }

    EnqueueResult.Item insert(NewTask task, long now) {
        TaskNode twin = table.twin(task);
        if (twin != null) {
            return new EnqueueResult.Item(twin.given.id(), true);
        }
        table.insert(task, now);
        return new EnqueueResult.Item(task.id(), false);
    }

    private @Nullable String firstFull(EnqueueRequest request) {
        if (request.capacities().isEmpty()) {
            return null;
        }
        Map<String, Integer> wanted = newByTopic(request);
        for (Map.Entry<String, Integer> entry : wanted.entrySet()) {
            Integer capacity = request.capacities().get(entry.getKey());
            TopicQueue topic = table.topic(entry.getKey());
            long there = topic == null ? 0 : topic.count(TaskState.READY) + topic.count(TaskState.SCHEDULED);
            if (capacity != null && there + entry.getValue() > capacity) {
                return entry.getKey();
            }
        }
        return null;
    }

    private boolean isTooMuch(EnqueueRequest request) {
        return table.weight() + Estimates.memory(request.tasks()) > memoryLimit
                && request.tasks().stream().anyMatch(task -> table.twin(task) == null);
    }

    /** How many tasks of the request would take up room, by topic. */
    private Map<String, Integer> newByTopic(EnqueueRequest request) {
        Map<String, Integer> wanted = new HashMap<>();
        Set<Object> seen = new HashSet<>();
        for (NewTask task : request.tasks()) {
            if (isNew(task, seen) && task.waitFor() == 0) {
                wanted.merge(task.topic(), 1, Integer::sum);
            }
        }
        return wanted;
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
