package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.spi.Change;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.EnqueueResult.Item;
import io.millrace.spi.EnqueueResult.Stored;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An enqueue is safe to repeat, and a unique key is held by one pending task of a topic. */
abstract class DuplicateContract extends StoreGroup {
    private static final String KEY = "key";

    @Test
    void a_known_id_is_a_duplicate() {
        NewTask task = task().payload(Payload.json("1")).build();
        add(task.toBuilder());
        Task before = read(task.id());
        advance(MINUTE);

        assertDuplicate(task.toBuilder().payload(Payload.json("2")), task.id());

        assertThat(read(task.id())).isEqualTo(before);
        assertThat(listed(TaskQuery.ALL)).containsExactly(task.id());
    }

    @Test
    void the_id_of_a_task_of_another_topic_is_a_duplicate() {
        UUID id = add();

        assertDuplicate(task(OTHER).id(id), id);
    }

    @Test
    void the_id_of_a_final_task_is_a_duplicate() {
        UUID id = finished(task());

        assertDuplicate(task().id(id), id);

        assertThat(read(id).state()).isEqualTo(TaskState.SUCCEEDED);
    }

    @Test
    void the_id_of_a_deleted_task_is_free() {
        UUID id = add();
        change(new Change.Delete(), id);

        add(task().id(id));
    }

    @Test
    void an_id_given_twice_in_a_request_is_stored_once() {
        NewTask task = task().build();

        assertThat(enqueue(EnqueueRequest.of(task, task)))
                .isEqualTo(stored(new Item(task.id(), false), new Item(task.id(), true)));
    }

    @Test
    void an_id_given_twice_in_a_call_is_stored_once() {
        NewTask task = task().build();

        assertThat(store.enqueue(List.of(EnqueueRequest.of(task), EnqueueRequest.of(task))))
                .containsExactly(storedAsNew(task), stored(new Item(task.id(), true)));
    }

    @Test
    void a_duplicate_does_not_keep_its_neighbours_out() {
        UUID known = add();
        NewTask before = task().build();
        NewTask after = task().build();

        EnqueueResult result =
                enqueue(EnqueueRequest.of(before, task().id(known).build(), after));

        assertThat(result)
                .isEqualTo(stored(new Item(before.id(), false), new Item(known, true), new Item(after.id(), false)));
        assertThat(listed(TaskQuery.ALL)).containsExactly(known, before.id(), after.id());
    }

    @ParameterizedTest
    @EnumSource(names = {"WAITING", "SCHEDULED", "READY", "RUNNING"})
    void a_unique_key_is_held_while_its_task_is(TaskState state) {
        UUID holder = pending(state, keyed());

        assertDuplicate(keyed(), holder);
    }

    @ParameterizedTest
    @EnumSource(names = {"SUCCEEDED", "FAILED", "TIMED_OUT"})
    void a_unique_key_is_free_when_its_task_has_ended_as(TaskState state) {
        apply(Reports.end(running(worker(), keyed()).lease(), state, Reports.KEPT));

        add(keyed());
    }

    @ParameterizedTest
    @EnumSource(names = {"WAITING", "SCHEDULED", "READY"})
    void a_unique_key_is_free_when_its_task_was_cancelled_while(TaskState state) {
        change(new Change.Cancel(Map.of()), pending(state, keyed()));

        add(keyed());
    }

    @ParameterizedTest
    @EnumSource(names = {"WAITING", "SCHEDULED", "READY"})
    void a_unique_key_is_free_when_its_task_was_deleted_while(TaskState state) {
        change(new Change.Delete(), pending(state, keyed()));

        add(keyed());
    }

    @Test
    void a_unique_key_is_free_when_its_task_has_expired() {
        add(keyed().deadline(MINUTE));
        advance(MINUTE.multipliedBy(2));
        expireOne();

        add(keyed());
    }

    @Test
    void the_end_of_an_old_holder_does_not_free_the_key_of_a_new_one() {
        UUID old = finished(keyed());
        UUID holder = add(keyed());

        change(new Change.Delete(), old);

        assertDuplicate(keyed(), holder);
    }

    @Test
    void a_unique_key_belongs_to_its_topic() {
        add(keyed());

        add(task(OTHER).uniqueKey(KEY));
    }

    @Test
    void a_unique_key_given_twice_in_a_request_is_stored_once() {
        NewTask first = keyed().build();

        assertThat(enqueue(EnqueueRequest.of(first, keyed().build())))
                .isEqualTo(stored(new Item(first.id(), false), new Item(first.id(), true)));
    }

    @Test
    void a_unique_key_given_twice_in_a_call_is_stored_once() {
        NewTask first = keyed().build();

        assertThat(store.enqueue(List.of(EnqueueRequest.of(first), EnqueueRequest.of(keyed().build()))))
                .containsExactly(storedAsNew(first), stored(new Item(first.id(), true)));
    }

    @Test
    void unique_keys_differ_in_every_character() {
        for (String key : List.of("a", "A", "á", "a ", " a", "a%", "a_")) {
            add(task().uniqueKey(key));
        }
    }

    @Test
    void of_many_who_enqueue_the_same_key_at_once_one_gets_in() {
        List<Integer> stored = Together.run(4, number -> () -> {
            int accepted = 0;
            for (int i = 0; i < 50; i++) {
                NewTask task = task().uniqueKey("key-" + i).build();
                accepted += enqueue(EnqueueRequest.of(task)).equals(storedAsNew(task)) ? 1 : 0;
            }
            return accepted;
        });

        assertThat(stored.stream().mapToInt(Integer::intValue).sum()).isEqualTo(50);
        assertThat(listed(TaskQuery.ALL)).hasSize(50);
    }

    private static NewTask.Builder keyed() {
        return task().uniqueKey(KEY);
    }

    private void assertDuplicate(NewTask.Builder builder, UUID existing) {
        assertThat(enqueue(EnqueueRequest.of(builder.build()))).isEqualTo(stored(new Item(existing, true)));
    }

    private static EnqueueResult stored(Item... items) {
        return new Stored(List.of(items));
    }
}
