package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.When;
import io.millrace.spi.Change;
import io.millrace.spi.ChangeResult;
import io.millrace.spi.ChangeResult.Item;
import io.millrace.spi.ChangeResult.Status;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an operator does to a task: retry, reschedule, delete. */
abstract class ChangeContract extends StoreGroup {
    private static final Change RETRY = new Change.Retry();
    private static final Change DELETE = new Change.Delete();

    @ParameterizedTest
    @EnumSource(names = {"SUCCEEDED", "FAILED", "TIMED_OUT", "CANCELLED"})
    void a_final_task_is_ready_after_a_retry(TaskState state) {
        LeasedTask leased = running(worker(), task().uniqueKey("key"));
        apply(Reports.end(leased.lease(), state, Reports.KEPT));
        UUID id = leased.task().id();
        advance(MINUTE);

        assertThat(change(RETRY, id).items()).containsExactly(new Item(id, Status.CHANGED, TOPIC, state));

        assertThat(read(id).state()).isEqualTo(TaskState.READY);
        assertThat(read(id).moments().due()).isEqualTo(now());
        assertThat(claimOne(worker()).lease().attempt()).isEqualTo(2);
    }

    @Test
    void after_a_retry_attempts_go_on_and_retries_and_losses_begin_anew() {
        UUID worker = worker();
        UUID id = add();
        apply(Reports.requeue(claimOne(worker).lease(), Next.Reason.RETRY, Duration.ZERO));
        apply(Reports.requeue(claimOne(worker).lease(), Next.Reason.LOSS, Duration.ZERO));
        apply(Reports.failure(claimOne(worker).lease()));

        change(RETRY, id);

        assertThat(read(id).tally()).isEqualTo(new Task.Tally(3, 0, 0, 0));
        assertThat(read(id).attempts()).hasSize(3);
    }

    @Test
    void a_redriven_task_cannot_be_retried() {
        UUID worker = worker();
        List<UUID> ids = addSome(3);
        claim(worker, 3).tasks().forEach(leased -> apply(Reports.end(leased.lease(), TaskState.FAILED, Reports.KEPT)));
        UUID id = ids.get(1);
        Task before = read(id);

        assertThat(changeOne(new Change.Redriven(), id)).isEqualTo(ChangeResult.Status.CHANGED);
        assertThat(changeOne(new Change.Redriven(), id)).isEqualTo(ChangeResult.Status.CHANGED);

        assertThat(read(id).redriven()).isTrue();
        assertThat(read(ids.get(0)).redriven()).isFalse();
        assertThat(read(id).attempts()).isEqualTo(before.attempts());
        assertThat(read(id).moments()).isEqualTo(before.moments());
        assertThat(changeOne(RETRY, id)).isEqualTo(ChangeResult.Status.REDRIVEN);
        assertThat(read(id).state()).isEqualTo(TaskState.FAILED);
        assertThat(change(RETRY, ids.get(0), ids.get(2)).changed()).isEqualTo(2);
    }

    @Test
    void a_pending_task_cannot_be_marked_as_redriven() {
        assertThat(changeOne(new Change.Redriven(), add())).isEqualTo(ChangeResult.Status.WRONG_STATE);
    }

    @Test
    void a_retry_drops_the_deadline() {
        UUID id = add(task().deadline(MINUTE));
        advance(MINUTE.multipliedBy(2));
        expireOne();

        change(RETRY, id);

        assertThat(read(id).moments().deadline()).isNull();
        assertThat(ids(claim(worker(), 1))).containsExactly(id);
    }

    @Test
    void a_cancelled_task_that_waited_is_ready_after_a_retry() {
        UUID id = add(task().waitFor(2));
        change(new Change.Cancel(Map.of()), id);

        change(RETRY, id);

        assertThat(ids(claim(worker(), 1))).containsExactly(id);
    }

    @Test
    void a_retry_is_refused_while_another_holds_the_unique_key() {
        UUID id = finished(task().uniqueKey("key"));
        UUID holder = add(task().uniqueKey("key"));

        assertThat(change(RETRY, id).items())
                .containsExactly(new Item(id, Status.KEY_TAKEN, TOPIC, TaskState.SUCCEEDED));

        assertThat(read(id).state()).isEqualTo(TaskState.SUCCEEDED);
        change(DELETE, holder);
        assertThat(changeOne(RETRY, id)).isEqualTo(Status.CHANGED);
    }

    @Test
    void of_two_retries_with_the_same_key_the_first_gets_it() {
        UUID first = finished(task().uniqueKey("key"));
        UUID second = finished(task().uniqueKey("key"));

        assertThat(change(RETRY, first, second).items())
                .extracting(Item::status)
                .containsExactly(Status.CHANGED, Status.KEY_TAKEN);
    }

    @ParameterizedTest
    @EnumSource(names = {"WAITING", "SCHEDULED", "READY", "RUNNING"})
    void a_pending_task_cannot_be_retried(TaskState state) {
        assertUnchanged(RETRY, pending(state, task()));
    }

    @Test
    void a_ready_task_can_be_put_off() {
        UUID id = add();

        assertThat(changeOne(new Change.Reschedule(When.after(MINUTE)), id)).isEqualTo(Status.CHANGED);

        assertThat(read(id).state()).isEqualTo(TaskState.SCHEDULED);
        assertThat(read(id).moments().due()).isEqualTo(now().plus(MINUTE));
        assertThat(claim(worker(), 1).tasks()).isEmpty();
        advance(MINUTE);
        assertThat(ids(claim(worker(), 1))).containsExactly(id);
    }

    @Test
    void a_scheduled_task_can_be_brought_forward() {
        UUID id = add(task().delay(MINUTE.multipliedBy(5)));

        assertThat(changeOne(new Change.Reschedule(When.at(now().plus(MINUTE))), id))
                .isEqualTo(Status.CHANGED);
        assertThat(claim(worker(), 1).nextDue()).isEqualTo(now().plus(MINUTE));

        assertThat(changeOne(new Change.Reschedule(When.NOW), id)).isEqualTo(Status.CHANGED);
        assertThat(read(id).state()).isEqualTo(TaskState.READY);
        assertThat(ids(claim(worker(), 1))).containsExactly(id);
    }

    @ParameterizedTest
    @EnumSource(names = {"WAITING", "RUNNING"})
    void a_task_cannot_be_rescheduled_that_is(TaskState state) {
        assertUnchanged(new Change.Reschedule(When.after(MINUTE)), pending(state, task()));
    }

    @Test
    void a_final_task_cannot_be_rescheduled() {
        assertUnchanged(new Change.Reschedule(When.after(MINUTE)), finished(task()));
    }

    @ParameterizedTest
    @EnumSource(names = {"WAITING", "SCHEDULED", "READY"})
    void a_task_can_be_deleted_that_is(TaskState state) {
        UUID id = pending(state, task());

        assertThat(change(DELETE, id).items()).containsExactly(new Item(id, Status.CHANGED, TOPIC, state));

        assertThat(find(id)).isEmpty();
        advance(MINUTE);
        assertThat(claim(worker(), 1).tasks()).isEmpty();
    }

    @Test
    void a_final_task_can_be_deleted() {
        UUID id = finished(task());

        assertThat(changeOne(DELETE, id)).isEqualTo(Status.CHANGED);

        assertThat(find(id)).isEmpty();
    }

    @Test
    void a_running_task_cannot_be_deleted() {
        LeasedTask leased = running(worker(), task());

        assertUnchanged(DELETE, leased.task().id());
        succeed(leased);
    }

    private void assertUnchanged(Change change, UUID id) {
        Task before = read(id);

        assertThat(change(change, id).items())
                .containsExactly(new Item(id, Status.WRONG_STATE, before.topic(), before.state()));

        assertThat(read(id)).isEqualTo(before);
    }
}
