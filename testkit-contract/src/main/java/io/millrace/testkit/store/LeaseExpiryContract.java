package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Attempt;
import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.OverdueLease;
import io.millrace.spi.OverdueLease.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Leases that their workers have no right to any more go to a reaper. */
abstract class LeaseExpiryContract extends StoreGroup {
    private static final Duration TOO_LONG = MINUTE.plusSeconds(1);
    private static final int MANY = 100;

    @Test
    void a_good_lease_stays_with_its_worker() {
        running(worker());
        running(mortal(MINUTE));

        advance(MINUTE.minusSeconds(1));

        assertThat(store.claimExpired(worker(), MANY)).isEmpty();
    }

    @Test
    void the_lease_of_a_worker_not_heard_of_is_lost() {
        LeasedTask leased = running(mortal(MINUTE));

        advance(TOO_LONG);

        assertOverdue(leased, Reason.WORKER_LOST);
    }

    @Test
    void a_lease_past_its_time_to_run_is_overrun() {
        LeasedTask leased = running(worker(), task().timeout(MINUTE));

        advance(TOO_LONG);
        showAlive(leased);

        assertOverdue(leased, Reason.TIME_EXCEEDED);
    }

    @Test
    void while_a_worker_is_silent_nothing_is_decided_about_its_overrun_tasks() {
        LeasedTask simple = running(worker(), task());
        LeasedTask own = running(worker(), task().timeout(MINUTE));
        showAlive(simple);
        showAlive(own);

        advance(TopicPolicy.DEFAULT.timeout().plusSeconds(1));
        assertThat(store.claimExpired(worker(), MANY)).isEmpty();

        showAlive(own);
        assertOverdue(own, Reason.TIME_EXCEEDED);
        showAlive(simple);
        assertOverdue(simple, Reason.TIME_EXCEEDED);
    }

    @Test
    void an_overrun_task_whose_worker_stays_silent_is_lost_with_it() {
        LeasedTask leased = running(mortal(MINUTE.multipliedBy(5)), task().timeout(MINUTE));

        advance(TOO_LONG);
        assertThat(store.claimExpired(worker(), MANY)).isEmpty();

        advance(MINUTE.multipliedBy(4));
        assertOverdue(leased, Reason.WORKER_LOST);
    }

    @Test
    void who_is_dead_did_not_work_too_long() {
        LeasedTask leased = running(mortal(MINUTE), task().timeout(MINUTE));

        advance(TOO_LONG);

        assertOverdue(leased, Reason.WORKER_LOST);
    }

    @Test
    void the_leases_of_a_worker_that_left_are_given_up_at_once() {
        LeasedTask leased = running(worker());

        store.workers().leave(leased.lease().worker());

        assertOverdue(leased, Reason.GIVEN_UP);
    }

    @Test
    void a_lease_that_its_worker_does_not_know_of_is_given_up_after_a_grace() {
        UUID worker = worker();
        LeasedTask known = running(worker);
        LeasedTask unknown = running(worker);
        Heartbeat heartbeat = new Heartbeat(worker, Set.of(known.task().id()), MINUTE, List.of());

        assertThat(store.workers().renew(heartbeat).givenUp()).isZero();
        assertThat(store.claimExpired(worker(), MANY)).as("within the grace").isEmpty();

        advance(TOO_LONG);
        assertThat(store.workers().renew(heartbeat).givenUp()).isEqualTo(1);
        OverdueLease overdue = onlyOne(store.claimExpired(worker(), MANY));
        assertThat(overdue.leased().task().id()).isEqualTo(unknown.task().id());
        assertThat(overdue.reason()).isEqualTo(Reason.NOT_STARTED);
        succeed(known);
    }

    @Test
    void where_time_counts_from_the_start_a_lease_has_no_end_before_it() {
        UUID worker = worker();
        UUID id = add(task().timeout(MINUTE));
        LeasedTask leased = claimForStart(worker, TOPIC);

        assertThat(leased.timeToRun()).isEqualTo(MINUTE);
        assertThat(hold(leased.task()).until()).isNull();
        assertThat(hold(read(id)).until()).isNull();
        advance(Duration.ofHours(2));
        showAlive(leased);
        assertThat(store.claimExpired(worker(), MANY)).isEmpty();
        succeed(leased);
    }

    @Test
    void the_time_to_run_begins_when_the_worker_names_the_task() {
        UUID worker = worker();
        for (NewTask.Builder task : List.of(task(), task(OTHER).timeout(MINUTE))) {
            UUID id = add(task);
            LeasedTask leased = claimForStart(worker, read(id).topic());
            advance(MINUTE.multipliedBy(2));

            start(worker, id);

            assertThat(hold(read(id)).until()).isEqualTo(now().plus(leased.timeToRun()));
            advance(MINUTE.dividedBy(2));
            start(worker, id);
            assertThat(hold(read(id)).until())
                    .as("named again")
                    .isEqualTo(now().minus(MINUTE.dividedBy(2)).plus(leased.timeToRun()));
            advance(leased.timeToRun());
            showAlive(leased);
            OverdueLease overdue = onlyOne(store.claimExpired(worker(), MANY));
            assertThat(overdue.reason()).isEqualTo(Reason.TIME_EXCEEDED);
            apply(Reports.end(overdue.leased().lease(), TaskState.TIMED_OUT, Reports.KEPT));
        }
    }

    @Test
    void a_report_starts_a_task_too() {
        UUID worker = worker();
        UUID id = add(task().timeout(MINUTE));
        LeasedTask leased = claimForStart(worker, TOPIC);
        advance(MINUTE);

        report(leased, 10);

        assertThat(hold(read(id)).until()).isEqualTo(now().plus(MINUTE));
    }

    @Test
    void a_worker_starts_only_what_it_holds() {
        UUID id = add(task().timeout(MINUTE));
        claimForStart(worker(), TOPIC);

        start(worker(), id, UUID.randomUUID());

        assertThat(hold(read(id)).until()).isNull();
    }

    @Test
    void to_name_a_task_whose_time_counts_from_the_claim_does_not_prolong_it() {
        LeasedTask leased = running(worker(), task().timeout(MINUTE));
        advance(MINUTE.dividedBy(2));

        start(leased.lease().worker(), leased.task().id());

        assertThat(hold(read(leased.task().id())).until()).isEqualTo(now().plus(MINUTE.dividedBy(2)));
    }

    @Test
    void what_its_worker_left_before_the_start_was_not_started() {
        UUID worker = worker();
        add();
        LeasedTask leased = claimForStart(worker, TOPIC);

        store.workers().leave(worker);

        assertOverdue(leased, Reason.NOT_STARTED);
    }

    @Test
    void what_its_worker_left_after_the_start_was_started() {
        UUID worker = worker();
        UUID id = add();
        claimForStart(worker, TOPIC);
        start(worker, id);

        store.workers().leave(worker);

        assertThat(onlyOne(store.claimExpired(worker(), MANY)).reason()).isEqualTo(Reason.GIVEN_UP);
    }

    @Test
    void what_was_lost_before_the_start_may_have_been_started() {
        UUID worker = mortal(MINUTE);
        add();
        LeasedTask leased = claimForStart(worker, TOPIC);

        advance(TOO_LONG);

        assertOverdue(leased, Reason.WORKER_LOST);
    }

    @Test
    void a_lease_of_which_its_worker_has_spoken_was_started() {
        UUID worker = worker();
        LeasedTask leased = running(worker);
        report(leased, 10);
        advance(TOO_LONG);

        store.workers().renew(new Heartbeat(worker, Set.of(), MINUTE, List.of()));

        assertThat(onlyOne(store.claimExpired(worker(), MANY)).reason()).isEqualTo(Reason.GIVEN_UP);
    }

    @Test
    void a_heartbeat_that_says_nothing_of_leases_gives_none_up() {
        UUID worker = worker();
        running(worker);
        advance(TOO_LONG);

        store.workers().renew(Heartbeat.of(worker));

        assertThat(store.claimExpired(worker(), MANY)).isEmpty();
    }

    @Test
    void the_reapers_lease_ends_the_attempt_of_the_worker_that_was_lost() {
        UUID lost = mortal(MINUTE);
        Instant start = now();
        LeasedTask leased = running(lost);
        UUID reaper = worker();
        advance(TOO_LONG);
        OverdueLease overdue = onlyOne(store.claimExpired(reaper, MANY));
        assertThat(overdue.leased().lease().worker()).isEqualTo(reaper);

        CompletionResult result = complete(Reports.requeue(overdue.leased().lease(), Next.Reason.LOSS, Duration.ZERO));

        Task task = read(leased.task().id());
        assertThat(result.state()).isEqualTo(TaskState.READY);
        assertThat(task.tally()).isEqualTo(new Task.Tally(1, 0, 1, 0));
        assertThat(task.attempts()).containsExactly(new Attempt(1, lost, start, now(), Outcome.LOST, Reports.ERROR));
        assertThat(claimOne(reaper, from(task.topic())).lease().attempt()).isEqualTo(2);
    }

    @Test
    void the_reapers_lease_fences_the_one_it_took() {
        LeasedTask leased = running(worker(), task().timeout(MINUTE));
        advance(TOO_LONG);
        showAlive(leased);
        OverdueLease overdue = onlyOne(store.claimExpired(worker(), MANY));

        assertThat(overdue.leased().lease().token()).isNotEqualTo(leased.lease().token());
        assertThat(complete(Reports.success(leased.lease()))).isEqualTo(CompletionResult.LEASE_LOST);
        assertThat(report(new Heartbeat.Report(leased.lease(), 50, null, MINUTE)))
                .isFalse();
        assertThat(store.workers()
                        .renew(new Heartbeat(
                                leased.lease().worker(), Set.of(leased.task().id()), MINUTE, List.of()))
                        .lost())
                .containsExactly(leased.task().id());
        apply(Reports.end(overdue.leased().lease(), TaskState.TIMED_OUT, Reports.KEPT));
    }

    @Test
    void a_lease_is_handed_to_one_reaper_only() {
        running(mortal(MINUTE));
        advance(TOO_LONG);

        assertThat(store.claimExpired(worker(), MANY)).hasSize(1);
        assertThat(store.claimExpired(worker(), MANY)).isEmpty();
    }

    @Test
    void a_task_in_a_reapers_hands_is_not_handed_to_workers() {
        running(mortal(MINUTE), task());
        advance(TOO_LONG);
        store.claimExpired(worker(), MANY);

        assertThat(claim(worker(), 1).tasks()).isEmpty();
    }

    @Test
    void the_leases_of_a_dead_reaper_come_up_again() {
        LeasedTask lost = running(mortal(MINUTE));
        LeasedTask overrun = running(worker(), task().timeout(MINUTE));
        UUID reaper = mortal(MINUTE.multipliedBy(5));
        advance(TOO_LONG);
        showAlive(overrun);
        assertThat(store.claimExpired(reaper, MANY)).hasSize(2);

        advance(MINUTE.multipliedBy(6));

        List<OverdueLease> again = store.claimExpired(worker(), MANY);
        assertThat(again)
                .extracting(overdue -> overdue.leased().task().id())
                .containsExactlyInAnyOrder(lost.task().id(), overrun.task().id());
        again.forEach(overdue -> apply(Reports.requeue(overdue.leased().lease(), Next.Reason.LOSS, Duration.ZERO)));
    }

    @Test
    void no_more_leases_are_handed_out_than_asked_for() {
        UUID worker = mortal(MINUTE);
        for (int i = 0; i < 5; i++) {
            running(worker);
        }
        advance(TOO_LONG);
        UUID reaper = worker();

        assertThat(store.claimExpired(reaper, 2)).hasSize(2);
        assertThat(store.claimExpired(reaper, 2)).hasSize(2);
        assertThat(store.claimExpired(reaper, 2)).hasSize(1);
    }

    @Test
    void an_extension_moves_the_end_of_the_time_to_run() {
        LeasedTask leased = running(worker(), task().timeout(MINUTE));
        advance(Duration.ofSeconds(30));

        assertThat(report(new Heartbeat.Report(leased.lease(), null, null, MINUTE)))
                .isTrue();

        assertThat(hold(read(leased.task().id())).until()).isEqualTo(now().plus(MINUTE));
        advance(Duration.ofSeconds(31));
        showAlive(leased);
        assertThat(store.claimExpired(worker(), MANY)).isEmpty();
        advance(MINUTE);
        showAlive(leased);
        assertThat(store.claimExpired(worker(), MANY)).hasSize(1);
    }

    @Test
    void an_extension_can_bring_the_end_nearer() {
        LeasedTask leased = running(worker());

        report(new Heartbeat.Report(leased.lease(), null, null, MINUTE));

        advance(TOO_LONG);
        showAlive(leased);
        assertThat(store.claimExpired(worker(), MANY)).hasSize(1);
    }

    @Test
    void reapers_at_the_same_time_share_no_lease() {
        UUID worker = mortal(MINUTE);
        for (int i = 0; i < 40; i++) {
            running(worker);
        }
        advance(TOO_LONG);

        List<UUID> handed = new ArrayList<>();
        Together.run(4, number -> () -> store.claimExpired(worker(), 20))
                .forEach(leases -> leases.forEach(
                        overdue -> handed.add(overdue.leased().task().id())));

        assertThat(handed).hasSize(40).doesNotHaveDuplicates();
    }

    /** The task comes with the hold that it had, under a lease of the reaper's. */
    private void assertOverdue(LeasedTask leased, Reason reason) {
        OverdueLease overdue = onlyOne(store.claimExpired(worker(), MANY));

        assertThat(overdue.reason()).isEqualTo(reason);
        assertThat(overdue.leased().task().id()).isEqualTo(leased.task().id());
        assertThat(overdue.leased().task().state()).isEqualTo(TaskState.RUNNING);
        assertThat(overdue.leased().task().hold()).isEqualTo(leased.task().hold());
    }
}
