package io.millrace.heap;

import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Reads tasks. Long walks hold the lock for a slice at a time, so that nobody waits for a reader. */
final class Querying {
    private static final int SLICE = 2_000;

    private final TaskTable table;
    private final Locked locked;

    /** How to run something under the store's lock. */
    interface Locked {
        <T> T run(LongFunction<T> action);
    }

    /** What a slice of a walk says of each match: whether to go on. */
    private interface Visitor {
        boolean visit(TaskNode node);
    }

    Querying(TaskTable table, Locked locked) {
        this.table = table;
        this.locked = locked;
    }

    List<Task> get(Collection<UUID> ids, long now) {
        List<Task> found = new ArrayList<>(ids.size());
        for (UUID id : ids) {
            TaskNode node = table.find(id);
            if (node != null) {
                table.promote(node.topic, now);
                found.add(table.snapshot(node));
            }
        }
        return found;
    }

    Page<Task> list(TaskQuery query, @Nullable String cursor, int limit) {
        List<Task> items = new ArrayList<>();
        long next = walk(query, Cursor.parse(cursor), node -> {
            if (items.size() == limit) {
                return false;
            }
            items.add(table.snapshot(node));
            return true;
        });
        return new Page<>(items, next == SequenceSet.END ? null : Cursor.of(next));
    }

    List<TaskCount> count(TaskQuery query) {
        if (query.isByTopicAndStateOnly()) {
            return locked.run(now -> countByIndex(query, now));
        }
        Map<String, Map<TaskState, Long>> counts = new TreeMap<>();
        walk(query, 0, node -> {
            counts.computeIfAbsent(node.topic.name, any -> new EnumMap<>(TaskState.class))
                    .merge(node.state, 1L, Long::sum);
            return true;
        });
        List<TaskCount> result = new ArrayList<>();
        counts.forEach(
                (topic, states) -> states.forEach((state, count) -> result.add(new TaskCount(topic, state, count))));
        return result;
    }

    private List<TaskCount> countByIndex(TaskQuery query, long now) {
        table.topicsOf(query).forEach(topic -> table.promote(topic, now));
        List<TaskCount> result = new ArrayList<>();
        for (TopicQueue topic : table.topicsOf(query)) {
            for (TaskState state : TaskState.values()) {
                boolean wanted = query.states().isEmpty() || query.states().contains(state);
                if (wanted && topic.count(state) > 0) {
                    result.add(new TaskCount(topic.name, state, topic.count(state)));
                }
            }
        }
        return result;
    }

    /** Visits matches until the visitor has enough. Returns the place of the one it refused, or the end. */
    private long walk(TaskQuery query, long from, Visitor visitor) {
        long[] position = {from};
        boolean more = true;
        while (more) {
            more = locked.run(now -> {
                table.promoteAll(now);
                return walkSlice(query, position, visitor);
            });
        }
        return position[0];
    }

    private boolean walkSlice(TaskQuery query, long[] position, Visitor visitor) {
        Matching walk = new Matching(table, query, position[0]);
        for (int looks = 0; walk.hasMore() && looks < SLICE; looks++) {
            long here = walk.position();
            TaskNode node = walk.look();
            if (node != null && !visitor.visit(node)) {
                position[0] = here;
                return false;
            }
        }
        position[0] = walk.position();
        return walk.hasMore();
    }
}
