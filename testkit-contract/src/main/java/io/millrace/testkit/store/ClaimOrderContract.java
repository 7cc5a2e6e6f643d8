package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.ClaimOrder;
import io.millrace.Rate;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.spi.Change;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.FromTopic;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** In which order the tasks of a topic are handed out. */
abstract class ClaimOrderContract extends StoreGroup {
    @Test
    void tasks_come_first_in_first_out() {
        List<UUID> ids = addSome(10);

        assertThat(ids(claim(worker(), 10))).containsExactlyElementsOf(ids);
    }

    @Test
    void tasks_come_first_in_first_out_one_by_one() {
        List<UUID> ids = addSome(10);
        UUID worker = worker();

        assertThat(ids.stream().map(id -> claimOne(worker).task().id())).containsExactlyElementsOf(ids);
    }

    @Test
    void the_order_is_that_of_coming_in_whatever_the_ids() {
        List<UUID> ids = List.of(new UUID(5, 5), new UUID(-1, 0), new UUID(1, 1), UUID.randomUUID());
        ids.forEach(id -> add(task().id(id)));

        assertThat(ids(claim(worker(), 4))).containsExactlyElementsOf(ids);
    }

    @Test
    void a_lower_priority_number_comes_first() {
        UUID usual = add();
        UUID last = add(task().priority(Integer.MAX_VALUE));
        UUID urgent = add(task().priority(-5));
        UUID first = add(task().priority(Integer.MIN_VALUE));
        UUID usualToo = add();
        UUID urgentToo = add(task().priority(-5));

        assertThat(ids(claim(worker(), 10))).containsExactly(first, urgent, urgentToo, usual, usualToo, last);
    }

    @Test
    void a_lower_priority_number_comes_first_one_by_one() {
        UUID usual = add();
        UUID later = add(task().priority(101));
        UUID sooner = add(task().priority(99));
        UUID worker = worker();

        assertThat(List.of(sooner, usual, later))
                .allSatisfy(id -> assertThat(claimOne(worker).task().id()).isEqualTo(id));
    }

    @Test
    void an_urgent_task_that_comes_due_goes_before_those_that_were_ready() {
        UUID ready = add();
        UUID urgent = add(task().priority(1).delay(MINUTE));

        advance(MINUTE);

        assertThat(ids(claim(worker(), 2))).containsExactly(urgent, ready);
    }

    @Test
    void scheduled_tasks_come_in_the_order_of_their_times() {
        UUID third = add(task().delay(MINUTE.multipliedBy(3)));
        UUID first = add(task().delay(MINUTE));
        UUID second = add(task().runAt(now().plus(MINUTE.multipliedBy(2))));

        advance(MINUTE.multipliedBy(5));

        assertThat(ids(claim(worker(), 3))).containsExactly(first, second, third);
    }

    @Test
    void a_task_that_came_due_stands_among_the_others_by_its_time() {
        UUID before = add();
        UUID due = add(task().delay(MINUTE));
        advance(MINUTE.multipliedBy(2));
        UUID after = add();

        assertThat(ids(claim(worker(), 3))).containsExactly(before, due, after);
    }

    @Test
    void a_released_task_stands_by_the_time_of_its_release() {
        UUID worker = worker();
        LeasedTask needed = running(worker);
        UUID waiting = add(task().waitFor(1));
        advance(MINUTE);
        UUID before = add();
        advance(MINUTE);
        apply(Reports.arriving(needed.lease(), waiting));
        advance(MINUTE);
        UUID after = add();

        assertThat(ids(claim(worker, 3))).containsExactly(before, waiting, after);
    }

    @Test
    void a_task_retried_by_hand_stands_behind_those_that_are_ready() {
        UUID again = finished(task());
        advance(MINUTE);
        UUID before = add();
        advance(MINUTE);
        change(new Change.Retry(), again);
        advance(MINUTE);
        UUID after = add();

        assertThat(ids(claim(worker(), 3))).containsExactly(before, again, after);
    }

    @ParameterizedTest
    @EnumSource(names = {"LOSS", "RELEASE"})
    void a_task_handed_back_comes_before_what_stood_behind_it(Next.Reason reason) {
        List<UUID> ids = addSome(3);
        UUID worker = worker();
        LeasedTask first = claimOne(worker);
        advance(MINUTE);

        apply(Reports.requeue(first.lease(), reason, Duration.ZERO));

        assertThat(ids(claim(worker, 3))).containsExactlyElementsOf(ids);
    }

    @Test
    void tasks_handed_back_keep_their_order() {
        List<UUID> ids = addSome(6);
        UUID worker = worker();
        List<LeasedTask> leased = claim(worker, 4).tasks();

        for (int index : List.of(1, 3, 0, 2)) {
            apply(Reports.requeue(leased.get(index).lease(), Next.Reason.RELEASE, Duration.ZERO));
        }

        assertThat(ids(claim(worker, 6))).containsExactlyElementsOf(ids);
    }

    @Test
    void a_task_handed_back_comes_before_an_older_one_that_came_due_later() {
        UUID older = add(task().delay(MINUTE));
        UUID first = add();
        UUID worker = worker();
        LeasedTask leased = claimOne(worker);
        advance(MINUTE.multipliedBy(2));
        assertThat(read(older).state()).isEqualTo(TaskState.READY);

        apply(Reports.requeue(leased.lease(), Next.Reason.RELEASE, Duration.ZERO));

        assertThat(ids(claim(worker, 2))).containsExactly(first, older);
    }

    @ParameterizedTest
    @EnumSource(names = {"RETRY", "SNOOZE"})
    void a_task_to_be_tried_again_stands_at_the_end_of_its_lane(Next.Reason reason) {
        List<UUID> ids = addSome(3);
        UUID worker = worker();
        LeasedTask first = claimOne(worker);
        advance(MINUTE);

        apply(Reports.requeue(first.lease(), reason, Duration.ZERO));

        assertThat(ids(claim(worker, 3))).containsExactly(ids.get(1), ids.get(2), ids.get(0));
    }

    @ParameterizedTest
    @EnumSource
    void a_task_requeued_with_a_delay_stands_by_the_time_it_is_due(Next.Reason reason) {
        UUID worker = worker();
        LeasedTask leased = running(worker, task());
        UUID before = add();
        apply(Reports.requeue(leased.lease(), reason, MINUTE));
        advance(MINUTE.multipliedBy(2));
        UUID after = add();

        assertThat(ids(claim(worker, 3))).containsExactly(before, leased.task().id(), after);
    }

    @Test
    void a_requeued_task_does_not_overtake_a_more_urgent_one() {
        add();
        UUID worker = worker();
        LeasedTask first = claimOne(worker);
        UUID urgent = add(task().priority(1));

        apply(Reports.requeue(first.lease(), Next.Reason.RELEASE, Duration.ZERO));

        assertThat(ids(claim(worker, 2))).containsExactly(urgent, first.task().id());
    }

    // the oldest first

    private ClaimResult claimOldest(UUID worker, int max, FromTopic... topics) {
        ClaimRequest request =
                new ClaimRequest(worker, List.of(topics), max, ClaimRequest.TimeFrom.CLAIM, ClaimOrder.OLDEST);
        return onlyOne(store.claim(List.of(request)));
    }

    @Test
    void the_oldest_of_all_topics_come_by_priority_and_age() {
        UUID first = add(task(TOPIC));
        UUID second = add(task(OTHER));
        UUID third = add(task(OTHER));
        UUID fourth = add(task(TOPIC));
        UUID urgent = add(task(OTHER).priority(5));
        UUID late = add(task(TOPIC).priority(500));
        UUID fifth = add(task("third"));
        UUID worker = worker();

        assertThat(ids(claimOldest(worker, 4, from(OTHER), from("third"), from(TOPIC))))
                .containsExactly(urgent, first, second, third);
        assertThat(ids(claimOldest(worker, 4, from(OTHER), from("third"), from(TOPIC))))
                .containsExactly(fourth, fifth, late);
    }

    @Test
    void the_oldest_first_is_held_to_the_limits_of_each_topic() {
        List<UUID> limited = List.of(add(task(TOPIC)), add(task(TOPIC)), add(task(TOPIC)));
        List<UUID> slow = List.of(add(task("slow")), add(task("slow")));
        List<UUID> others = List.of(add(task(OTHER)), add(task(OTHER)));
        FromTopic two = from(TOPIC, TopicPolicy.builder().concurrency(2).build());
        FromTopic one = from(
                "slow",
                TopicPolicy.builder().rate(new Rate(1, Duration.ofHours(1))).build());

        ClaimResult result = claimOldest(worker(), 10, one, two, from(OTHER));

        assertThat(ids(result))
                .containsExactly(limited.get(0), limited.get(1), slow.get(0), others.get(0), others.get(1));
        assertThat(claimOldest(worker(), 10, one, two).tasks()).isEmpty();
    }

    @Test
    void the_oldest_first_passes_by_what_is_overdue_or_not_due() {
        add(task(TOPIC).deadline(MINUTE));
        add(task(OTHER).delay(MINUTE.multipliedBy(10)));
        UUID due = add(task(OTHER).delay(MINUTE));
        UUID plain = add(task(TOPIC));
        advance(MINUTE.multipliedBy(2));

        ClaimResult result = claimOldest(worker(), 10, from(TOPIC), from(OTHER));

        assertThat(ids(result)).containsExactly(due, plain);
        assertThat(result.overdue()).hasSize(1);
        assertThat(result.nextDue()).isEqualTo(now().plus(MINUTE.multipliedBy(8)));
    }
}
