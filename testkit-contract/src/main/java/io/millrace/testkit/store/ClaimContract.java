package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.WorkerStanding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** What a worker gets, and that nobody else gets the same. */
abstract class ClaimContract extends StoreGroup {
    @Test
    void a_claimed_task_runs_under_a_lease() {
        UUID worker = worker();
        UUID id = add();

        LeasedTask leased = claimOne(worker);

        Task.Hold hold = new Task.Hold(worker, now(), now().plus(TopicPolicy.DEFAULT_TIMEOUT), false);
        assertThat(leased.task().state()).isEqualTo(TaskState.RUNNING);
        assertThat(leased.task().hold()).isEqualTo(hold);
        assertThat(leased.task().tally()).isEqualTo(new Task.Tally(1, 0, 0, 0));
        assertThat(leased.lease().task()).isEqualTo(id);
        assertThat(leased.lease().worker()).isEqualTo(worker);
        assertThat(leased.lease().attempt()).isEqualTo(1);
        assertThat(read(id)).isEqualTo(leased.task());
    }

    @Test
    void a_task_comes_with_all_it_was_given() {
        UUID id = add(task().entityId("entity").scope("a", "b").priority(3));
        Task before = read(id);

        assertThat(claimOne(worker()).task().given()).isEqualTo(before.given());
    }

    @Test
    void each_task_goes_to_one_worker_only() {
        add();
        claimOne(worker());

        assertThat(claim(worker(), 1).tasks()).isEmpty();
    }

    @Test
    void two_requests_of_one_call_share_no_task() {
        List<UUID> ids = addSome(3);
        UUID first = worker();
        UUID second = worker();

        List<ClaimResult> results = store.claim(List.of(
                new ClaimRequest(first, List.of(from(TOPIC)), 2), new ClaimRequest(second, List.of(from(TOPIC)), 2)));

        assertThat(results).hasSize(2);
        assertThat(ids(results.get(0))).containsExactly(ids.get(0), ids.get(1));
        assertThat(ids(results.get(1))).containsExactly(ids.get(2));
        assertThat(hold(read(ids.get(2))).worker()).isEqualTo(second);
    }

    @Test
    void only_the_topics_asked_for_are_looked_at() {
        add();

        assertThat(claim(worker(), 1, from(OTHER)).tasks()).isEmpty();
        assertThat(claim(worker(), 1).tasks()).hasSize(1);
    }

    @Test
    void the_tasks_own_time_to_run_comes_before_the_policys() {
        TopicPolicy policy = TopicPolicy.builder().timeout(MINUTE).build();
        add();
        add(task().timeout(Duration.ofSeconds(5)));

        List<LeasedTask> leased = claim(worker(), 2, from(TOPIC, policy)).tasks();

        assertThat(hold(leased.get(0).task()).until()).isEqualTo(now().plus(MINUTE));
        assertThat(hold(leased.get(1).task()).until()).isEqualTo(now().plusSeconds(5));
    }

    @Test
    void attempts_count_up_and_tokens_are_never_the_same() {
        UUID worker = worker();
        add();
        Set<String> tokens = ConcurrentHashMap.newKeySet();

        for (int number = 1; number <= 4; number++) {
            LeasedTask leased = claimOne(worker);
            assertThat(leased.lease().attempt()).isEqualTo(number);
            assertThat(leased.task().tally().attempts()).isEqualTo(number);
            assertThat(tokens.add(leased.lease().token())).isTrue();
            apply(Reports.requeue(leased.lease(), Next.Reason.RELEASE, Duration.ZERO));
        }
    }

    @Test
    void a_scheduled_task_is_not_handed_out_before_it_is_due() {
        UUID id = add(task().delay(MINUTE));
        UUID worker = worker();

        advance(MINUTE.minusMillis(1));
        assertThat(claim(worker, 1).tasks()).isEmpty();

        advance(Duration.ofMillis(1));
        assertThat(ids(claim(worker, 1))).containsExactly(id);
    }

    @Test
    void next_due_is_when_the_first_scheduled_task_is() {
        add(task().delay(MINUTE.multipliedBy(3)));
        add(task(OTHER).delay(MINUTE.multipliedBy(2)));
        add(task("not-asked-for").delay(MINUTE));

        ClaimResult result = claim(worker(), 1, from(TOPIC), from(OTHER));

        assertThat(result.nextDue()).isEqualTo(now().plus(MINUTE.multipliedBy(2)));
    }

    @Test
    void next_due_is_unknown_when_time_alone_brings_nothing() {
        add(task().waitFor(1));
        running(worker(), task());

        assertThat(claim(worker(), 1).nextDue()).isNull();
    }

    @Test
    void next_due_of_a_retry_is_when_its_delay_is_over() {
        UUID worker = worker();
        apply(Reports.requeue(running(worker, task()).lease(), Next.Reason.RETRY, MINUTE));

        assertThat(claim(worker, 1).nextDue()).isEqualTo(now().plus(MINUTE));
    }

    @Test
    void an_unknown_worker_gets_nothing() {
        add();

        assertRefused(UUID.randomUUID(), WorkerStanding.UNKNOWN);
    }

    @Test
    void an_expired_worker_gets_nothing() {
        add();
        UUID worker = mortal(MINUTE);

        advance(MINUTE.plusSeconds(1));

        assertRefused(worker, WorkerStanding.EXPIRED);
        assertRefused(worker, WorkerStanding.EXPIRED);
    }

    @Test
    void a_worker_that_was_asked_to_stop_gets_nothing() {
        add();
        UUID worker = worker();
        store.workers().requestStop(worker);

        assertRefused(worker, WorkerStanding.STOPPING);
    }

    @Test
    void a_worker_that_left_gets_nothing() {
        add();
        UUID worker = worker();
        store.workers().leave(worker);

        assertThat(claim(worker, 1).tasks()).isEmpty();
        assertThat(claim(worker, 1).worker().isAlive()).isFalse();
    }

    @Test
    void a_refused_worker_does_not_hurt_the_others_of_the_call() {
        UUID id = add();

        List<ClaimResult> results = store.claim(List.of(
                new ClaimRequest(UUID.randomUUID(), List.of(from(TOPIC)), 1),
                new ClaimRequest(worker(), List.of(from(TOPIC)), 1)));

        assertThat(results.get(0).tasks()).isEmpty();
        assertThat(ids(results.get(1))).containsExactly(id);
    }

    /** Producers and consumers at the same time; every task is to be handed out exactly once. */
    @Test
    void under_load_no_task_is_claimed_twice_and_none_is_lost() {
        int threads = 4;
        int each = 200;
        List<UUID> added = new ArrayList<>();
        Set<UUID> claimed = ConcurrentHashMap.newKeySet();

        Together.run(threads, number -> () -> {
                    List<UUID> own = new ArrayList<>();
                    UUID worker = worker();
                    while (own.size() < each) {
                        own.addAll(addSome(5));
                        takeAndFinish(worker, 3, claimed);
                    }
                    return own;
                })
                .forEach(added::addAll);
        takeAndFinish(worker(), ALL_OF_THEM, claimed);

        assertThat(claimed).containsExactlyInAnyOrderElementsOf(added);
        assertThat(listed(TaskQuery.ALL.state(TaskState.SUCCEEDED))).hasSize(threads * each);
    }

    private void takeAndFinish(UUID worker, int max, Set<UUID> claimed) {
        for (LeasedTask leased : claim(worker, max).tasks()) {
            assertThat(claimed.add(leased.task().id()))
                    .as("%s is new", leased.task())
                    .isTrue();
            succeed(leased);
        }
    }

    private void assertRefused(UUID worker, WorkerStanding standing) {
        assertThat(claim(worker, 1)).isEqualTo(ClaimResult.refused(standing));
    }
}
