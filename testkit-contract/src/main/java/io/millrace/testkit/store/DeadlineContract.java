package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.ClaimOrder;
import io.millrace.NewTask;
import io.millrace.Rate;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.spi.Change;
import io.millrace.spi.ChangeResult;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.TimeFrom;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A task that was not taken in time ends as EXPIRED. */
abstract class DeadlineContract extends StoreGroup {
    private static final Duration TOO_LONG = MINUTE.plusSeconds(1);

    @Test
    void a_task_whose_deadline_has_passed_is_handed_out_to_be_ended() {
        UUID id = add(task().deadline(MINUTE));
        advance(TOO_LONG);

        ClaimResult result = claim(worker(), 1);

        assertThat(result.tasks()).isEmpty();
        LeasedTask overdue = onlyOne(result.overdue());
        assertThat(overdue.task()).isEqualTo(read(id));
        apply(Reports.expired(overdue.lease()));
        assertThat(read(id).state()).isEqualTo(TaskState.EXPIRED);
        assertThat(read(id).attempts()).isEmpty();
        assertThat(read(id).tally().attempts()).isZero();
    }

    @Test
    void a_task_within_its_deadline_runs() {
        UUID id = add(task().deadline(MINUTE));
        advance(MINUTE.minusSeconds(1));

        assertThat(ids(claim(worker(), 1))).containsExactly(id);
    }

    @Test
    void a_running_task_is_past_its_deadline_with_no_harm() {
        LeasedTask leased = running(worker(), task().deadline(MINUTE));
        advance(TOO_LONG);

        succeed(leased);
    }

    @Test
    void those_behind_an_overdue_task_are_given_in_its_place() {
        add(task().deadline(MINUTE));
        add(task().deadline(MINUTE));
        UUID next = add();
        advance(TOO_LONG);

        ClaimResult result = claim(worker(), 1);

        assertThat(ids(result)).containsExactly(next);
        assertThat(result.overdue()).hasSize(2);
    }

    @Test
    void an_overdue_task_counts_towards_no_limit_of_its_claim() {
        TopicPolicy policy = TopicPolicy.builder()
                .concurrency(1)
                .rate(new Rate(1, Duration.ofHours(1)))
                .build();
        add(task().deadline(MINUTE));
        UUID next = add();
        advance(TOO_LONG);

        ClaimResult result = claim(worker(), 2, from(TOPIC, policy));

        assertThat(ids(result)).containsExactly(next);
        assertThat(result.overdue()).hasSize(1);
    }

    @Test
    void a_retry_past_the_deadline_is_overdue() {
        UUID worker = worker();
        LeasedTask leased = running(worker, task().deadline(MINUTE));
        apply(Reports.requeue(leased.lease(), Next.Reason.RETRY, TOO_LONG));
        advance(TOO_LONG);

        assertThat(expireOne()).isEqualTo(leased.task().id());
        assertThat(read(leased.task().id()).attempts()).hasSize(1);
        assertThat(read(leased.task().id()).tally().attempts()).isEqualTo(1);
    }

    @Test
    void the_lease_of_what_is_to_be_ended_ends_also_where_time_counts_from_the_start() {
        UUID id = add(task().deadline(MINUTE));
        advance(TOO_LONG);
        UUID worker = worker();
        ClaimResult result = onlyOne(store.claim(
                List.of(new ClaimRequest(worker, List.of(from(TOPIC)), 1, TimeFrom.START, ClaimOrder.SHARE))));

        assertThat(onlyOne(result.overdue()).task().id()).isEqualTo(id);
        assertThat(hold(read(id)).until()).isEqualTo(now().plus(TopicPolicy.DEFAULT.timeout()));
    }

    @Test
    void an_expired_task_is_kept_as_said() {
        UUID id = add(task().deadline(MINUTE));
        advance(TOO_LONG);
        LeasedTask overdue = onlyOne(claim(worker(), 1).overdue());

        apply(Reports.expired(overdue.lease(), Duration.ofHours(3)));

        assertThat(read(id).moments().finished()).isEqualTo(now());
        assertThat(read(id).moments().removal()).isEqualTo(now().plus(Duration.ofHours(3)));
    }

    @Test
    void an_expired_task_that_is_not_kept_is_gone() {
        UUID id = add(task().deadline(MINUTE));
        advance(TOO_LONG);
        LeasedTask overdue = onlyOne(claim(worker(), 1).overdue());

        apply(Reports.expired(overdue.lease(), Duration.ZERO));

        assertThat(find(id)).isEmpty();
    }

    @Test
    void an_overdue_task_is_handed_out_once() {
        add(task().deadline(MINUTE));
        advance(TOO_LONG);
        UUID worker = worker();

        assertThat(claim(worker, 1).overdue()).hasSize(1);
        assertThat(claim(worker, 1).overdue()).isEmpty();
    }

    @Test
    void an_overdue_task_whose_worker_was_lost_is_overdue_again() {
        UUID id = add(task().deadline(MINUTE));
        advance(TOO_LONG);
        assertThat(claim(mortal(MINUTE), 1).overdue()).hasSize(1);
        advance(TOO_LONG);
        Lease reapers = onlyOne(store.claimExpired(worker(), 10)).leased().lease();
        apply(Reports.requeue(reapers, Next.Reason.LOSS, Duration.ZERO));

        assertThat(expireOne()).isEqualTo(id);
    }

    // keys and room

    @ParameterizedTest
    @EnumSource(names = {"WAITING", "SCHEDULED", "READY"})
    void the_key_of_an_overdue_task_is_free_when_that_one_has_ended(TaskState state) {
        UUID overdue = overdue(state);
        NewTask next = keyed().build();

        assertThat(enqueue(EnqueueRequest.of(next))).isEqualTo(new EnqueueResult.Overdue(List.of(overdue)));
        assertThat(find(next.id())).isEmpty();
        expire(overdue);

        assertThat(enqueue(EnqueueRequest.of(next))).isEqualTo(storedAsNew(next));
        assertThat(read(overdue).state()).isEqualTo(TaskState.EXPIRED);
    }

    @Test
    void a_running_task_past_its_deadline_keeps_its_key() {
        UUID id = running(worker(), keyed().deadline(MINUTE)).task().id();
        advance(TOO_LONG);

        assertThat(enqueue(EnqueueRequest.of(keyed().build())))
                .isEqualTo(new EnqueueResult.Stored(List.of(new EnqueueResult.Item(id, true))));
    }

    @Test
    void a_task_retried_by_hand_gets_the_key_of_an_overdue_one() {
        UUID ended = finished(keyed());
        UUID overdue = overdue(TaskState.READY);

        assertThat(changeOne(new Change.Retry(), ended)).isEqualTo(ChangeResult.Status.CHANGED);

        assertThat(enqueue(EnqueueRequest.of(keyed().build())))
                .as("the key is its own again")
                .isEqualTo(new EnqueueResult.Stored(List.of(new EnqueueResult.Item(ended, true))));
        expire(overdue);
        assertThat(read(ended).state()).isEqualTo(TaskState.READY);
    }

    @Test
    void a_spawned_task_gets_the_key_of_an_overdue_one() {
        UUID overdue = overdue(TaskState.READY);
        NewTask next = keyed().build();

        apply(Reports.spawning(running(worker()).lease(), next));

        assertThat(read(next.id()).state()).isEqualTo(TaskState.READY);
        assertThat(enqueue(EnqueueRequest.of(keyed().build())))
                .as("the key is the new one's")
                .isEqualTo(new EnqueueResult.Stored(List.of(new EnqueueResult.Item(next.id(), true))));
        expire(overdue);
        assertThat(enqueue(EnqueueRequest.of(keyed().build())))
                .as("also when the old one has ended")
                .isEqualTo(new EnqueueResult.Stored(List.of(new EnqueueResult.Item(next.id(), true))));
    }

    @ParameterizedTest
    @EnumSource(names = {"SCHEDULED", "READY"})
    void overdue_tasks_make_room_when_they_have_ended(TaskState state) {
        UUID overdue = overdue(state);
        NewTask next = task().build();
        EnqueueRequest request = new EnqueueRequest(List.of(next), Map.of(TOPIC, 1));

        assertThat(enqueue(request)).isEqualTo(new EnqueueResult.Overdue(List.of(overdue)));
        expire(overdue);

        assertThat(enqueue(request)).isEqualTo(storedAsNew(next));
    }

    @Test
    void an_expired_task_leaves_a_letter_in_the_same_step() {
        UUID overdue = overdue(TaskState.READY);
        NewTask letter = task(OTHER).build();
        Next.Finish end = new Next.Finish(TaskState.EXPIRED, Reports.KEPT, null, List.of(letter), List.of());

        assertThat(changeOne(new Change.Expire(Map.of(overdue, end)), overdue)).isEqualTo(ChangeResult.Status.CHANGED);

        assertThat(read(letter.id()).state()).isEqualTo(TaskState.READY);
        assertThat(read(overdue).moments().removal()).isEqualTo(now().plus(Reports.KEPT));
    }

    @Test
    void only_overdue_tasks_can_be_ended_so() {
        UUID intime = add(task().deadline(TOO_LONG.multipliedBy(3)));
        UUID running = running(worker(), task(OTHER).deadline(MINUTE)).task().id();
        UUID without = add();
        UUID ended = finished(task("third").deadline(MINUTE));
        advance(TOO_LONG);
        Map<UUID, Next.Finish> ends = new HashMap<>();
        for (UUID id : List.of(intime, running, without, ended)) {
            ends.put(id, Next.Finish.as(TaskState.EXPIRED, Reports.KEPT));
        }

        ChangeResult result = change(new Change.Expire(ends), intime, running, without, ended);

        assertThat(result.items()).extracting(ChangeResult.Item::status).containsOnly(ChangeResult.Status.WRONG_STATE);
    }

    private static NewTask.Builder keyed() {
        return task().uniqueKey("key");
    }

    /** A task past its deadline that holds a key, and is in this state. */
    private UUID overdue(TaskState state) {
        UUID id;
        if (state == TaskState.SCHEDULED) {
            LeasedTask leased = running(worker(), keyed().deadline(MINUTE));
            apply(Reports.requeue(leased.lease(), Next.Reason.RETRY, MINUTE.multipliedBy(5)));
            id = leased.task().id();
        } else {
            id = pending(state, keyed().deadline(MINUTE));
        }
        advance(TOO_LONG);
        assertThat(read(id).state()).isEqualTo(state);
        return id;
    }

    private void expire(UUID id) {
        Change.Expire expire = new Change.Expire(Map.of(id, Next.Finish.as(TaskState.EXPIRED, Reports.KEPT)));
        assertThat(changeOne(expire, id)).isEqualTo(ChangeResult.Status.CHANGED);
    }
}
