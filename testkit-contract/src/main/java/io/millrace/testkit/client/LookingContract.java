package io.millrace.testkit.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.NewTask;
import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.Worker;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Finding, listing and counting. */
abstract class LookingContract extends MillraceGroup {
    private List<UUID> ids(TaskQuery query) {
        try (Stream<Task> tasks = millrace.stream(query)) {
            return tasks.map(Task::id).toList();
        }
    }

    @Test
    void a_task_that_is_not_there_is_not_found() {
        assertThat(millrace.find(UUID.randomUUID())).isEmpty();
        assertThat(millrace.why(UUID.randomUUID())).isEmpty();
    }

    @Test
    void tasks_are_found_by_topic() {
        UUID one = enqueue("a/b");
        enqueue("a");

        assertThat(ids(TaskQuery.ALL.topic("a/b"))).containsExactly(one);
    }

    @Test
    void tasks_are_found_by_state() {
        UUID ready = enqueue("t");
        UUID later = enqueue(NewTask.builder("t").delay(LONG));
        UUID cancelled = enqueue("t");
        millrace.cancel(cancelled);

        assertThat(ids(TaskQuery.ALL.state(TaskState.READY))).containsExactly(ready);
        assertThat(ids(TaskQuery.ALL.state(TaskState.CANCELLED, TaskState.FAILED)))
                .containsExactly(cancelled);
        assertThat(ids(TaskQuery.ALL.pending())).containsExactly(ready, later);
    }

    @Test
    void tasks_are_found_by_a_leading_part_of_their_scope() {
        UUID inner = enqueue(NewTask.builder("t").scope("acme & co", "/room1", "ü"));
        UUID outer = enqueue(NewTask.builder("t").scope("acme & co"));
        enqueue(NewTask.builder("t").scope("/room1", "acme & co"));

        assertThat(ids(TaskQuery.ALL.scope("acme & co"))).containsExactly(inner, outer);
        assertThat(ids(TaskQuery.ALL.scope("acme & co", "/room1"))).containsExactly(inner);
        assertThat(ids(TaskQuery.ALL.scope("acme"))).isEmpty();
    }

    @Test
    void tasks_are_found_by_entity() {
        UUID one = enqueue(NewTask.builder("t").entityId("a+b=c"));
        enqueue(NewTask.builder("t").entityId("a b=c"));

        assertThat(ids(TaskQuery.ALL.entityId("a+b=c"))).containsExactly(one);
    }

    @Test
    void tasks_are_found_by_the_time_of_their_creation() throws Exception {
        UUID first = enqueue("t");
        Instant border = get(first).moments().created();
        eventually(() -> Instant.now().isAfter(border.plusMillis(20)));
        UUID second = enqueue("t");

        Instant between = border.plusMillis(10);
        assertThat(ids(TaskQuery.ALL.createdAfter(between))).containsExactly(second);
        assertThat(ids(TaskQuery.ALL.createdBefore(between))).containsExactly(first);
    }

    @Test
    void tasks_are_found_by_a_part_of_their_error() throws Exception {
        millrace.handle("t", (payload, context) -> {
            throw new IllegalStateException("100% Wrong: " + payload.text());
        });
        UUID one = enqueue(NewTask.builder("t").payload(text("one")));
        UUID two = enqueue(NewTask.builder("t").payload(text("two")));
        finished(one);
        finished(two);

        assertThat(ids(TaskQuery.ALL.text("100% wrong: \"two"))).containsExactly(two);
        assertThat(ids(TaskQuery.ALL.text("something else"))).isEmpty();
    }

    @Test
    void tasks_are_found_by_the_worker_that_holds_them() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        millrace.handle("t", (payload, context) -> {
            started.countDown();
            end.await();
        });
        UUID held = enqueue("t");
        enqueue("other");
        assertThat(started.await(SECONDS, TimeUnit.SECONDS)).isTrue();

        Worker worker = millrace.workers().list().get(0);
        assertThat(ids(TaskQuery.ALL.heldBy(worker.id()))).containsExactly(held);
        assertThat(ids(TaskQuery.ALL.heldBy(UUID.randomUUID()))).isEmpty();
        end.countDown();
    }

    @Test
    void filters_together_must_all_match() {
        UUID one = enqueue(NewTask.builder("t").scope("a").entityId("e"));
        enqueue(NewTask.builder("t").scope("a").entityId("f"));
        enqueue(NewTask.builder("u").scope("a").entityId("e"));

        assertThat(ids(TaskQuery.ALL.topic("t").scope("a").entityId("e").pending()))
                .containsExactly(one);
    }

    @Test
    void pages_follow_each_other_in_the_order_of_creation() {
        List<NewTask> tasks = IntStream.range(0, 25).mapToObj(i -> task("t")).toList();
        var unused = millrace.enqueue(tasks);

        List<UUID> seen = new ArrayList<>();
        Page<Task> page = millrace.list(TaskQuery.ALL.topic("t"), null, 10);
        while (page.next() != null) {
            assertThat(page.items()).hasSize(10);
            page.items().forEach(task -> seen.add(task.id()));
            page = millrace.list(TaskQuery.ALL.topic("t"), page.next(), 10);
        }
        page.items().forEach(task -> seen.add(task.id()));

        assertThat(seen)
                .containsExactlyElementsOf(tasks.stream().map(NewTask::id).toList());
    }

    @Test
    void a_stream_goes_over_all_pages() {
        List<NewTask> tasks = IntStream.range(0, 2_345).mapToObj(i -> task("t")).toList();
        var unused = millrace.enqueue(tasks);

        assertThat(ids(TaskQuery.ALL.topic("t")))
                .containsExactlyElementsOf(tasks.stream().map(NewTask::id).toList());
    }

    @Test
    void tasks_are_counted_by_topic_and_state() {
        enqueue("a");
        enqueue("a");
        enqueue(NewTask.builder("a").delay(LONG));
        enqueue(NewTask.builder("b").entityId("e"));

        assertThat(millrace.count(TaskQuery.ALL))
                .containsExactlyInAnyOrder(
                        new TaskCount("a", TaskState.READY, 2),
                        new TaskCount("a", TaskState.SCHEDULED, 1),
                        new TaskCount("b", TaskState.READY, 1));
        assertThat(millrace.count(TaskQuery.ALL.entityId("e"))).containsExactly(new TaskCount("b", TaskState.READY, 1));
        assertThat(millrace.count(TaskQuery.ALL.topic("c"))).isEmpty();
    }

    @Test
    void a_pending_task_says_why_it_does_not_run() {
        UUID id = enqueue("t");
        millrace.topics().pause("t");

        assertThat(millrace.why(id)).isNotEmpty().get().asString().contains("paused");
        millrace.cancel(id);
        assertThat(millrace.why(id)).isEmpty();
    }
}
