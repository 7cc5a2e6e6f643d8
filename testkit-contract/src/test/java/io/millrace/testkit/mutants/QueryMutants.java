package io.millrace.testkit.mutants;

import io.millrace.InvalidValueException;
import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.spi.TaskStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Stores that show what is not so. */
final class QueryMutants {
    private QueryMutants() {}

    static final class PagesSkipATask extends ForwardingStore {
        PagesSkipATask(TaskStore store) {
            super(store);
        }

        @Override
        public Page<Task> list(TaskQuery query, String cursor, int limit) {
            Page<Task> page = store.list(query, cursor, limit);
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
        public Page<Task> list(TaskQuery query, String cursor, int limit) {
            Page<Task> page = store.list(query, cursor, limit);
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
        public Page<Task> list(TaskQuery query, String cursor, int limit) {
            try {
                return store.list(query, cursor, limit);
            } catch (InvalidValueException e) {
                return store.list(query, null, limit);
            }
        }
    }

    static final class DoesNotCountTheRunning extends ForwardingStore {
        DoesNotCountTheRunning(TaskStore store) {
            super(store);
        }

        @Override
        public List<TaskCount> count(TaskQuery query) {
            return store.count(query).stream()
                    .filter(count -> count.state() != TaskState.RUNNING)
                    .toList();
        }
    }

    static final class CountsWithoutFilters extends ForwardingStore {
        CountsWithoutFilters(TaskStore store) {
            super(store);
        }

        @Override
        public List<TaskCount> count(TaskQuery query) {
            return store.count(new TaskQuery(query.topic(), query.states(), List.of(), null, null, null, null, null));
        }
    }

    static final class LooksAtTheFirstTagOnly extends ForwardingStore {
        LooksAtTheFirstTagOnly(TaskStore store) {
            super(store);
        }

        @Override
        public Page<Task> list(TaskQuery query, String cursor, int limit) {
            List<String> scope = query.scope();
            return store.list(scope.isEmpty() ? query : query.scope(scope.get(0)), cursor, limit);
        }
    }

    static final class LooksAtTheCaseOfErrors extends ForwardingStore {
        LooksAtTheCaseOfErrors(TaskStore store) {
            super(store);
        }

        @Override
        public Page<Task> list(TaskQuery query, String cursor, int limit) {
            Page<Task> page = store.list(query, cursor, limit);
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
