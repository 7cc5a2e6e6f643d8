package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.NewTask;
import io.millrace.TaskQuery;
import io.millrace.spi.Change;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.Next;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A topic with a capacity takes a request whole, or not at all. */
abstract class CapacityContract extends StoreGroup {
    @Test
    void a_topic_can_be_filled_to_the_brim() {
        add();
        NewTask last = task().build();

        assertThat(enqueue(upTo(2, last))).isEqualTo(storedAsNew(last));
    }

    @Test
    void a_full_topic_takes_nothing_more() {
        addSome(2);
        NewTask refused = task().build();

        assertFull(enqueue(upTo(2, refused)));

        assertThat(find(refused.id())).isEmpty();
    }

    @Test
    void a_request_that_does_not_fit_as_a_whole_leaves_nothing() {
        add();
        NewTask fits = task().uniqueKey("key").build();
        NewTask elsewhere = task(OTHER).build();
        NewTask tooMuch = task().build();

        assertFull(enqueue(upTo(2, elsewhere, fits, tooMuch)));

        assertThat(store.get(List.of(fits.id(), elsewhere.id(), tooMuch.id()))).isEmpty();
        assertThat(enqueue(upTo(2, fits))).as("id and key are free").isEqualTo(storedAsNew(fits));
    }

    @Test
    void scheduled_tasks_count() {
        add(task().delay(MINUTE));

        assertFull(enqueue(upTo(1, task().build())));
        assertFull(enqueue(upTo(1, task().delay(MINUTE).build())));
    }

    @Test
    void running_waiting_and_final_tasks_do_not_count() {
        UUID worker = worker();
        succeed(running(worker, task()));
        running(worker, task());
        add(task().waitFor(1));
        NewTask task = task().build();

        assertThat(enqueue(upTo(1, task))).isEqualTo(storedAsNew(task));
    }

    @Test
    void a_waiting_task_gets_into_a_full_topic() {
        add();
        NewTask waiting = task().waitFor(1).build();

        assertThat(enqueue(upTo(1, waiting))).isEqualTo(storedAsNew(waiting));
    }

    @Test
    void a_requeued_task_counts_again() {
        apply(Reports.requeue(running(worker(), task()).lease(), Next.Reason.RETRY, MINUTE));

        assertFull(enqueue(upTo(1, task().build())));
    }

    @Test
    void a_deleted_task_makes_room() {
        UUID id = add();
        change(new Change.Delete(), id);
        NewTask task = task().build();

        assertThat(enqueue(upTo(1, task))).isEqualTo(storedAsNew(task));
    }

    @Test
    void a_claimed_task_makes_room() {
        add();
        claimOne(worker());
        NewTask task = task().build();

        assertThat(enqueue(upTo(1, task))).isEqualTo(storedAsNew(task));
    }

    @Test
    void duplicates_do_not_count_towards_a_capacity() {
        NewTask known = task().uniqueKey("key").build();
        add(known.toBuilder());
        NewTask sameKey = task().uniqueKey("key").build();

        assertThat(enqueue(upTo(1, known, sameKey))).isInstanceOf(EnqueueResult.Stored.class);
    }

    @Test
    void a_task_that_its_key_keeps_out_does_not_make_a_duplicate_of_the_next_with_its_id() {
        NewTask first = task().uniqueKey("key").build();
        NewTask sameKey = task().uniqueKey("key").build();
        NewTask sameId = task().id(sameKey.id()).build();

        assertFull(enqueue(upTo(1, first, sameKey, sameId)));
        assertThat(enqueue(upTo(2, first, sameKey, sameId))).isInstanceOf(EnqueueResult.Stored.class);
    }

    @Test
    void later_requests_see_earlier_ones() {
        NewTask first = task().build();

        List<EnqueueResult> results = store.enqueue(List.of(upTo(1, first), upTo(1, task().build())));

        assertThat(results.get(0)).isEqualTo(storedAsNew(first));
        assertFull(results.get(1));
    }

    @Test
    void a_refused_request_does_not_hurt_its_neighbours() {
        NewTask before = task().build();
        NewTask after = task().build();

        List<EnqueueResult> results =
                store.enqueue(List.of(upTo(2, before), upTo(2, task().build(), task().build()), upTo(2, after)));

        assertThat(results.get(0)).isEqualTo(storedAsNew(before));
        assertFull(results.get(1));
        assertThat(results.get(2)).isEqualTo(storedAsNew(after));
        assertThat(listed(TaskQuery.ALL)).containsExactly(before.id(), after.id());
    }

    @Test
    void a_topic_without_a_capacity_takes_all() {
        addSome(3);
        NewTask task = task(OTHER).build();
        NewTask unlimited = task().build();

        assertThat(enqueue(new EnqueueRequest(List.of(task, unlimited), Map.of(OTHER, 1))))
                .isEqualTo(storedAsNew(task, unlimited));
    }

    @Test
    void many_who_enqueue_at_once_do_not_overfill_a_topic() {
        int capacity = 30;

        List<Integer> stored = Together.run(4, number -> () -> {
            int accepted = 0;
            for (int i = 0; i < 20; i++) {
                accepted += enqueue(upTo(capacity, task().build())) instanceof EnqueueResult.Full ? 0 : 1;
            }
            return accepted;
        });

        assertThat(stored.stream().mapToInt(Integer::intValue).sum()).isEqualTo(capacity);
        assertThat(listed(TaskQuery.ALL)).hasSize(capacity);
    }

    @Test
    void a_topic_over_its_capacity_takes_duplicates_and_nothing_else() {
        List<UUID> ids = addSome(3);

        assertThat(enqueue(upTo(1, task().id(ids.get(2)).build()))).isInstanceOf(EnqueueResult.Stored.class);
        assertFull(enqueue(upTo(1, task().build())));
    }

    @Test
    void who_is_refused_learns_which_tasks_need_room_and_for_how_many_there_is() {
        NewTask known = task().uniqueKey("key").build();
        add(known.toBuilder());
        NewTask sameKey = task().uniqueKey("key").build();
        NewTask first = task().build();
        NewTask waiting = task().waitFor(1).build();
        NewTask elsewhere = task(OTHER).build();
        NewTask second = task().build();

        assertThat(enqueue(upTo(2, known, sameKey, first, waiting, elsewhere, second)))
                .isEqualTo(new EnqueueResult.Full(TOPIC, List.of(first.id(), second.id()), 1));
    }

    private static void assertFull(EnqueueResult result) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        EnqueueResult.Full.class,
                        full -> assertThat(full.topic()).isEqualTo(TOPIC));
    }

    private static EnqueueRequest upTo(int capacity, NewTask... tasks) {
        return new EnqueueRequest(List.of(tasks), Map.of(TOPIC, capacity));
    }
}
