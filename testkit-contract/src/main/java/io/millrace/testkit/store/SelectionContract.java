package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.InvalidValueException;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.spi.Change;
import io.millrace.spi.ChangeResult;
import io.millrace.spi.ChangeResult.Item;
import io.millrace.spi.ChangeResult.Status;
import io.millrace.spi.Selection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Changes of many tasks: by id, by query in bounded steps, and of what is past its retention. */
abstract class SelectionContract extends StoreGroup {
    private static final Change CANCEL = new Change.Cancel(Map.of());
    private static final Change DELETE = new Change.Delete();

    @Test
    void by_ids_there_is_an_answer_for_each() {
        UUID ready = add();
        UUID running = running(worker(), task(OTHER)).task().id();
        UUID missing = UUID.randomUUID();

        ChangeResult result = change(DELETE, missing, running, ready);

        assertThat(result.items())
                .containsExactly(
                        new Item(missing, Status.NOT_FOUND, null, null),
                        new Item(running, Status.WRONG_STATE, OTHER, TaskState.RUNNING),
                        new Item(ready, Status.CHANGED, TOPIC, TaskState.READY));
        assertThat(result.changed()).isEqualTo(1);
        assertThat(result.next()).isNull();
    }

    @Test
    void by_query_those_that_match_are_changed() {
        UUID wanted = add(task().entityId("e"));
        UUID alsoWanted = add(task().entityId("e").delay(MINUTE));
        UUID other = add(task().entityId("f"));

        List<Item> items = changeAll(TaskQuery.ALL.entityId("e"), CANCEL, 10);

        assertThat(items)
                .containsExactlyInAnyOrder(
                        new Item(wanted, Status.CHANGED, TOPIC, TaskState.READY),
                        new Item(alsoWanted, Status.CHANGED, TOPIC, TaskState.SCHEDULED));
        assertThat(read(other).state()).isEqualTo(TaskState.READY);
    }

    @Test
    void by_query_only_those_that_were_changed_are_told() {
        UUID done = finished(task());
        UUID ready = add();

        List<Item> items = changeAll(TaskQuery.ALL, CANCEL, 10);

        assertThat(items).extracting(Item::id).containsExactly(ready);
        assertThat(read(done).state()).isEqualTo(TaskState.SUCCEEDED);
    }

    @Test
    void a_change_by_query_goes_in_bounded_steps() {
        List<UUID> ids = addSome(10);

        ChangeResult first = store.change(new Selection.Matching(TaskQuery.ALL, null), CANCEL, 4);

        assertThat(first.items()).extracting(Item::id).containsExactlyElementsOf(ids.subList(0, 4));
        assertThat(first.next()).isNotNull();
        assertThat(listed(TaskQuery.ALL.state(TaskState.READY))).hasSize(6);
        ChangeResult second = store.change(new Selection.Matching(TaskQuery.ALL, first.next()), CANCEL, 4);
        assertThat(second.items()).extracting(Item::id).containsExactlyElementsOf(ids.subList(4, 8));
    }

    @Test
    void the_steps_reach_every_task_once_whatever_the_change() {
        addSome(25);

        assertThat(changeAll(TaskQuery.ALL.state(TaskState.READY), CANCEL, 4)).hasSize(25);
        assertThat(changeAll(TaskQuery.ALL.state(TaskState.CANCELLED), new Change.Retry(), 4))
                .hasSize(25);
        assertThat(changeAll(TaskQuery.ALL, DELETE, 4)).hasSize(25);
        assertThat(store.count(TaskQuery.ALL)).isEmpty();
    }

    @Test
    void steps_pass_over_tasks_in_a_wrong_state() {
        for (int i = 0; i < 6; i++) {
            finished(task());
        }
        List<UUID> ready = addSome(3);

        assertThat(changeAll(TaskQuery.ALL, CANCEL, 2)).extracting(Item::id).containsExactlyElementsOf(ready);
    }

    @Test
    void a_foreign_cursor_is_refused_and_nothing_changed() {
        add();

        assertThatThrownBy(() -> store.change(new Selection.Matching(TaskQuery.ALL, "nonsense"), DELETE, 10))
                .isInstanceOf(InvalidValueException.class);

        assertThat(listed(TaskQuery.ALL)).hasSize(1);
    }

    @Test
    void what_is_past_its_retention_can_be_deleted() {
        UUID soon = ended(MINUTE);
        UUID later = ended(MINUTE.multipliedBy(3));
        UUID pending = add();
        advance(MINUTE.multipliedBy(2));

        ChangeResult result = store.change(new Selection.PastRetention(), DELETE, 10);

        assertThat(result.items()).containsExactly(new Item(soon, Status.CHANGED, TOPIC, TaskState.SUCCEEDED));
        assertThat(listed(TaskQuery.ALL)).containsExactly(later, pending);
    }

    @Test
    void what_is_past_its_retention_is_deleted_in_bounded_steps() {
        for (int i = 0; i < 5; i++) {
            ended(MINUTE);
        }
        advance(MINUTE.multipliedBy(2));

        assertThat(deletePast(2)).isEqualTo(2);
        assertThat(deletePast(2)).isEqualTo(2);
        assertThat(deletePast(2)).isEqualTo(1);
        assertThat(deletePast(2)).isZero();
        assertThat(store.count(TaskQuery.ALL)).isEmpty();
    }

    @Test
    void a_final_task_stays_until_it_is_deleted() {
        UUID id = ended(MINUTE);

        advance(Duration.ofDays(30));

        assertThat(read(id).state()).isEqualTo(TaskState.SUCCEEDED);
        assertThat(store.count(TaskQuery.ALL)).containsExactly(new TaskCount(TOPIC, TaskState.SUCCEEDED, 1));
    }

    @Test
    void a_task_that_was_retried_is_not_past_its_retention() {
        UUID id = ended(MINUTE);
        change(new Change.Retry(), id);
        advance(MINUTE.multipliedBy(2));

        assertThat(deletePast(10)).isZero();

        assertThat(find(id)).isPresent();
    }

    private UUID ended(Duration retention) {
        var leased = running(worker(), task());
        apply(Reports.end(leased.lease(), TaskState.SUCCEEDED, retention));
        return leased.task().id();
    }

    private long deletePast(int limit) {
        return store.change(new Selection.PastRetention(), DELETE, limit).changed();
    }

    private List<Item> changeAll(TaskQuery query, Change change, int limit) {
        List<Item> items = new ArrayList<>();
        String cursor = null;
        do {
            ChangeResult step = store.change(new Selection.Matching(query, cursor), change, limit);
            assertThat(step.items()).hasSizeLessThanOrEqualTo(limit);
            items.addAll(step.items());
            cursor = step.next();
        } while (cursor != null);
        return items;
    }

    @Test
    void a_change_that_is_not_for_final_tasks_leaves_what_is_past_its_retention() {
        UUID id = ended(MINUTE);
        advance(MINUTE.multipliedBy(2));

        assertThat(store.change(new Selection.PastRetention(), CANCEL, 10).changed())
                .isZero();
        assertThat(read(id).state()).isEqualTo(TaskState.SUCCEEDED);
    }
}
