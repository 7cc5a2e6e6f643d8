package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.Attempt;
import io.millrace.Event;
import io.millrace.NewTask;
import io.millrace.OnTimeout;
import io.millrace.Outcome;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Time-to-run belongs to running: what waits in a worker's buffer does not use it up. */
class TimeToRunTest {
    private static final Duration SHORT = Duration.ofSeconds(2);
    private Bed bed = new Bed(options -> options.workers(1).prefetch(100));

    @AfterEach
    void close() {
        bed.close();
    }

    /** Has the worker fetch tasks and run the first of them, which takes until the latch is open. */
    private List<UUID> buffered(int quick, CountDownLatch slow) throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        bed.millrace.handle("warm-up", (payload, context) -> {});
        for (int i = 0; i < 1_000; i++) {
            bed.enqueue("warm-up");
        }
        bed.millrace.drain();
        bed.millrace.handle("mixed", (payload, context) -> {
            if (context.task().given().entityId() != null) {
                started.countDown();
                slow.await();
            }
        });
        List<NewTask> tasks = new ArrayList<>();
        tasks.add(NewTask.builder("mixed")
                .entityId("slow")
                .timeout(Duration.ofHours(1))
                .build());
        for (int i = 0; i < quick; i++) {
            tasks.add(NewTask.builder("mixed").timeout(SHORT).build());
        }
        bed.millrace.enqueue(tasks);
        started.await();
        return tasks.stream().map(NewTask::id).toList();
    }

    @Test
    void tasks_in_the_buffer_of_a_worker_do_not_time_out() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        List<UUID> ids = buffered(100, slow);

        for (int i = 0; i < 10; i++) {
            bed.advance(Duration.ofSeconds(7));
        }
        slow.countDown();

        for (UUID id : ids) {
            Task task = bed.finished(id);
            assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED);
            assertThat(task.attempts()).hasSize(1);
            assertThat(task.tally().attempts())
                    .as("what was handed back was no attempt")
                    .isEqualTo(1);
        }
        assertThat(bed.events.all(Event.AttemptEnded.class))
                .extracting(Event.AttemptEnded::outcome)
                .containsOnly(Outcome.SUCCEEDED);
    }

    @Test
    void tasks_do_not_time_out_in_a_drain_without_prefetch() throws Exception {
        bed.close();
        bed = new Bed(options -> options.workers(1).prefetch(0));
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            ids.add(bed.enqueue(NewTask.builder("a").timeout(SHORT)));
        }
        bed.millrace.handle("a", (payload, context) -> bed.advance(Duration.ofMillis(1_500)));

        bed.millrace.drain();

        for (UUID id : ids) {
            assertThat(bed.get(id).state()).isEqualTo(TaskState.SUCCEEDED);
        }
    }

    @Test
    void a_handler_over_its_time_is_interrupted_at_once_and_not_at_a_heartbeat() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        bed.millrace.handle("slow", (payload, context) -> {
            started.countDown();
            try {
                new CountDownLatch(1).await();
            } finally {
                assertThat(context.cancelled()).isTrue();
                interrupted.countDown();
            }
        });
        UUID id = bed.enqueue(NewTask.builder("slow").timeout(SHORT));
        started.await();

        bed.advance(SHORT.minusMillis(1));
        assertThat(bed.get(id).state()).isEqualTo(TaskState.RUNNING);
        bed.advance(Duration.ofMillis(1));

        Task task = bed.finished(id);
        assertThat(task.state()).isEqualTo(TaskState.TIMED_OUT);
        assertThat(task.lastError()).contains("PT2S");
        assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_handler_that_ignores_the_interrupt_does_not_keep_its_task() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        bed.millrace.handle("deaf", (payload, context) -> {
            started.countDown();
            boolean done = false;
            while (!done) {
                try {
                    finish.await();
                    done = true;
                } catch (InterruptedException e) {
                    // on purpose
                }
            }
            context.result("too late");
        });
        UUID id = bed.enqueue(NewTask.builder("deaf").timeout(SHORT));
        started.await();

        bed.advance(SHORT);

        assertThat(bed.finished(id).state()).isEqualTo(TaskState.TIMED_OUT);
        finish.countDown();
        bed.millrace.drain();
        assertThat(bed.get(id).state()).isEqualTo(TaskState.TIMED_OUT);
        assertThat(bed.get(id).result()).isNull();
    }

    @Test
    void a_redelivered_task_runs_again_at_once_and_uses_no_retry() throws Exception {
        bed.millrace
                .topics()
                .setPolicy(
                        "r",
                        TopicPolicy.builder()
                                .onTimeout(OnTimeout.REDELIVER)
                                .timeout(SHORT)
                                .build());
        AtomicInteger runs = new AtomicInteger();
        Set<Integer> started = ConcurrentHashMap.newKeySet();
        bed.millrace.handle("r", (payload, context) -> {
            started.add(runs.incrementAndGet());
            if (runs.get() < 4) {
                new CountDownLatch(1).await();
            }
        });
        UUID id = bed.enqueue("r");

        for (int run = 1; run < 4; run++) {
            int number = run;
            await().until(() -> started.contains(number));
            bed.advance(SHORT);
        }

        Task task = bed.finished(id);
        assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED);
        assertThat(task.attempts())
                .extracting(Attempt::outcome)
                .containsExactly(Outcome.TIMED_OUT, Outcome.TIMED_OUT, Outcome.TIMED_OUT, Outcome.SUCCEEDED);
        assertThat(task.tally().retries()).isZero();
    }

    @Test
    void a_cancelled_task_in_the_buffer_had_no_attempt() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        UUID id = buffered(1, slow).get(1);

        bed.millrace.cancel(id);

        Task task = bed.finished(id);
        assertThat(task.state()).isEqualTo(TaskState.CANCELLED);
        assertThat(task.attempts()).isEmpty();
        assertThat(task.tally().attempts()).isZero();
        slow.countDown();
    }

    @Test
    void a_closed_worker_leaves_no_timer_behind() throws Exception {
        bed.millrace.handle("a", (payload, context) -> {});
        bed.finished(bed.enqueue("a"));
        assertThat(bed.clock.pending()).isPositive();

        bed.close();

        assertThat(bed.clock.pending()).isZero();
    }
}
