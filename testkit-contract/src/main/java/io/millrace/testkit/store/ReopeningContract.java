package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Payload;
import io.millrace.Rate;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.Worker;
import io.millrace.spi.Change;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.OverdueLease;
import io.millrace.spi.Records;
import io.millrace.spi.Selection;
import io.millrace.spi.WorkerRegistry.Introduction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What was there when a store was closed is there when it is opened again. */
abstract class ReopeningContract extends StoreGroup {
    @Override
    abstract DurableStoreFixture newFixture();

    private void reopen() {
        ((DurableStoreFixture) fixture).reopen();
        store = fixture.store();
    }

    @Test
    void tasks_in_every_state_are_as_they_were() {
        UUID worker = worker();
        apply(Reports.success(running(worker).lease(), Payload.json("1")));
        apply(Reports.failure(running(worker).lease()));
        apply(Reports.requeue(running(worker).lease(), Next.Reason.RETRY, MINUTE));
        LeasedTask running = running(worker);
        report(running, 30);
        change(new Change.Cancel(Map.of()), running.task().id(), add());
        add(task().delay(MINUTE).priority(-3).scope("a", "b").entityId("e"));
        add(task().waitFor(3).deadline(MINUTE));
        List<Task> before = StoreInvariants.scan(store, TaskQuery.ALL);
        List<TaskCount> counts = store.count(TaskQuery.ALL);

        reopen();

        assertThat(StoreInvariants.scan(store, TaskQuery.ALL)).containsExactlyElementsOf(before);
        assertThat(store.count(TaskQuery.ALL)).containsExactlyInAnyOrderElementsOf(counts);
    }

    @Test
    void what_was_deleted_stays_deleted() {
        UUID id = add(task().uniqueKey("key"));
        change(new Change.Delete(), id);

        reopen();

        assertThat(find(id)).isEmpty();
        add(task().id(id).uniqueKey("key"));
    }

    @Test
    void tasks_come_in_the_order_they_had() {
        List<UUID> ids = addSome(5);
        UUID urgent = add(task().priority(1));

        reopen();

        UUID last = add();
        assertThat(ids(claim(worker(), 10)))
                .startsWith(urgent)
                .containsSubsequence(ids)
                .endsWith(last);
    }

    @Test
    void leases_stay_good() {
        UUID worker = worker();
        LeasedTask leased = running(worker, task());

        reopen();

        assertThat(claim(worker, 1).tasks()).isEmpty();
        succeed(leased);
    }

    @Test
    void a_lease_is_never_given_twice() {
        UUID worker = worker();
        UUID id = add();
        LeasedTask before = claimOne(worker);
        apply(Reports.requeue(before.lease(), Next.Reason.RELEASE, Duration.ZERO));

        reopen();

        LeasedTask after = claimOne(worker);
        assertThat(after.task().id()).isEqualTo(id);
        assertThat(after.lease().attempt()).isEqualTo(2);
        assertThat(after.lease().token()).isNotEqualTo(before.lease().token());
    }

    @Test
    void a_report_applied_before_is_repeated_after() {
        Completion report = Reports.success(running(worker()).lease());
        apply(report);

        reopen();

        assertThat(complete(report)).isEqualTo(CompletionResult.REPEATED);
    }

    @Test
    void leases_of_workers_not_heard_of_are_lost() {
        LeasedTask leased = running(mortal(MINUTE));

        reopen();
        advance(MINUTE.plusSeconds(1));

        OverdueLease overdue = onlyOne(store.claimExpired(worker(), 10));
        assertThat(overdue.leased().task().id()).isEqualTo(leased.task().id());
        assertThat(overdue.reason()).isEqualTo(OverdueLease.Reason.WORKER_LOST);
    }

    @Test
    void an_overrun_task_whose_worker_was_not_heard_of_since_is_no_timeout() {
        LeasedTask leased = running(mortal(MINUTE.multipliedBy(5)), task().timeout(MINUTE));

        advance(MINUTE.multipliedBy(2));
        reopen();
        assertThat(store.claimExpired(worker(), 10)).isEmpty();

        advance(MINUTE.multipliedBy(5));
        OverdueLease overdue = onlyOne(store.claimExpired(worker(), 10));
        assertThat(overdue.leased().task().id()).isEqualTo(leased.task().id());
        assertThat(overdue.reason()).isEqualTo(OverdueLease.Reason.WORKER_LOST);
    }

    @Test
    void scheduled_tasks_come_due() {
        UUID id = add(task().delay(MINUTE));

        reopen();

        assertThat(claim(worker(), 1).nextDue()).isEqualTo(now().plus(MINUTE));
        advance(MINUTE);
        assertThat(ids(claim(worker(), 1))).containsExactly(id);
    }

    @Test
    void arrivals_add_up() {
        UUID waiting = add(task().waitFor(2));
        apply(Reports.arriving(running(worker()).lease(), waiting));

        reopen();

        assertThat(complete(Reports.arriving(running(worker()).lease(), waiting))
                        .released())
                .containsExactly(waiting);
    }

    @Test
    void keys_stay_held_and_topics_stay_full() {
        UUID holder = add(task().uniqueKey("key"));

        reopen();

        assertThat(enqueue(EnqueueRequest.of(task().uniqueKey("key").build())))
                .isEqualTo(new EnqueueResult.Stored(List.of(new EnqueueResult.Item(holder, true))));
        assertThat(enqueue(new EnqueueRequest(List.of(task().build()), Map.of(TOPIC, 1))))
                .isInstanceOf(EnqueueResult.Full.class);
    }

    @Test
    void workers_are_as_they_were() {
        UUID first = store.workers().register(new Introduction("name", "host", Set.of(TOPIC)), FOREVER);
        UUID second = worker();
        running(first);
        store.workers().requestStop(second);
        store.workers().leave(worker());
        List<Worker> before = store.workers().list();

        reopen();

        assertThat(store.workers().list()).containsExactlyInAnyOrderElementsOf(before);
    }

    @Test
    void records_and_their_versions_go_on() {
        store.records().put("kept", "value", Records.ABSENT);
        store.records().put("removed", "value", Records.ABSENT);
        Records.Entry kept = store.records().get("kept").orElseThrow();
        Records.Entry removed = store.records().get("removed").orElseThrow();
        store.records().remove("removed", removed.version());

        reopen();

        assertThat(store.records().list("")).containsExactly(kept);
        store.records().put("removed", "value", Records.ABSENT);
        assertThat(store.records().get("removed").orElseThrow().version()).isNotEqualTo(removed.version());
    }

    @Test
    void a_rate_is_kept() {
        TopicPolicy policy = TopicPolicy.builder().rate(new Rate(2, MINUTE)).build();
        addSome(5);
        assertThat(claim(worker(), 5, from(TOPIC, policy)).tasks()).hasSize(2);

        reopen();

        assertThat(claim(worker(), 5, from(TOPIC, policy)).tasks()).isEmpty();
    }

    @Test
    void what_is_past_its_retention_is_still_to_be_deleted() {
        UUID id = finished(task());

        reopen();
        advance(Reports.KEPT.plusSeconds(1));

        assertThat(read(id).state()).isEqualTo(TaskState.SUCCEEDED);
        assertThat(store.change(new Selection.PastRetention(), new Change.Delete(), 10)
                        .changed())
                .isEqualTo(1);
    }

    @Test
    void a_store_can_be_opened_again_and_again() {
        for (int i = 1; i <= 3; i++) {
            add();
            reopen();
            assertThat(listed(TaskQuery.ALL)).hasSize(i);
        }
    }
}
