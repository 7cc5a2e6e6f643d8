package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.NewTask;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.CompletionResult.Status;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Of all reports for one attempt at most one is applied, and only from who holds the lease. */
abstract class FencingContract extends StoreGroup {
    @Test
    void a_wrong_token_changes_nothing() {
        Lease good = running(worker()).lease();

        assertLost(new Lease(good.task(), good.attempt(), good.worker(), good.token() + "x"));
        assertLost(new Lease(good.task(), good.attempt(), good.worker(), "nonsense"));
        assertLost(new Lease(good.task(), good.attempt(), good.worker(), ""));
    }

    @Test
    void a_wrong_attempt_changes_nothing() {
        Lease good = running(worker()).lease();

        assertLost(new Lease(good.task(), good.attempt() + 1, good.worker(), good.token()));
    }

    @Test
    void the_report_of_another_worker_changes_nothing() {
        Lease good = running(worker()).lease();

        assertLost(new Lease(good.task(), good.attempt(), worker(), good.token()));
    }

    @Test
    void the_lease_of_another_task_changes_nothing() {
        UUID worker = worker();
        Lease good = running(worker).lease();
        Lease other = running(worker).lease();

        assertLost(new Lease(good.task(), good.attempt(), worker, other.token()));
    }

    @Test
    void a_report_on_a_task_that_is_not_there_changes_nothing() {
        Lease good = running(worker()).lease();
        Lease stray = new Lease(UUID.randomUUID(), 1, good.worker(), good.token());

        assertThat(complete(Reports.success(stray))).isEqualTo(CompletionResult.LEASE_LOST);
    }

    @Test
    void a_stale_lease_changes_nothing() {
        UUID worker = worker();
        LeasedTask stale = running(worker, task());
        apply(Reports.requeue(stale.lease(), Next.Reason.RELEASE, Duration.ZERO));
        LeasedTask current = claimOne(worker);

        assertLost(stale.lease());
        succeed(current);
    }

    @Test
    void a_stale_report_spawns_nothing_and_arrives_nowhere() {
        UUID worker = worker();
        Lease lease = running(worker).lease();
        UUID waiting = add(task().waitFor(1));
        NewTask spawned = task().build();
        Lease wrong = new Lease(lease.task(), lease.attempt(), worker, "nonsense");

        complete(Reports.success(wrong, null, List.of(spawned), List.of(waiting)));

        assertThat(find(spawned.id())).isEmpty();
        assertThat(read(waiting).state()).isEqualTo(TaskState.WAITING);
    }

    @Test
    void an_expired_worker_can_report_nothing() {
        LeasedTask leased = running(mortal(MINUTE));

        advance(MINUTE.plusSeconds(1));

        assertLost(leased.lease());
    }

    @Test
    void a_worker_that_left_can_report_nothing() {
        UUID worker = worker();
        LeasedTask leased = running(worker);
        store.workers().leave(worker);

        assertLost(leased.lease());
    }

    @Test
    void a_worker_that_was_asked_to_stop_can_report_what_it_holds() {
        UUID worker = worker();
        LeasedTask leased = running(worker);
        store.workers().requestStop(worker);

        succeed(leased);
    }

    @Test
    void a_late_report_counts_as_long_as_the_lease_was_not_taken_away() {
        LeasedTask leased = running(worker(), task().timeout(MINUTE));

        advance(MINUTE.multipliedBy(2));

        succeed(leased);
    }

    @Test
    void a_report_after_the_reaper_took_the_lease_changes_nothing() {
        LeasedTask leased = running(worker(), task().timeout(MINUTE));
        advance(MINUTE.multipliedBy(2));
        showAlive(leased);
        assertThat(store.claimExpired(worker(), 10)).hasSize(1);

        assertLost(leased.lease());
    }

    @Test
    void a_report_on_a_lease_that_was_given_up_changes_nothing() {
        LeasedTask leased = running(worker());
        giveUp(leased);

        assertLost(leased.lease());
    }

    @Test
    void a_stale_report_does_not_hurt_its_neighbours() {
        UUID worker = worker();
        LeasedTask first = running(worker);
        LeasedTask second = running(worker);
        Lease stale = new Lease(UUID.randomUUID(), 1, worker, "nonsense");

        assertThat(store.complete(List.of(
                        Reports.success(first.lease()), Reports.success(stale), Reports.success(second.lease()))))
                .extracting(CompletionResult::status)
                .containsExactly(Status.APPLIED, Status.LEASE_LOST, Status.APPLIED);

        assertThat(listed(TaskQuery.ALL.state(TaskState.SUCCEEDED))).hasSize(2);
    }

    private void giveUp(LeasedTask leased) {
        advance(MINUTE);
        store.workers().renew(new Heartbeat(leased.lease().worker(), Set.of(), Duration.ZERO, List.of()));
    }

    private void assertLost(Lease lease) {
        Task before = read(lease.task());

        assertThat(complete(Reports.success(lease))).isEqualTo(CompletionResult.LEASE_LOST);

        assertThat(read(lease.task())).isEqualTo(before);
    }
}
