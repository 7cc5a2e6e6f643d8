package io.millrace.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.internal.engine.HandClock;
import io.millrace.spi.ClaimRequest.TimeFrom;
import io.millrace.spi.Lease;
import io.millrace.spi.WorkerRegistry.Introduction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskTableTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final HeapTime time = new HeapTime(new HandClock());
    private final TaskTable table = new TaskTable(time, new Journaling(null, time), MemoryLimit.NONE);
    private final WorkerNode worker = new WorkerNode(new UUID(7, 7), Introduction.ANONYMOUS, MINUTE, time);
    private long now = 1_900_000_000_000L;

    private TaskNode inserted(NewTask task) {
        table.insert(task, now);
        return table.find(task.id());
    }

    private static NewTask.Builder email() {
        return NewTask.builder("email");
    }

    @Test
    void what_is_due_is_ready_and_the_rest_is_scheduled_or_waits() {
        assertThat(inserted(email().build()).state).isEqualTo(TaskState.READY);
        assertThat(inserted(email().runAt(Instant.EPOCH).build()).state).isEqualTo(TaskState.READY);
        assertThat(inserted(email().delay(MINUTE).build()).state).isEqualTo(TaskState.SCHEDULED);
        assertThat(inserted(email().waitFor(1).build()).state).isEqualTo(TaskState.WAITING);
    }

    @Test
    void what_becomes_due_is_ready_in_the_order_of_due_times() {
        TaskNode late = inserted(email().delay(MINUTE).build());
        TaskNode early = inserted(email().delay(MINUTE.minusMillis(1)).build());
        now += MINUTE.toMillis() - 1;
        table.promoteAll(now);
        assertThat(late.state).isEqualTo(TaskState.SCHEDULED);
        TaskNode fresh = inserted(email().build());
        now++;
        table.promoteAll(now);
        TaskList lane = table.topic("email").lane(NewTask.DEFAULT_PRIORITY);
        assertThat(List.of(lane.first(), lane.first().next, lane.first().next.next))
                .containsExactly(early, fresh, late);
    }

    @Test
    void a_unique_key_is_held_while_the_task_is_pending() {
        NewTask first = email().uniqueKey("key").build();
        NewTask second = email().uniqueKey("key").build();
        TaskNode holder = inserted(first);
        assertThat(table.twin(second)).isSameAs(holder);
        assertThat(table.twin(first)).isSameAs(holder);
        assertThat(table.keyHolder(NewTask.builder("post").uniqueKey("key").build()))
                .isNull();
        table.lease(holder, worker, MINUTE, TimeFrom.CLAIM, now);
        assertThat(table.keyHolder(second)).isSameAs(holder);
        table.finish(holder, TaskState.FAILED, null, MINUTE, now);
        assertThat(table.twin(second)).isNull();
        assertThat(table.twin(first))
                .as("the id is known while the task is kept")
                .isSameAs(holder);
    }

    @Test
    void a_task_kept_for_no_time_is_gone_with_its_end() {
        TaskNode node = inserted(email().build());
        table.finish(node, TaskState.SUCCEEDED, null, Duration.ZERO, now);
        assertThat(table.find(node.given.id())).isNull();
        assertThat(table.topic("email")).as("and so is its topic").isNull();
        assertThat(table.removals.isEmpty()).isTrue();
    }

    @Test
    void the_last_arrival_releases_a_task() {
        TaskNode node = inserted(email().waitFor(3).build());
        assertThat(table.arrive(node, now)).isFalse();
        assertThat(table.arrive(node, now)).isFalse();
        assertThat(table.arrive(node, now)).isTrue();
        assertThat(node.state).isEqualTo(TaskState.READY);
        assertThat(table.arrive(node, now)).isFalse();
    }

    @Test
    void topics_that_got_ready_tasks_are_told_once() {
        inserted(email().build());
        inserted(email().build());
        inserted(NewTask.builder("post").delay(MINUTE).build());
        assertThat(table.takeNewlyReady()).containsExactly("email");
        assertThat(table.takeNewlyReady()).isEmpty();
        now += MINUTE.toMillis();
        table.promoteAll(now);
        assertThat(table.takeNewlyReady()).containsExactly("post");
    }

    @Test
    void every_lease_has_a_token_of_its_own_and_the_next_attempt_number() {
        TaskNode node = inserted(email().build());
        Lease first = table.lease(node, worker, MINUTE, TimeFrom.CLAIM, now);
        assertThat(node.isHeldUnder(first)).isTrue();
        WorkerNode reaper = new WorkerNode(new UUID(8, 8), Introduction.ANONYMOUS, MINUTE, time);
        Lease second = table.takeOver(node, reaper, now + 5, now);
        assertThat(second.attempt()).isEqualTo(1);
        assertThat(second.token()).isNotEqualTo(first.token());
        assertThat(node.isHeldUnder(first)).isFalse();
        assertThat(node.isHeldUnder(second)).isTrue();
        assertThat(worker.held.size()).isZero();
        assertThat(reaper.held.size()).isEqualTo(1);
        table.putBack(node);
        assertThat(table.lease(node, worker, MINUTE, TimeFrom.CLAIM, now).attempt())
                .isEqualTo(2);
    }

    @Test
    void what_is_put_back_stands_where_it_stood() {
        TaskNode first = inserted(email().build());
        TaskNode second = inserted(email().build());
        TaskNode third = inserted(email().build());
        table.lease(first, worker, MINUTE, TimeFrom.CLAIM, now);
        table.requeue(first, now, now);
        List.of(second, third, first).forEach(node -> table.lease(node, worker, MINUTE, TimeFrom.CLAIM, now));
        TaskNode fourth = inserted(email().build());
        List.of(first, third, second).forEach(table::putBack);
        List<TaskNode> order = new ArrayList<>();
        for (TaskNode node = table.topic("email").head(); node != null; node = node.next) {
            order.add(node);
        }
        assertThat(order).containsExactly(second, third, first, fourth);
    }

    @Test
    void of_very_many_attempts_the_last_are_kept() {
        TaskNode node = inserted(email().build());
        for (int i = 0; i < Task.ATTEMPTS_KEPT + 5; i++) {
            table.lease(node, worker, MINUTE, TimeFrom.CLAIM, now);
            table.endAttempt(node, Outcome.RELEASED, null, now);
            table.putBack(node);
        }
        assertThat(node.ended()).hasSize(Task.ATTEMPTS_KEPT);
        assertThat(node.ended().get(0).number()).isEqualTo(6);
        assertThat(node.attempts).isEqualTo(Task.ATTEMPTS_KEPT + 5);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void a_task_stands_in_exactly_one_place_whatever_happens(long seed) {
        Random chance = new Random(seed);
        Map<TaskNode, TaskState> model = new HashMap<>();
        for (int step = 0; step < 1_500; step++) {
            if (model.size() < 5 || (model.size() < 60 && chance.nextInt(4) == 0)) {
                insertOne(chance, model);
            } else {
                List<TaskNode> all = new ArrayList<>(model.keySet());
                all.sort(Comparator.comparingLong(node -> node.sequence));
                moveOne(chance, all.get(chance.nextInt(all.size())), model);
            }
            if (chance.nextInt(5) == 0) {
                now += chance.nextInt(2_000);
                table.promoteAll(now);
                model.replaceAll(
                        (node, state) -> state == TaskState.SCHEDULED && node.due <= now ? TaskState.READY : state);
            }
            assertPlaces(model);
        }
    }

    private void insertOne(Random chance, Map<TaskNode, TaskState> model) {
        int waitFor = chance.nextInt(4) == 0 ? 1 : 0;
        long delay = chance.nextInt(3) == 0 ? chance.nextInt(1, 5_000) : 0;
        NewTask task = NewTask.builder("topic-" + chance.nextInt(3))
                .priority(chance.nextInt(3))
                .delay(Duration.ofMillis(delay))
                .waitFor(waitFor)
                .build();
        TaskState state = waitFor > 0 ? TaskState.WAITING : delay > 0 ? TaskState.SCHEDULED : TaskState.READY;
        model.put(inserted(task), state);
    }

    private void moveOne(Random chance, TaskNode node, Map<TaskNode, TaskState> model) {
        TaskState state = model.get(node);
        long due = now + (chance.nextBoolean() ? chance.nextInt(1, 3_000) : 0);
        boolean finish = chance.nextInt(3) == 0;
        if (state.isFinal() && chance.nextBoolean()) {
            table.remove(node, now);
            model.remove(node);
        } else if (state.isFinal()) {
            table.revive(node, now);
            model.put(node, TaskState.READY);
        } else if (finish) {
            Duration kept = chance.nextBoolean() ? Duration.ZERO : Duration.ofMillis(chance.nextInt(1, 10_000));
            table.finish(node, TaskState.CANCELLED, null, kept, now);
            model.remove(node);
            if (!kept.isZero()) {
                model.put(node, TaskState.CANCELLED);
            }
        } else if (state == TaskState.READY && chance.nextBoolean()) {
            table.lease(node, worker, MINUTE, TimeFrom.CLAIM, now);
            model.put(node, TaskState.RUNNING);
        } else if (state == TaskState.RUNNING && chance.nextBoolean()) {
            table.putBack(node);
            model.put(node, TaskState.READY);
        } else if (state == TaskState.WAITING) {
            assertThat(table.arrive(node, now)).isTrue();
            model.put(node, node.due > now ? TaskState.SCHEDULED : TaskState.READY);
        } else {
            table.requeue(node, due, now);
            model.put(node, due > now ? TaskState.SCHEDULED : TaskState.READY);
        }
    }

    private void assertPlaces(Map<TaskNode, TaskState> model) {
        Map<String, Long> counts = new HashMap<>();
        model.forEach((node, state) -> {
            boolean inList = state == TaskState.READY || state == TaskState.RUNNING;
            boolean inHeap = state != TaskState.READY && state != TaskState.WAITING;
            boolean known =
                    table.find(node.given.id()) == node && table.bySequence().get(node.sequence) == node;
            boolean placed = (node.list != null) == inList
                    && (node.heapIndex >= 0) == inHeap
                    && (node.list == worker.held) == (state == TaskState.RUNNING);
            if (node.state != state || !known || !placed) {
                fail("%s is %s, not %s; known %s, in its place %s", node.given, node.state, state, known, placed);
            }
            counts.merge(node.topic.name + state, 1L, Long::sum);
        });
        for (TopicQueue topic : table.topicsOf(TaskQuery.ALL)) {
            for (TaskState state : TaskState.values()) {
                counts.merge(topic.name + state, -topic.count(state), Long::sum);
            }
        }
        assertThat(counts.values()).as("counted less found, by topic and state").containsOnly(0L);
        assertThat(table.bySequence().present().size()).isEqualTo(model.size());
    }
}
