package io.millrace.heap;

import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads tasks. A long read holds the lock for a slice at a time and lets others go first in between: a slice ends by
 * time, because nobody knows what a look at a task costs.
 */
final class Querying {
    private static final long SLICE_NANOS = 500_000;
    /** A look at the clock takes about as long as one at a task. */
    private static final int LOOKS_BETWEEN_CLOCKS = 16;

    private final TaskTable table;
    private final Lock lock;

    /** The store's lock, as readers take it. */
    interface Lock {
        <T> T run(LongFunction<T> slice);

        /** Called without the lock, between two slices. */
        void giveWay();
    }

    /** What a slice of a walk says of each match: whether to go on. */
    private interface Visitor {
        boolean visit(TaskNode node);
    }

    Querying(TaskTable table, Lock lock) {
        this.table = table;
        this.lock = lock;
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

    Page<Task> list(TaskQuery query, @Nullable String cursor, int limit, BooleanSupplier wanted) {
        List<Task> items = new ArrayList<>();
        long next = walk(query, Cursor.parse(cursor), wanted, node -> {
            if (items.size() == limit) {
                return false;
            }
            items.add(table.snapshot(node));
            return true;
        });
        return new Page<>(items, next == SequenceSet.END ? null : Cursor.of(next));
    }

    List<TaskCount> count(TaskQuery query, BooleanSupplier wanted) {
        if (query.isByTopicAndStateOnly()) {
            return countByIndex(query, wanted);
        }
        Map<String, Map<TaskState, Long>> counts = new TreeMap<>();
        walk(query, 0, wanted, node -> {
            counts.computeIfAbsent(node.topic.name, any -> new EnumMap<>(TaskState.class))
                    .merge(node.state, 1L, Long::sum);
            return true;
        });
        List<TaskCount> result = new ArrayList<>();
        counts.forEach(
                (topic, states) -> states.forEach((state, count) -> result.add(new TaskCount(topic, state, count))));
        return result;
    }

    private List<TaskCount> countByIndex(TaskQuery query, BooleanSupplier wanted) {
        List<TaskCount> result = new ArrayList<>();
        if (query.topic() != null) {
            checkWanted(wanted);
            return lock.run(now -> {
                table.topicsOf(query).forEach(topic -> count(topic, query, now, result));
                return result;
            });
        }
        String[] last = {""};
        inSlices(wanted, now -> {
            long end = System.nanoTime() + SLICE_NANOS;
            Iterator<TopicQueue> topics = table.topicsBehind(last[0]).iterator();
            while (topics.hasNext() && System.nanoTime() < end) {
                TopicQueue topic = topics.next();
                count(topic, query, now, result);
                last[0] = topic.name;
            }
            return topics.hasNext();
        });
        return result;
    }

    private void count(TopicQueue topic, TaskQuery query, long now, List<TaskCount> result) {
        table.promote(topic, now);
        for (TaskState state : TaskState.values()) {
            boolean counts = query.states().isEmpty() || query.states().contains(state);
            if (counts && topic.count(state) > 0) {
                result.add(new TaskCount(topic.name, state, topic.count(state)));
            }
        }
    }

    Map<String, Instant> oldestReady(Collection<String> topics) {
        Map<String, Instant> oldest = new HashMap<>();
        Iterator<String> names = topics.iterator();
        inSlices(() -> true, now -> {
            long end = System.nanoTime() + SLICE_NANOS;
            while (names.hasNext() && System.nanoTime() < end) {
                String name = names.next();
                TopicQueue topic = table.topic(name);
                if (topic != null) {
                    table.promote(topic, now);
                    long first = topic.inState(TaskState.READY).next(0);
                    if (first != SequenceSet.END) {
                        oldest.put(name, Instant.ofEpochMilli(table.bySequence().get(first).created));
                    }
                }
            }
            return names.hasNext();
        });
        return oldest;
    }

    /** Visits matches until the visitor has enough. Returns the place of the one it refused, or the end. */
    private long walk(TaskQuery query, long from, BooleanSupplier wanted, Visitor visitor) {
        long[] position = {from};
        inSlices(wanted, now -> {
            table.promoteAll(now);
            return walkSlice(query, position, visitor);
        });
        return position[0];
    }

    /** @param slice what is done at a time, under the lock; it says whether there is more to do */
    private void inSlices(BooleanSupplier wanted, LongFunction<Boolean> slice) {
        checkWanted(wanted);
        while (lock.run(slice)) {
            lock.giveWay();
            checkWanted(wanted);
        }
    }

    private static void checkWanted(BooleanSupplier wanted) {
        if (!wanted.getAsBoolean()) {
            throw new CancellationException("nobody waits for the answer any more");
        }
    }

    private boolean walkSlice(TaskQuery query, long[] position, Visitor visitor) {
        Matching walk = new Matching(table, query, position[0]);
        long end = System.nanoTime() + SLICE_NANOS;
        for (int looks = 1; walk.hasMore(); looks++) {
            long here = walk.position();
            TaskNode node = walk.look();
            if (node != null && !visitor.visit(node)) {
                position[0] = here;
                return false;
            }
            boolean looksAtClock = query.text() != null || looks % LOOKS_BETWEEN_CLOCKS == 0;
            if (looksAtClock && System.nanoTime() >= end) {
                break;
            }
        }
        position[0] = walk.position();
        return walk.hasMore();
    }
}
