package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.NewTask;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.spi.Change;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.CompletionResult.Status;
import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The same report again, its answer having been lost, is known for what it is. */
abstract class RepetitionContract extends StoreGroup {
    @Test
    void the_same_report_again_is_repeated_and_changes_nothing() {
        LeasedTask leased = running(worker());
        Completion report = Reports.success(leased.lease());
        apply(report);
        Task before = read(leased.task().id());
        advance(MINUTE);

        assertThat(complete(report)).isEqualTo(CompletionResult.REPEATED);

        assertThat(read(leased.task().id())).isEqualTo(before);
    }

    @Test
    void the_same_report_of_a_requeue_is_repeated_and_changes_nothing() {
        LeasedTask leased = running(worker());
        Completion report = Reports.requeue(leased.lease(), Next.Reason.RETRY, MINUTE);
        apply(report);
        Task before = read(leased.task().id());

        assertThat(complete(report)).isEqualTo(CompletionResult.REPEATED);

        assertThat(read(leased.task().id())).isEqualTo(before);
    }

    @Test
    void the_same_report_of_a_reaper_is_repeated_and_changes_nothing() {
        LeasedTask leased = running(worker(), task().timeout(MINUTE));
        advance(MINUTE.multipliedBy(2));
        showAlive(leased);
        Lease reapers = onlyOne(store.claimExpired(worker(), 10)).leased().lease();
        Completion report = Reports.end(reapers, TaskState.TIMED_OUT, Reports.KEPT);
        apply(report);
        Task before = read(leased.task().id());

        assertThat(complete(report)).isEqualTo(CompletionResult.REPEATED);

        assertThat(read(leased.task().id())).isEqualTo(before);
    }

    @Test
    void who_says_the_same_as_the_reaper_did_has_lost_its_lease_all_the_same() {
        LeasedTask leased = running(worker(), task().timeout(MINUTE));
        advance(MINUTE.multipliedBy(2));
        showAlive(leased);
        Lease reapers = onlyOne(store.claimExpired(worker(), 10)).leased().lease();
        apply(Reports.end(reapers, TaskState.TIMED_OUT, Reports.KEPT));

        assertThat(complete(Reports.end(leased.lease(), TaskState.TIMED_OUT, Reports.KEPT)))
                .isEqualTo(CompletionResult.LEASE_LOST);
    }

    @Test
    void the_report_of_another_worker_after_the_end_has_lost_its_lease() {
        UUID other = worker();
        LeasedTask simple = running(worker());
        LeasedTask retried = running(worker());
        apply(Reports.requeue(retried.lease(), Next.Reason.RETRY, MINUTE));
        LeasedTask told = running(worker());
        report(told, 10);
        succeed(simple);
        succeed(told);

        for (LeasedTask leased : List.of(simple, told, retried)) {
            Lease others = new Lease(
                    leased.task().id(),
                    leased.lease().attempt(),
                    other,
                    leased.lease().token());
            Completion report = leased.equals(retried)
                    ? Reports.requeue(others, Next.Reason.RETRY, MINUTE)
                    : Reports.success(others);
            assertThat(complete(report)).isEqualTo(CompletionResult.LEASE_LOST);
        }
    }

    @Test
    void another_report_for_the_same_attempt_has_lost_its_lease() {
        LeasedTask leased = running(worker());
        succeed(leased);
        Task before = read(leased.task().id());

        assertThat(complete(Reports.failure(leased.lease()))).isEqualTo(CompletionResult.LEASE_LOST);

        assertThat(read(leased.task().id())).isEqualTo(before);
    }

    @Test
    void a_repeated_report_spawns_nothing_again() {
        LeasedTask leased = running(worker());
        NewTask spawned = task().build();
        Completion report = Reports.spawning(leased.lease(), spawned);
        apply(report);
        change(new Change.Delete(), spawned.id());

        assertThat(complete(report)).isEqualTo(CompletionResult.REPEATED);

        assertThat(find(spawned.id())).isEmpty();
    }

    @Test
    void of_the_same_report_twice_in_a_call_the_first_is_applied() {
        Completion report = Reports.success(running(worker()).lease());

        assertThat(store.complete(List.of(report, report)))
                .extracting(CompletionResult::status)
                .containsExactly(Status.APPLIED, Status.REPEATED);
    }

    @Test
    void of_two_reports_for_one_lease_in_a_call_the_first_is_applied() {
        LeasedTask leased = running(worker());

        assertThat(store.complete(List.of(Reports.failure(leased.lease()), Reports.success(leased.lease()))))
                .extracting(CompletionResult::status)
                .containsExactly(Status.APPLIED, Status.LEASE_LOST);

        assertThat(read(leased.task().id()).state()).isEqualTo(TaskState.FAILED);
        assertThat(read(leased.task().id()).attempts()).hasSize(1);
    }

    @Test
    void of_many_reports_at_once_one_is_applied() {
        for (int i = 0; i < 20; i++) {
            LeasedTask leased = running(worker());

            List<Status> answers = Together.run(
                    4, number -> () -> complete(Reports.success(leased.lease())).status());

            assertThat(answers)
                    .containsExactlyInAnyOrder(Status.APPLIED, Status.REPEATED, Status.REPEATED, Status.REPEATED);
        }
    }
}
