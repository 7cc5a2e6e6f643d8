package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Progress;
import io.millrace.spi.Change;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a worker says of its tasks, and what it is told of them. */
abstract class HeartbeatContract extends StoreGroup {
    @Test
    void a_worker_is_told_which_tasks_it_has_lost() {
        UUID worker = worker();
        UUID held = running(worker).task().id();
        LeasedTask ended = running(worker);
        succeed(ended);
        UUID others = running(worker()).task().id();
        UUID gone = UUID.randomUUID();

        Renewal renewal = store.workers()
                .renew(new Heartbeat(worker, Set.of(held, ended.task().id(), others, gone), MINUTE, List.of()));

        assertThat(renewal.lost()).containsExactlyInAnyOrder(ended.task().id(), others, gone);
    }

    @Test
    void a_worker_that_gave_a_task_up_is_told_that_it_has_lost_it() {
        UUID worker = worker();
        UUID task = running(worker).task().id();
        advance(MINUTE);
        store.workers().renew(new Heartbeat(worker, Set.of(), Duration.ZERO, List.of()));

        Renewal renewal = store.workers().renew(new Heartbeat(worker, Set.of(task), Duration.ZERO, List.of()));

        assertThat(renewal.lost()).containsExactly(task);
    }

    @Test
    void a_worker_is_told_which_tasks_are_to_stop() {
        UUID worker = worker();
        UUID cancelled = running(worker).task().id();
        running(worker);
        UUID others = running(worker()).task().id();
        change(new Change.Cancel(Map.of()), cancelled, others);

        assertThat(renew(worker).cancel()).containsExactly(cancelled);
        assertThat(renew(worker).cancel()).as("until it has ended").containsExactly(cancelled);
    }

    @Test
    void a_task_that_runs_again_is_not_told_to_stop() {
        UUID worker = worker();
        LeasedTask leased = running(worker, task());
        change(new Change.Cancel(Map.of()), leased.task().id());
        apply(Reports.failure(leased.lease()));
        change(new Change.Retry(), leased.task().id());

        assertThat(hold(claimOne(worker).task()).cancelRequested()).isFalse();
        assertThat(renew(worker).cancel()).isEmpty();
    }

    @Test
    void progress_is_kept() {
        LeasedTask leased = running(worker());
        advance(MINUTE);

        assertThat(report(new Heartbeat.Report(leased.lease(), 40, "four of ten", null)))
                .isTrue();

        assertThat(read(leased.task().id()).progress()).isEqualTo(new Progress(40, "four of ten", now()));
    }

    @Test
    void progress_of_a_stale_lease_is_not_kept() {
        UUID worker = worker();
        LeasedTask stale = running(worker, task().timeout(Duration.ofHours(2)));
        apply(Reports.requeue(stale.lease(), Next.Reason.RELEASE, Duration.ZERO));
        LeasedTask current = claimOne(worker);
        Lease wrong = new Lease(current.task().id(), 2, worker, "nonsense");
        report(current, 10);
        var before = read(current.task().id());

        assertThat(report(new Heartbeat.Report(stale.lease(), 90, "stale", MINUTE)))
                .isFalse();
        assertThat(report(new Heartbeat.Report(wrong, 90, "wrong", MINUTE))).isFalse();

        assertThat(read(current.task().id())).isEqualTo(before);
    }

    @Test
    void each_report_of_a_heartbeat_is_answered() {
        UUID worker = worker();
        LeasedTask first = running(worker);
        LeasedTask ended = running(worker);
        succeed(ended);
        LeasedTask second = running(worker);

        Renewal renewal = store.workers()
                .renew(new Heartbeat(
                        worker, null, MINUTE, List.of(progress(first), progress(ended), progress(second))));

        assertThat(renewal.applied()).containsExactly(true, false, true);
    }

    private static Heartbeat.Report progress(LeasedTask leased) {
        return new Heartbeat.Report(leased.lease(), 50, null, null);
    }

    private Renewal renew(UUID worker) {
        return store.workers().renew(Heartbeat.of(worker));
    }
}
