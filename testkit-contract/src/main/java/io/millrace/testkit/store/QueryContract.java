package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.spi.Change;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Tasks are found by every filter, and counted. */
abstract class QueryContract extends StoreGroup {
    @Test
    void get_brings_those_that_exist() {
        List<UUID> ids = addSome(3);

        List<Task> found = store.get(List.of(ids.get(2), UUID.randomUUID(), ids.get(0)));

        assertThat(found).extracting(Task::id).containsExactlyInAnyOrder(ids.get(0), ids.get(2));
        assertThat(store.get(List.of())).isEmpty();
    }

    @Test
    void a_store_that_works_is_ready() {
        store.checkReady();
        assertThat(store.list(TaskQuery.ALL, null, 1).items()).isEmpty();
    }

    @Test
    void tasks_are_found_by_topic() {
        UUID wanted = add();
        add(task(OTHER));
        add(task(TOPIC + "-too"));

        assertFound(TaskQuery.ALL.topic(TOPIC), wanted);
    }

    @Test
    void tasks_are_found_by_state() {
        UUID done = finished(task());
        UUID running = running(worker(), task()).task().id();
        UUID later = add(task().delay(MINUTE));
        UUID waiting = add(task().waitFor(1));
        UUID ready = add();

        assertFound(TaskQuery.ALL.state(TaskState.SUCCEEDED), done);
        assertFound(TaskQuery.ALL.state(TaskState.RUNNING), running);
        assertFound(TaskQuery.ALL.state(TaskState.SCHEDULED), later);
        assertFound(TaskQuery.ALL.state(TaskState.WAITING), waiting);
        assertFound(TaskQuery.ALL.state(TaskState.READY), ready);
        assertFound(TaskQuery.ALL.state(TaskState.READY, TaskState.SUCCEEDED), done, ready);
        assertFound(TaskQuery.ALL.pending(), running, later, waiting, ready);
        assertFound(TaskQuery.ALL.state(TaskState.FAILED));
    }

    @Test
    void pages_go_on_over_the_tasks_of_a_claim_of_which_some_have_ended() {
        List<UUID> ids = addSome(150);
        List<LeasedTask> leased = claim(worker(), 150).tasks();
        store.complete(leased.subList(0, 75).stream()
                .map(task -> Reports.success(task.lease()))
                .toList());
        List<UUID> found = new ArrayList<>();
        String cursor = null;
        do {
            Page<Task> page = store.list(TaskQuery.ALL.state(TaskState.RUNNING, TaskState.SUCCEEDED), cursor, 50);
            page.items().forEach(task -> found.add(task.id()));
            cursor = page.next();
        } while (cursor != null);

        assertThat(found).containsExactlyElementsOf(ids);
    }

    @Test
    void the_oldest_ready_task_of_each_topic_is_told() {
        Instant start = now();
        running(worker(), task());
        UUID cancelled = add();
        add(task(OTHER).delay(MINUTE.multipliedBy(3)));
        advance(MINUTE);
        add(task().priority(7));
        add(task("empty").waitFor(1));
        advance(MINUTE);
        add(task().priority(3));
        change(new Change.Cancel(Map.of()), cancelled);

        List<String> topics = List.of(TOPIC, OTHER, "empty", "none");
        assertThat(store.oldestReady(topics)).isEqualTo(Map.of(TOPIC, start.plus(MINUTE)));
        advance(MINUTE);
        assertThat(store.oldestReady(topics)).isEqualTo(Map.of(TOPIC, start.plus(MINUTE), OTHER, start));
        assertThat(store.oldestReady(List.of())).isEmpty();
    }

    @Test
    void a_task_that_runs_again_is_as_old_as_it_is() {
        Instant start = now();
        LeasedTask first = running(worker(), task());
        advance(Duration.ofSeconds(1));
        add();
        apply(Reports.requeue(first.lease(), Next.Reason.RETRY, Duration.ZERO));

        assertThat(store.oldestReady(List.of(TOPIC))).isEqualTo(Map.of(TOPIC, start));
    }

    @Test
    void a_read_that_nobody_wants_any_more_is_cancelled() {
        add();
        BooleanSupplier wanted = () -> false;

        for (TaskQuery query : List.of(TaskQuery.ALL, TaskQuery.ALL.topic(TOPIC), TaskQuery.ALL.text("nothing"))) {
            assertThatThrownBy(() -> store.list(query, null, 10, wanted)).isInstanceOf(CancellationException.class);
            assertThatThrownBy(() -> store.count(query, wanted)).isInstanceOf(CancellationException.class);
        }
    }

    @Test
    void tasks_are_found_by_any_leading_part_of_their_scope() {
        UUID root = add(task().scope("a"));
        UUID child = add(task().scope("a", "b"));
        UUID grandchild = add(task().scope("a", "b", "c"));
        add(task().scope("b", "a"));
        add(task().scope("ab"));
        add();

        assertFound(TaskQuery.ALL.scope("a"), root, child, grandchild);
        assertFound(TaskQuery.ALL.scope("a", "b"), child, grandchild);
        assertFound(TaskQuery.ALL.scope("a", "b", "c"), grandchild);
        assertFound(TaskQuery.ALL.scope("a", "c"));
    }

    @Test
    void tags_of_a_scope_are_not_patterns() {
        add(task().scope("ab", "c"));
        UUID percent = add(task().scope("a%", "c"));
        UUID slash = add(task().scope("a/b", "c"));
        add(task().scope("a", "b/c"));

        assertFound(TaskQuery.ALL.scope("a%"), percent);
        assertFound(TaskQuery.ALL.scope("a_"));
        assertFound(TaskQuery.ALL.scope("a/b"), slash);
        assertFound(TaskQuery.ALL.scope("A%"));
    }

    @Test
    void tasks_are_found_by_entity() {
        UUID wanted = add(task().entityId("entity"));
        add(task().entityId("Entity"));
        add(task().entityId("entity2"));
        add();

        assertFound(TaskQuery.ALL.entityId("entity"), wanted);
    }

    @Test
    void tasks_are_found_by_the_worker_that_holds_them() {
        UUID worker = worker();
        LeasedTask ended = running(worker);
        UUID held = running(worker).task().id();
        running(worker());
        succeed(ended);

        assertFound(TaskQuery.ALL.heldBy(worker), held);
    }

    @Test
    void tasks_are_found_by_the_time_of_their_creation() {
        Instant start = now();
        UUID first = add();
        advance(MINUTE.multipliedBy(2));
        UUID second = add();
        advance(MINUTE.multipliedBy(2));
        UUID third = add();

        TaskQuery afterFirst = TaskQuery.ALL.createdAfter(start.plus(MINUTE));
        assertFound(afterFirst, second, third);
        assertFound(TaskQuery.ALL.createdBefore(start.plus(MINUTE)), first);
        assertFound(afterFirst.createdBefore(start.plus(MINUTE.multipliedBy(3))), second);
    }

    @Test
    void tasks_are_found_by_a_part_of_any_error_in_any_case() {
        UUID worker = worker();
        LeasedTask first = running(worker, task());
        apply(Reports.requeue(first.lease(), Next.Reason.RETRY, Duration.ZERO));
        apply(Reports.failure(claimOne(worker).lease(), "Disk is 100% FULL"));
        UUID id = first.task().id();
        running(worker);

        assertFound(TaskQuery.ALL.text("disk"), id);
        assertFound(TaskQuery.ALL.text("0% full"), id);
        assertFound(TaskQuery.ALL.text(Reports.ERROR.substring(3)), id);
        assertFound(TaskQuery.ALL.text("d_sk"));
        assertFound(TaskQuery.ALL.text("disk%full"));
    }

    @Test
    void filters_hold_all_at_once() {
        UUID wanted = add(task().entityId("e").scope("s"));
        add(task().entityId("e"));
        add(task().scope("s"));
        add(task(OTHER).entityId("e").scope("s"));
        add(task().entityId("e").scope("s").delay(MINUTE));

        assertFound(TaskQuery.ALL.topic(TOPIC).entityId("e").scope("s").state(TaskState.READY), wanted);
    }

    @Test
    void counts_are_by_topic_and_state_without_zeros() {
        finished(task());
        addSome(2);
        add(task(OTHER).delay(MINUTE));

        TaskCount done = new TaskCount(TOPIC, TaskState.SUCCEEDED, 1);
        TaskCount ready = new TaskCount(TOPIC, TaskState.READY, 2);
        TaskCount later = new TaskCount(OTHER, TaskState.SCHEDULED, 1);
        assertThat(store.count(TaskQuery.ALL)).containsExactlyInAnyOrder(done, ready, later);
        assertThat(store.count(TaskQuery.ALL.topic(TOPIC))).containsExactlyInAnyOrder(done, ready);
        assertThat(store.count(TaskQuery.ALL.pending())).containsExactlyInAnyOrder(ready, later);
        assertThat(store.count(TaskQuery.ALL.topic("none"))).isEmpty();
    }

    @Test
    void counts_follow_what_happens_to_a_task() {
        UUID worker = worker();
        UUID id = add();
        assertCount(TaskState.READY);
        LeasedTask leased = claimOne(worker);
        assertCount(TaskState.RUNNING);
        apply(Reports.requeue(leased.lease(), Next.Reason.RETRY, MINUTE));
        assertCount(TaskState.SCHEDULED);
        advance(MINUTE);
        assertCount(TaskState.READY);
        succeed(claimOne(worker));
        assertCount(TaskState.SUCCEEDED);
        change(new Change.Delete(), id);
        assertThat(store.count(TaskQuery.ALL)).isEmpty();
    }

    private void assertFound(TaskQuery query, UUID... ids) {
        assertThat(listed(query)).as("%s", query).containsExactly(ids);
        assertThat(page(query, 1)).as("%s, page by page", query).containsExactly(ids);
        assertThat(store.count(query).stream().mapToLong(TaskCount::count).sum())
                .as("count of %s", query)
                .isEqualTo(ids.length);
    }

    private void assertCount(TaskState state) {
        assertThat(store.count(TaskQuery.ALL)).containsExactly(new TaskCount(TOPIC, state, 1));
    }

    private List<UUID> page(TaskQuery query, int size) {
        List<UUID> ids = new ArrayList<>();
        String cursor = null;
        do {
            Page<Task> page = store.list(query, cursor, size);
            assertThat(page.items()).hasSizeLessThanOrEqualTo(size);
            page.items().forEach(task -> ids.add(task.id()));
            cursor = page.next();
        } while (cursor != null);
        return ids;
    }
}
