package io.millrace.testkit.mutants;

import io.millrace.InvalidValueException;
import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.spi.TaskStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** Stores that show what is not so. */
final class QueryMutants {
    private QueryMutants() {}

    static final class PagesSkipATask extends ForwardingStore {
        PagesSkipATask(TaskStore store) {
            super(store);
        }

        @Override
        public Page<Task> list(TaskQuery query, String cursor, int limit, BooleanSupplier wanted) {
            Page<Task> page = store.list(query, cursor, limit, wanted);
            boolean skips = cursor != null && page.items().size() > 1;
            return skips ? new Page<>(page.items().subList(1, page.items().size()), page.next()) : page;
        }
    }

    static final class PagesRepeatATask extends ForwardingStore {
        private final Map<String, Task> lastBefore = new ConcurrentHashMap<>();

        PagesRepeatATask(TaskStore store) {
            super(store);
        }

        @Override
        public Page<Task> list(TaskQuery query, String cursor, int limit, BooleanSupplier wanted) {
            Page<Task> page = store.list(query, cursor, limit, wanted);
            List<Task> items = new ArrayList<>(page.items());
            if (page.next() != null && !items.isEmpty()) {
                lastBefore.put(page.next(), items.get(items.size() - 1));
            }
            if (cursor != null && lastBefore.containsKey(cursor) && items.size() < limit) {
                items.add(0, lastBefore.get(cursor));
            }
            return new Page<>(items, page.next());
        }
    }

    static final class TakesAnyCursor extends ForwardingStore {
        TakesAnyCursor(TaskStore store) {
            super(store);
        }

        @Override
        public Page<Task> list(TaskQuery query, String cursor, int limit, BooleanSupplier wanted) {
            try {
                return store.list(query, cursor, limit, wanted);
            } catch (InvalidValueException e) {
                return store.list(query, null, limit, wanted);
            }
        }
    }

    static final class DoesNotCountTheRunning extends ForwardingStore {
        DoesNotCountTheRunning(TaskStore store) {
            super(store);
        }

        @Override
        public List<TaskCount> count(TaskQuery query, BooleanSupplier wanted) {
            return store.count(query, wanted).stream()
                    .filter(count -> count.state() != TaskState.RUNNING)
                    .toList();
        }
    }

    static final class CountsWithoutFilters extends ForwardingStore {
        CountsWithoutFilters(TaskStore store) {
            super(store);
        }

        @Override
        public List<TaskCount> count(TaskQuery query, BooleanSupplier wanted) {
            return store.count(
                    new TaskQuery(query.topic(), query.states(), List.of(), null, null, null, null, null), wanted);
        }
    }

    static final class TakesTheNewestForTheOldest extends ForwardingStore {
        TakesTheNewestForTheOldest(TaskStore store) {
            super(store);
        }

        @Override
        public Map<String, Instant> oldestReady(Collection<String> topics) {
            Map<String, Instant> newest = new HashMap<>();
            for (String topic : topics) {
                store.list(TaskQuery.ALL.topic(topic).state(TaskState.READY), null, 1_000)
                        .items()
                        .forEach(task -> newest.put(topic, task.moments().created()));
            }
            return newest;
        }
    }

    static final class ReadsOnForNobody extends ForwardingStore {
        ReadsOnForNobody(TaskStore store) {
            super(store);
        }

        @Override
        public Page<Task> list(TaskQuery query, String cursor, int limit, BooleanSupplier wanted) {
            return store.list(query, cursor, limit);
        }
    }

    static final class LooksAtTheFirstTagOnly extends ForwardingStore {
        LooksAtTheFirstTagOnly(TaskStore store) {
            super(store);
        }

        @Override
        public Page<Task> list(TaskQuery query, String cursor, int limit, BooleanSupplier wanted) {
            List<String> scope = query.scope();
            return store.list(scope.isEmpty() ? query : query.scope(scope.get(0)), cursor, limit, wanted);
        }
    }

    static final class LooksAtTheCaseOfErrors extends ForwardingStore {
        LooksAtTheCaseOfErrors(TaskStore store) {
            super(store);
        }

        @Override
        public Page<Task> list(TaskQuery query, String cursor, int limit, BooleanSupplier wanted) {
            Page<Task> page = store.list(query, cursor, limit, wanted);
            List<Task> items = page.items().stream()
                    .filter(task -> query.text() == null || hasError(task, query.text()))
                    .toList();
            return new Page<>(items, page.next());
        }

        private static boolean hasError(Task task, String text) {
            return task.attempts().stream()
                    .anyMatch(attempt ->
                            attempt.error() != null && attempt.error().contains(text));
        }
    }
}
