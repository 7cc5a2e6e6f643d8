package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.NewTask;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.spi.ChangeResult;
import io.millrace.spi.Lease;
import io.millrace.spi.TaskStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** What the store has acknowledged to anybody, to be compared with what it holds in the end. */
final class Ledger {
    private final Map<UUID, NewTask> accepted = new ConcurrentHashMap<>();
    private final List<UUID> ids = new ArrayList<>();
    private final Set<UUID> deleted = ConcurrentHashMap.newKeySet();
    /** How often a task came to an end, less how often it was revived. */
    private final Map<UUID, Integer> ends = new ConcurrentHashMap<>();

    private final Set<Lease> leases = ConcurrentHashMap.newKeySet();
    private final Set<List<Object>> attempts = ConcurrentHashMap.newKeySet();
    private final Set<UUID> released = ConcurrentHashMap.newKeySet();

    void accept(NewTask task) {
        accepted.put(task.id(), task);
        synchronized (ids) {
            ids.add(task.id());
        }
    }

    /** Any task that was accepted, rather a young one; a new id if there is none. */
    UUID any() {
        synchronized (ids) {
            int size = ids.size();
            int back = size == 0 ? 0 : ThreadLocalRandom.current().nextInt(Math.min(size, 200));
            return size == 0 ? UUID.randomUUID() : ids.get(size - 1 - back);
        }
    }

    void claim(Lease lease) {
        assertThat(leases.add(lease)).as("%s is given once", lease).isTrue();
        assertThat(attempts.add(List.of(lease.task(), lease.attempt())))
                .as("attempt %s of %s is given once", lease.attempt(), lease.task())
                .isTrue();
    }

    void end(UUID task) {
        ends.merge(task, 1, Integer::sum);
    }

    void release(List<UUID> tasks) {
        tasks.forEach(task ->
                assertThat(released.add(task)).as("%s is released once", task).isTrue());
    }

    void change(ChangeResult.Item item, boolean cancels, boolean revives, boolean deletes) {
        TaskState before = item.before();
        if (item.status() != ChangeResult.Status.CHANGED || before == null) {
            return;
        }
        if (cancels && before != TaskState.RUNNING) {
            end(item.id());
        }
        if (revives) {
            ends.merge(item.id(), -1, Integer::sum);
        }
        if (deletes) {
            assertThat(deleted.add(item.id()))
                    .as("%s is deleted once", item.id())
                    .isTrue();
        }
    }

    int size() {
        return accepted.size();
    }

    /** Nothing is pending any more. */
    void check(TaskStore store) {
        assertThat(store.count(TaskQuery.ALL.pending()))
                .as("nothing is left to do")
                .isEmpty();
        Map<UUID, Task> found = new HashMap<>();
        List<UUID> all = List.copyOf(accepted.keySet());
        for (int from = 0; from < all.size(); from += 500) {
            store.get(all.subList(from, Math.min(all.size(), from + 500))).forEach(task -> found.put(task.id(), task));
        }
        List<String> wrong = new ArrayList<>();
        accepted.forEach((id, given) -> {
            Task task = found.get(id);
            int ended = ends.getOrDefault(id, 0);
            boolean right = deleted.contains(id)
                    ? task == null && ended >= 0 && ended <= 1
                    : ended == 1
                            && (task == null ? isNotKept(given) : task.state().isFinal());
            if (!right) {
                wrong.add(given + " ended " + ended + " times, deleted " + deleted.contains(id) + ", found "
                        + (task == null ? "nothing" : task.state() + " " + task.tally()));
            }
        });
        assertThat(wrong).as("of %s tasks", accepted.size()).isEmpty();
    }

    private static boolean isNotKept(NewTask given) {
        return given.retention().succeeded() != null
                && given.retention().succeeded().isZero();
    }
}
