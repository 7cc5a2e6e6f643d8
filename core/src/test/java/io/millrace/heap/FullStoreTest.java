package io.millrace.heap;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Attempt;
import io.millrace.Limits;
import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.internal.engine.HandClock;
import io.millrace.spi.Change;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.Selection;
import io.millrace.spi.WorkerRegistry.Introduction;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that holds as much memory as it may: reports go on, and none makes it grow. */
class FullStoreTest {
    private static final int LIMIT = 400_000;
    private static final int RESERVE = LIMIT / 8;
    private static final Duration DAY = Duration.ofDays(1);

    private final HandClock clock = new HandClock();
    private final StepsInMemory steps = new StepsInMemory();
    private final HeapStore store = new HeapRestore(steps, clock, LIMIT).finish();
    private final UUID worker = store.workers().register(new Introduction("w", "h", Set.of("t")), DAY);

    private void fill(int tasks) {
        for (int i = 0; i < tasks; i++) {
            assertThat(enqueue(1_000)).isInstanceOf(EnqueueResult.Stored.class);
        }
    }

    private EnqueueResult enqueue(int payload) {
        NewTask task =
                NewTask.builder("t").payload(Payload.bytes(new byte[payload])).build();
        return store.enqueue(List.of(EnqueueRequest.of(task))).get(0);
    }

    private void fillUp() {
        while (enqueue(1_000) instanceof EnqueueResult.Stored) {}
    }

    private List<LeasedTask> claim(int most) {
        ClaimRequest.FromTopic from = new ClaimRequest.FromTopic("t", most, TopicPolicy.DEFAULT);
        return store.claim(List.of(new ClaimRequest(worker, List.of(from), most)))
                .get(0)
                .tasks();
    }

    private void fail(int tasks, String error) {
        Next again = new Next.Requeue(Duration.ZERO, Next.Reason.RETRY);
        List<CompletionResult> results = store.complete(claim(tasks).stream()
                .map(leased -> new Completion(leased.lease(), Outcome.FAILED, error, again, again))
                .toList());
        assertThat(results)
                .extracting(CompletionResult::status)
                .containsOnly(CompletionResult.Status.APPLIED)
                .hasSize(tasks);
    }

    private CompletionResult succeed(LeasedTask leased, Payload result, NewTask... spawned) {
        Next end = new Next.Finish(TaskState.SUCCEEDED, DAY, result, List.of(spawned), List.of());
        return store.complete(List.of(new Completion(leased.lease(), Outcome.SUCCEEDED, null, end, end)))
                .get(0);
    }

    private Task read(LeasedTask leased) {
        return store.get(List.of(leased.task().id())).get(0);
    }

    private void checkRestored() {
        HeapStore restored = steps.restored(clock, LIMIT);
        assertThat(restored.list(TaskQuery.ALL, null, 1_000).items())
                .isEqualTo(store.list(TaskQuery.ALL, null, 1_000).items());
        assertThat(restored.table().weight()).isEqualTo(store.table().weight());
    }

    @ParameterizedTest
    @ValueSource(strings = {"e", "é", "ж"})
    void tasks_that_fail_again_and_again_do_not_grow_beyond_it(String character) {
        int tasks = 60;
        fill(tasks);
        String error = character.repeat(Limits.ERROR_LENGTH);

        for (int round = 0; round < 20; round++) {
            fail(tasks, error);
            // the last report below the limit may take it above
            assertThat(store.table().weight()).isLessThan(LIMIT + RESERVE);
        }

        for (Task task : store.list(TaskQuery.ALL, null, 1_000).items()) {
            assertThat(task.lastError()).startsWith(character.repeat(900));
            assertThat(task.tally().attempts()).isEqualTo(20);
        }
        checkRestored();
    }

    @Test
    void the_history_of_a_report_is_cut_to_the_beginning_of_its_own_error() {
        fill(1);
        fail(1, "x".repeat(Limits.ERROR_LENGTH));
        fillUp();
        fail(1, "first");
        while (store.table().weight() <= LIMIT) {
            claim(10);
        }
        LeasedTask again = claim(1).get(0);
        Next retry = new Next.Requeue(Duration.ZERO, Next.Reason.RETRY);
        store.complete(
                List.of(new Completion(again.lease(), Outcome.FAILED, "y".repeat(Limits.ERROR_LENGTH), retry, retry)));

        List<Attempt> kept = read(again).attempts();
        assertThat(kept).hasSize(1);
        assertThat(kept.get(0).error())
                .hasSize(MemoryLimit.ERROR_LENGTH)
                .startsWith("yyy")
                .endsWith("… (cut: the store is full)");
        checkRestored();
    }

    @Test
    void where_even_the_reserve_is_used_no_error_is_kept() {
        fillUp();
        int tasks = (int) store.count(TaskQuery.ALL).get(0).count();
        for (int round = 0; round < 3; round++) {
            fail(tasks, "x".repeat(Limits.ERROR_LENGTH));
        }

        // while they run, tasks take a little more
        assertThat(store.table().weight()).isLessThan(LIMIT + RESERVE + 170L * tasks);
        assertThat(store.list(TaskQuery.ALL, null, 1_000).items())
                .extracting(Task::lastError)
                .contains(MemoryLimit.ERROR_DROPPED);
        checkRestored();
    }

    @Test
    void a_result_without_room_is_refused_and_its_lease_is_kept() {
        fillUp();
        List<LeasedTask> leased = claim(4);
        Payload large = Payload.bytes(new byte[RESERVE + 5_000]);
        LeasedTask first = leased.get(0);

        assertThat(succeed(first, large)).isEqualTo(CompletionResult.STORE_FULL);

        assertThat(read(first).state()).isEqualTo(TaskState.RUNNING);
        assertThat(read(first).attempts()).isEmpty();
        assertThat(succeed(leased.get(1), null).status()).isEqualTo(CompletionResult.Status.APPLIED);
        assertThat(succeed(leased.get(2), Payload.bytes(new byte[RESERVE / 2])).status())
                .as("the reserve is for results")
                .isEqualTo(CompletionResult.Status.APPLIED);
        store.change(new Selection.Matching(TaskQuery.ALL.state(TaskState.READY), null), new Change.Delete(), 100);
        assertThat(succeed(first, large).status()).isEqualTo(CompletionResult.Status.APPLIED);
        checkRestored();
    }

    @Test
    void a_refused_report_does_not_hurt_its_neighbours() {
        fillUp();
        List<LeasedTask> leased = claim(2);
        Next large = new Next.Finish(
                TaskState.SUCCEEDED, DAY, Payload.bytes(new byte[RESERVE + 5_000]), List.of(), List.of());
        Next plain = Next.Finish.as(TaskState.SUCCEEDED, DAY);

        List<CompletionResult> results = store.complete(List.of(
                new Completion(leased.get(0).lease(), Outcome.SUCCEEDED, null, large, large),
                new Completion(leased.get(1).lease(), Outcome.SUCCEEDED, null, plain, plain)));

        assertThat(results)
                .extracting(CompletionResult::status)
                .containsExactly(CompletionResult.Status.STORE_FULL, CompletionResult.Status.APPLIED);
    }

    @Test
    void spawned_tasks_without_room_are_refused_with_their_report() {
        fillUp();
        LeasedTask leased = claim(1).get(0);
        NewTask large = NewTask.builder("t")
                .payload(Payload.bytes(new byte[RESERVE + 5_000]))
                .build();

        assertThat(succeed(leased, null, large)).isEqualTo(CompletionResult.STORE_FULL);
        assertThat(store.get(List.of(large.id()))).isEmpty();
        assertThat(succeed(leased, null).status()).isEqualTo(CompletionResult.Status.APPLIED);
    }

    @Test
    void progress_is_kept_without_words() {
        fillUp();
        List<LeasedTask> leased = claim(100);
        long before = store.table().weight();
        store.workers()
                .renew(new Heartbeat(
                        worker,
                        null,
                        DAY,
                        leased.stream()
                                .map(each ->
                                        new Heartbeat.Report(each.lease(), 40, "x".repeat(Limits.ERROR_LENGTH), null))
                                .toList()));

        assertThat(read(leased.get(0)).progress().percent()).isEqualTo(40);
        assertThat(store.table().weight()).isLessThan(before + 100L * leased.size());
    }
}
