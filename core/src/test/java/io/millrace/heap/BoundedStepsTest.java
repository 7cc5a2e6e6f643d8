package io.millrace.heap;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Limits;
import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.StoreUnavailableException;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TopicPolicy;
import io.millrace.internal.engine.HandClock;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.Completion;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.WorkerRegistry.Introduction;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A step of the journal has its bytes in one piece, so none is larger than it must be. */
class BoundedStepsTest {
    private static final int TASKS = 50;
    private static final int STEP = 500_000;
    /** A step is full when it has as much; the last task of it comes on top. */
    private static final int MOST = STEP + Task.ERRORS_KEPT + 10_000;

    private final HandClock clock = new HandClock();
    private final StepsInMemory steps = new StepsInMemory();
    private final HeapStore store = new HeapRestore(steps, clock, Long.MAX_VALUE).finish();
    private final UUID worker = store.workers().register(new Introduction("w", "h", Set.of("t")), Duration.ofDays(1));

    private byte[] enqueueTogether() {
        List<NewTask> tasks =
                Stream.generate(() -> NewTask.builder("t").build()).limit(TASKS).toList();
        store.enqueue(List.of(new EnqueueRequest(tasks, Map.of())));
        return steps.all.get(steps.all.size() - 1);
    }

    private List<LeasedTask> claim() {
        ClaimRequest.FromTopic from = new ClaimRequest.FromTopic("t", TASKS, TopicPolicy.DEFAULT);
        return store.claim(List.of(new ClaimRequest(worker, List.of(from), TASKS)))
                .get(0)
                .tasks();
    }

    private void fail(List<LeasedTask> leased, String error) {
        Next again = new Next.Requeue(Duration.ZERO, Next.Reason.RETRY);
        store.complete(leased.stream()
                .map(each -> new Completion(each.lease(), Outcome.FAILED, error, again, again))
                .toList());
    }

    private void checkStepsSince(int first) {
        assertThat(steps.all.subList(first, steps.all.size()))
                .hasSizeGreaterThan(2)
                .allSatisfy(step -> assertThat(step.length).isLessThan(MOST));
        assertThat(steps.restored(clock, Long.MAX_VALUE)
                        .list(TaskQuery.ALL, null, 1_000)
                        .items())
                .isEqualTo(store.list(TaskQuery.ALL, null, 1_000).items());
    }

    private void failOften() {
        for (int i = 0; i < 10; i++) {
            fail(claim(), "x".repeat(Limits.ERROR_LENGTH));
        }
    }

    @Test
    void long_histories_of_tasks_that_came_together_are_carried_over_in_several_steps() {
        byte[] together = enqueueTogether();
        int segment = steps.all.size();
        failOften();
        steps.largestStep = STEP;
        int first = steps.all.size();

        store.carryOver(segment, ByteBuffer.wrap(together));

        checkStepsSince(first);
        assertThat(store.liveBytes()).doesNotContainEntry(segment, (long) together.length);
    }

    @Test
    void a_segment_that_cannot_be_read_is_carried_over_in_several_steps() {
        enqueueTogether();
        int segment = steps.all.size();
        failOften();
        steps.largestStep = STEP;
        int first = steps.all.size();

        store.carryOver(segment);

        checkStepsSince(first);
    }

    @Test
    void a_task_that_goes_while_its_step_is_carried_over_does_not_come_back() {
        byte[] together = enqueueTogether();
        int segment = steps.all.size();
        failOften();
        steps.largestStep = STEP;
        UUID last =
                store.list(TaskQuery.ALL, null, 1_000).items().get(TASKS - 1).id();
        steps.afterAppend = () -> {
            steps.afterAppend = () -> {};
            TaskNode node = store.table().find(last);
            store.table().remove(node, store.now().toEpochMilli());
        };

        store.carryOver(segment, ByteBuffer.wrap(together));

        assertThat(steps.restored(clock, Long.MAX_VALUE).get(List.of(last))).isEmpty();
    }

    @Test
    void reports_on_tasks_with_much_progress_go_in_several_steps() {
        enqueueTogether();
        List<LeasedTask> leased = claim();
        store.workers()
                .renew(new Heartbeat(
                        worker,
                        null,
                        Duration.ofDays(1),
                        leased.stream()
                                .map(each ->
                                        new Heartbeat.Report(each.lease(), 40, "x".repeat(Limits.ERROR_LENGTH), null))
                                .toList()));
        steps.largestStep = STEP;
        int first = steps.all.size();

        fail(leased, "short");

        checkStepsSince(first);
    }

    @Test
    void what_a_failed_step_had_to_say_of_tasks_is_no_more_than_what_has_changed() {
        enqueueTogether();
        failOften();
        List<LeasedTask> leased = claim();
        steps.fails = true;
        try {
            fail(leased, "one");
        } catch (StoreUnavailableException e) {
            // the next step has it
        }
        steps.fails = false;
        int first = steps.all.size();

        store.workers().leave(worker);

        assertThat(steps.all.get(first).length).isLessThan(TASKS * 1_000);
        assertThat(steps.restored(clock, Long.MAX_VALUE)
                        .list(TaskQuery.ALL, null, 1_000)
                        .items())
                .extracting(Task::lastError)
                .containsOnly("one");
    }
}
