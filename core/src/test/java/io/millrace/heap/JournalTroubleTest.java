package io.millrace.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.Retention;
import io.millrace.StoreUnavailableException;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.internal.engine.HandClock;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.Completion;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.Records;
import io.millrace.spi.WorkerRegistry.Introduction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A step cannot be written for a while: what it had to say goes with the next one. */
class JournalTroubleTest {
    private final HandClock clock = new HandClock();
    private final StepsInMemory steps = new StepsInMemory();
    private final HeapStore store = new HeapRestore(steps, clock, Long.MAX_VALUE).finish();

    private HeapStore restored() {
        return steps.restored(clock, Long.MAX_VALUE);
    }

    /** Compares all that can be seen of the store with what the journal has. */
    private void checkRestored() {
        HeapStore other = restored();
        assertThat(other.list(TaskQuery.ALL, null, 100).items())
                .isEqualTo(store.list(TaskQuery.ALL, null, 100).items());
        assertThat(other.records().list("")).isEqualTo(store.records().list(""));
        assertThat(other.workers().list()).hasSameSizeAs(store.workers().list());
        assertThat(other.liveBytes().values().stream().mapToLong(any -> any).sum())
                .isEqualTo(store.liveBytes().values().stream()
                        .mapToLong(any -> any)
                        .sum());
    }

    private static NewTask task() {
        return NewTask.builder("t").payload(Payload.json("1")).build();
    }

    private static void refused(Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(StoreUnavailableException.class);
    }

    private LeasedTask claim(UUID worker) {
        ClaimRequest.FromTopic from = new ClaimRequest.FromTopic("t", 1, TopicPolicy.DEFAULT);
        return store.claim(List.of(new ClaimRequest(worker, List.of(from), 1)))
                .get(0)
                .tasks()
                .get(0);
    }

    private static Completion failed(LeasedTask leased, String error) {
        Next again = new Next.Requeue(Duration.ZERO, Next.Reason.RETRY);
        return new Completion(leased.lease(), Outcome.FAILED, error, again, again);
    }

    @Test
    void what_a_failed_step_had_to_say_is_said_by_the_next() {
        steps.fails = true;
        refused(() -> store.enqueue(List.of(EnqueueRequest.of(task()))));
        UUID worker = store.workers().register(new Introduction("w", "h", Set.of("t")), Duration.ofMinutes(1));
        refused(() -> store.records().put("key", "value", Records.ABSENT));
        assertThat(store.count(TaskQuery.ALL)).hasSize(1);
        steps.fails = false;

        store.enqueue(List.of(EnqueueRequest.of(task())));

        assertThat(store.workers().list()).extracting(known -> known.id()).containsExactly(worker);
        checkRestored();
    }

    @Test
    void two_attempts_that_ended_meanwhile_are_both_kept() {
        store.enqueue(List.of(EnqueueRequest.of(task())));
        UUID worker = store.workers().register(new Introduction("w", "h", Set.of("t")), Duration.ofMinutes(1));
        LeasedTask first = claim(worker);
        steps.fails = true;
        refused(() -> store.complete(List.of(failed(first, "one"))));
        steps.fails = false;
        LeasedTask second = claim(worker);

        store.complete(List.of(failed(second, "two")));

        assertThat(restored().list(TaskQuery.ALL, null, 10).items().get(0).attempts())
                .extracting(attempt -> attempt.error())
                .containsExactly("one", "two");
        checkRestored();
    }

    @Test
    void what_was_made_and_removed_meanwhile_never_was() {
        NewTask brief = NewTask.builder("t")
                .retention(new Retention(Duration.ZERO, Duration.ZERO))
                .build();
        UUID worker = store.workers().register(new Introduction("w", "h", Set.of("t")), Duration.ofMinutes(1));
        steps.fails = true;
        refused(() -> store.enqueue(List.of(EnqueueRequest.of(brief))));
        refused(() -> claim(worker));
        steps.fails = false;
        store.enqueue(List.of(EnqueueRequest.of(task())));
        steps.fails = true;
        refused(() -> claim(worker));
        steps.fails = false;
        store.enqueue(List.of(EnqueueRequest.of(task())));

        checkRestored();
        assertThat(store.count(TaskQuery.ALL.state(TaskState.RUNNING)).get(0).count())
                .isEqualTo(2);
    }

    @Test
    void a_store_that_holds_as_much_as_it_may_takes_nothing_but_what_it_has() {
        HeapStore small = new HeapRestore(new StepsInMemory(), clock, 10_000).finish();
        NewTask first = task();
        small.enqueue(List.of(EnqueueRequest.of(first)));
        NewTask large =
                NewTask.builder("t").payload(Payload.bytes(new byte[10_000])).build();

        List<EnqueueResult> results = small.enqueue(List.of(
                EnqueueRequest.of(large), new EnqueueRequest(List.of(first), Map.of()), EnqueueRequest.of(task())));

        assertThat(results.get(0))
                .isInstanceOfSatisfying(
                        EnqueueResult.StoreFull.class,
                        full -> assertThat(full.why()).contains("of 10000 bytes"));
        assertThat(results.get(1)).isInstanceOf(EnqueueResult.Stored.class);
        assertThat(results.get(2)).isInstanceOf(EnqueueResult.Stored.class);
        assertThat(small.count(TaskQuery.ALL).get(0).count()).isEqualTo(2);
    }

    @Test
    void memory_is_free_again_when_tasks_are_gone() {
        HeapStore small = new HeapRestore(new StepsInMemory(), clock, 5_000).finish();
        UUID worker = small.workers().register(new Introduction("w", "h", Set.of("t")), Duration.ofMinutes(1));
        for (int i = 0; i < 100; i++) {
            NewTask brief =
                    NewTask.builder("t").payload(Payload.bytes(new byte[4_000])).build();
            assertThat(small.enqueue(List.of(EnqueueRequest.of(brief))).get(0))
                    .isInstanceOf(EnqueueResult.Stored.class);
            ClaimRequest.FromTopic from = new ClaimRequest.FromTopic("t", 1, TopicPolicy.DEFAULT);
            LeasedTask leased = small.claim(List.of(new ClaimRequest(worker, List.of(from), 1)))
                    .get(0)
                    .tasks()
                    .get(0);
            Next gone = Next.Finish.as(TaskState.SUCCEEDED, Duration.ZERO);
            small.complete(List.of(new Completion(leased.lease(), Outcome.SUCCEEDED, null, gone, gone)));
        }
        assertThat(small.table().weight()).isZero();
    }
}
