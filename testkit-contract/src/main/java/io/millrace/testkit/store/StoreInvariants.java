package io.millrace.testkit.store;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Attempt;
import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.Worker;
import io.millrace.spi.TaskStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is true of a store at every moment, seen through its own contract. Other calls may not be under way: a scan and
 * a count that are to agree must look at the same tasks.
 */
public final class StoreInvariants {
    /** Small, so that the scan of even a few tasks has a seam or two. */
    private static final int PAGE = 7;

    private StoreInvariants() {}

    /** @throws AssertionError if something is not as it must be */
    public static void check(TaskStore store) {
        assertThat(checkShared(store))
                .extracting(task -> task.moments().created())
                .as("the pages are in the order of creation")
                .isSorted();
    }

    /**
     * The same for a store to which several nodes have written at once: who takes the time first may come second.
     *
     * @return all tasks, as the pages show them
     */
    public static List<Task> checkShared(TaskStore store) {
        List<Task> tasks = scan(store, TaskQuery.ALL);
        tasks.forEach(task -> checkTask(task, store.now()));
        assertThat(tasks)
                .extracting(Task::id)
                .as("the pages show each task once")
                .doesNotHaveDuplicates();
        checkUniqueKeys(tasks);
        checkCounts(store, tasks);
        checkWorkers(store, tasks);
        return tasks;
    }

    /** All tasks that match, page by page. */
    static List<Task> scan(TaskStore store, TaskQuery query) {
        List<Task> tasks = new ArrayList<>();
        String cursor = null;
        do {
            Page<Task> page = store.list(query, cursor, PAGE);
            assertThat(page.items()).as("a page holds no more than asked for").hasSizeLessThanOrEqualTo(PAGE);
            tasks.addAll(page.items());
            cursor = page.next();
        } while (cursor != null);
        return tasks;
    }

    private static void checkTask(Task task, Instant now) {
        checkStateAndHold(task);
        checkMoments(task, now);
        checkAttempts(task);
    }

    private static void checkStateAndHold(Task task) {
        if (task.state() == TaskState.RUNNING) {
            assertThat(task.hold()).as("%s has a hold", task).isNotNull();
            assertThat(task.tally().attempts())
                    .as("%s has begun an attempt", task)
                    .isPositive();
        } else {
            assertThat(task.hold()).as("%s has no hold", task).isNull();
        }
        if (task.state() == TaskState.WAITING) {
            assertThat(task.tally().waitingFor())
                    .as("%s waits for arrivals", task)
                    .isPositive();
        } else {
            assertThat(task.tally().waitingFor())
                    .as("%s waits for no arrival", task)
                    .isZero();
        }
    }

    private static void checkMoments(Task task, Instant now) {
        Task.Moments moments = task.moments();
        assertThat(moments.created()).as("%s was created before now", task).isBeforeOrEqualTo(now);
        if (task.state() == TaskState.SCHEDULED) {
            assertThat(moments.due()).as("%s is due later", task).isAfter(now);
        }
        if (task.state() == TaskState.READY) {
            assertThat(moments.due()).as("%s is due", task).isBeforeOrEqualTo(now);
        }
        if (task.state().isFinal()) {
            assertThat(moments.finished()).as("%s has finished", task).isNotNull();
            assertThat(moments.removal()).as("%s has a time of removal", task).isNotNull();
        } else {
            assertThat(moments.finished()).as("%s has not finished", task).isNull();
            assertThat(moments.removal()).as("%s is not to be removed", task).isNull();
        }
    }

    private static void checkAttempts(Task task) {
        int before = 0;
        for (Attempt attempt : task.attempts()) {
            assertThat(attempt.number()).as("attempts of %s count up", task).isGreaterThan(before);
            assertThat(attempt.endedAt())
                    .as("an attempt at %s ends after it began", task)
                    .isAfterOrEqualTo(attempt.startedAt());
            before = attempt.number();
        }
        assertThat(before)
                .as("%s knows of all its attempts", task)
                .isLessThanOrEqualTo(task.tally().attempts());
    }

    private static void checkUniqueKeys(List<Task> tasks) {
        Set<List<String>> held = new HashSet<>();
        for (Task task : tasks) {
            String key = task.given().uniqueKey();
            if (key != null && task.state().isPending()) {
                assertThat(held.add(List.of(task.topic(), key)))
                        .as("%s is the only pending task with the key %s", task, key)
                        .isTrue();
            }
        }
    }

    private record TopicAndState(String topic, TaskState state) {}

    private static void checkCounts(TaskStore store, List<Task> tasks) {
        Map<TopicAndState, Long> scanned =
                tasks.stream().collect(groupingBy(task -> new TopicAndState(task.topic(), task.state()), counting()));
        List<TaskCount> expected = scanned.entrySet().stream()
                .map(entry ->
                        new TaskCount(entry.getKey().topic(), entry.getKey().state(), entry.getValue()))
                .toList();
        assertThat(store.count(TaskQuery.ALL))
                .as("the counts are those of a scan")
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    private static void checkWorkers(TaskStore store, List<Task> tasks) {
        for (Worker worker : store.workers().list()) {
            long held = tasks.stream()
                    .filter(task -> worker.id().equals(holderOf(task)))
                    .count();
            assertThat((long) worker.running())
                    .as("%s holds what it runs", worker)
                    .isEqualTo(held);
        }
    }

    private static @Nullable UUID holderOf(Task task) {
        Task.Hold hold = task.hold();
        return hold == null ? null : hold.worker();
    }
}
