package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.NewTask;
import io.millrace.TaskState;
import io.millrace.spi.Change;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Fan-in: a task waits for arrivals, and the last one releases it, once. */
abstract class DependencyContract extends StoreGroup {
    @Test
    void the_last_arrival_releases_the_task() {
        UUID waiting = add(task().waitFor(3));

        assertThat(arrive(waiting).released()).isEmpty();
        assertThat(arrive(waiting).released()).isEmpty();
        assertThat(read(waiting).state()).isEqualTo(TaskState.WAITING);
        assertThat(read(waiting).tally().waitingFor()).isEqualTo(1);
        assertThat(arrive(waiting).released()).containsExactly(waiting);

        assertThat(read(waiting).state()).isEqualTo(TaskState.READY);
        assertThat(ids(claim(worker(), 1))).containsExactly(waiting);
    }

    @Test
    void a_task_is_released_only_once() {
        UUID waiting = add(task().waitFor(1));
        arrive(waiting);

        assertThat(arrive(waiting).released()).isEmpty();

        assertThat(ids(claim(worker(), 5))).containsExactly(waiting);
    }

    @Test
    void arrivals_in_one_call_count_one_by_one() {
        UUID waiting = add(task().waitFor(2));
        List<Completion> arrivals = Stream.generate(() -> Reports.arriving(leaseOfAnother(), waiting))
                .limit(3)
                .toList();

        List<CompletionResult> results = store.complete(arrivals);

        assertThat(results)
                .extracting(CompletionResult::released)
                .containsExactly(List.of(), List.of(waiting), List.of());
    }

    @Test
    void one_completion_can_arrive_at_several_tasks() {
        UUID first = add(task().waitFor(1));
        UUID second = add(task().waitFor(2));
        UUID third = add(task(OTHER).waitFor(1));

        CompletionResult result = complete(Reports.arriving(leaseOfAnother(), first, second, third));

        assertThat(result.released()).containsExactlyInAnyOrder(first, third);
        assertThat(read(second).tally().waitingFor()).isEqualTo(1);
    }

    @Test
    void an_arrival_at_a_task_that_is_not_there_is_passed_over() {
        UUID waiting = add(task().waitFor(1));

        CompletionResult result = complete(Reports.arriving(leaseOfAnother(), UUID.randomUUID(), waiting));

        assertThat(result).isEqualTo(CompletionResult.applied(TaskState.SUCCEEDED, List.of(waiting)));
    }

    @Test
    void an_arrival_at_a_task_that_does_not_wait_is_passed_over() {
        UUID ready = add();
        UUID running = running(worker(), task(OTHER)).task().id();
        UUID cancelled = add(task().waitFor(1));
        change(new Change.Cancel(Map.of()), cancelled);
        var before = store.get(List.of(ready, running, cancelled));

        CompletionResult result = complete(Reports.arriving(leaseOfAnother(), ready, running, cancelled));

        assertThat(result).isEqualTo(CompletionResult.applied(TaskState.SUCCEEDED, List.of()));
        assertThat(store.get(List.of(ready, running, cancelled))).containsExactlyInAnyOrderElementsOf(before);
    }

    @Test
    void a_repeated_completion_does_not_arrive_again() {
        UUID waiting = add(task().waitFor(2));
        Completion report = Reports.arriving(leaseOfAnother(), waiting);
        apply(report);

        assertThat(complete(report)).isEqualTo(CompletionResult.REPEATED);

        assertThat(read(waiting).tally().waitingFor()).isEqualTo(1);
    }

    @Test
    void a_task_released_before_its_time_is_scheduled() {
        UUID waiting = add(task().waitFor(1).delay(MINUTE.multipliedBy(2)));
        advance(MINUTE);

        assertThat(arrive(waiting).released()).containsExactly(waiting);

        assertThat(read(waiting).state()).isEqualTo(TaskState.SCHEDULED);
        assertThat(claim(worker(), 1).nextDue()).isEqualTo(now().plus(MINUTE));
        advance(MINUTE);
        assertThat(ids(claim(worker(), 1))).containsExactly(waiting);
    }

    @Test
    void a_task_released_after_its_time_is_ready() {
        UUID waiting = add(task().waitFor(1).delay(MINUTE));
        advance(MINUTE.multipliedBy(2));
        assertThat(read(waiting).state()).isEqualTo(TaskState.WAITING);

        arrive(waiting);

        assertThat(read(waiting).state()).isEqualTo(TaskState.READY);
    }

    @Test
    void a_requeue_does_not_arrive() {
        LeasedTask leased = running(worker());
        UUID waiting = add(task().waitFor(1));
        Completion report = Reports.arriving(leased.lease(), waiting);
        Completion requeue = Reports.requeue(leased.lease(), Next.Reason.RETRY, Duration.ZERO);

        apply(requeue);
        assertThat(complete(report)).isEqualTo(CompletionResult.LEASE_LOST);

        assertThat(read(waiting).state()).isEqualTo(TaskState.WAITING);
    }

    @Test
    void a_task_that_waited_once_does_not_wait_for_its_next_attempt() {
        UUID waiting = add(task().waitFor(1));
        arrive(waiting);
        UUID worker = worker();

        apply(Reports.requeue(claimOne(worker).lease(), Next.Reason.RETRY, Duration.ZERO));

        assertThat(ids(claim(worker, 1))).containsExactly(waiting);
    }

    @Test
    void a_spawned_task_can_be_arrived_at() {
        NewTask gatherer = task().waitFor(2).build();
        apply(Reports.spawning(leaseOfAnother(), gatherer));

        arrive(gatherer.id());

        assertThat(arrive(gatherer.id()).released()).containsExactly(gatherer.id());
    }

    @Test
    void of_arrivals_at_the_same_time_exactly_one_releases() {
        int arrivals = 4;
        for (int round = 0; round < 20; round++) {
            UUID waiting = add(task("round-" + round).waitFor(arrivals));
            List<Lease> leases =
                    Stream.generate(this::leaseOfAnother).limit(arrivals).toList();

            List<List<UUID>> released = Together.run(
                    arrivals,
                    number -> () -> complete(Reports.arriving(leases.get(number), waiting))
                            .released());

            assertThat(released.stream().flatMap(List::stream)).containsExactly(waiting);
            assertThat(read(waiting).state()).isEqualTo(TaskState.READY);
        }
    }

    private CompletionResult arrive(UUID waiting) {
        CompletionResult result = complete(Reports.arriving(leaseOfAnother(), waiting));
        assertThat(result.status()).isEqualTo(CompletionResult.Status.APPLIED);
        return result;
    }

    private Lease leaseOfAnother() {
        return running(worker()).lease();
    }
}
