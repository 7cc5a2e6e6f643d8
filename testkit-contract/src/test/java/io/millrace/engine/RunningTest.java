package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Event;
import io.millrace.InvalidValueException;
import io.millrace.NewTask;
import io.millrace.OnTimeout;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.Retry;
import io.millrace.StopException;
import io.millrace.Task;
import io.millrace.TaskContext;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What handlers can do, and what becomes of their tasks. */
class RunningTest {
    private final Bed bed = new Bed();

    @AfterEach
    void close() {
        bed.close();
    }

    @Test
    void a_handler_gets_the_payload_and_its_result_is_kept() throws Exception {
        bed.millrace.handle("echo", (payload, context) -> context.result(payload));

        Task task = bed.finished(bed.enqueue(Bed.task("echo", "hello")));

        assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED);
        assertThat(task.result()).isEqualTo(Payload.json("\"hello\""));
        assertThat(task.attempts()).singleElement().satisfies(attempt -> {
            assertThat(attempt.number()).isEqualTo(1);
            assertThat(attempt.outcome()).isEqualTo(Outcome.SUCCEEDED);
        });
    }

    @Test
    void a_failure_is_retried_by_the_schedule_and_every_attempt_is_kept() throws Exception {
        bed.millrace.handle("flaky", (payload, context) -> {
            if (context.attempt() < 3) {
                throw new IllegalStateException("not yet " + context.attempt());
            }
        });
        UUID id = bed.enqueue(NewTask.builder("flaky").retry(Retry.DEFAULT.max(2)));

        bed.attemptEnded(id, 1);
        bed.advance(Duration.ofMillis(19_999));
        assertThat(bed.get(id).state()).isEqualTo(TaskState.SCHEDULED);
        bed.advance(Duration.ofMillis(1));
        bed.attemptEnded(id, 2);
        assertThat(bed.get(id).moments().due()).isEqualTo(bed.clock.instant().plusSeconds(40));
        bed.advance(Duration.ofSeconds(40));

        Task task = bed.finished(id);
        assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED);
        assertThat(task.attempts())
                .extracting(attempt -> attempt.outcome())
                .containsExactly(Outcome.FAILED, Outcome.FAILED, Outcome.SUCCEEDED);
        assertThat(task.attempts().get(1).error()).contains("not yet 2").contains("IllegalStateException");
    }

    @Test
    void a_stop_ends_the_retries_at_once() throws Exception {
        bed.millrace.handle("hopeless", (payload, context) -> {
            throw new StopException("never");
        });

        Task task = bed.finished(bed.enqueue(NewTask.builder("hopeless").retry(Retry.DEFAULT.max(9))));

        assertThat(task.state()).isEqualTo(TaskState.FAILED);
        assertThat(task.tally().attempts()).isEqualTo(1);
        assertThat(task.lastError()).contains("never");
    }

    @Test
    void a_snoozed_task_comes_again_without_using_a_retry() throws Exception {
        bed.millrace.handle("poll", (payload, context) -> {
            if (context.attempt() == 1) {
                context.snooze(Duration.ofMinutes(1));
            }
        });
        UUID id = bed.enqueue("poll");

        bed.attemptEnded(id, 1);
        assertThat(bed.get(id).tally().retries()).isZero();
        bed.advance(Duration.ofMinutes(1));

        assertThat(bed.finished(id).state()).isEqualTo(TaskState.SUCCEEDED);
    }

    @Test
    void spawned_tasks_and_arrivals_come_with_the_success() throws Exception {
        UUID gather = bed.enqueue(NewTask.builder("gather").waitFor(2));
        UUID child = UUID.randomUUID();
        bed.millrace.handle("gather", (payload, context) -> {});
        bed.millrace.handle("leaf", (payload, context) -> context.arriveAt(gather));
        bed.millrace.handle("root", (payload, context) -> {
            context.arriveAt(gather);
            context.spawn(NewTask.builder("leaf").id(child).build());
        });

        bed.enqueue("root");

        assertThat(bed.finished(gather).state()).isEqualTo(TaskState.SUCCEEDED);
        assertThat(bed.get(child).state()).isEqualTo(TaskState.SUCCEEDED);
        assertThat(bed.events.await(Event.TaskReleased.class).task()).isEqualTo(gather);
    }

    @Test
    void a_failed_task_spawns_nothing() throws Exception {
        bed.millrace.handle("root", (payload, context) -> {
            context.spawn(NewTask.builder("leaf").build());
            throw new IllegalStateException("after all");
        });

        bed.finished(bed.enqueue("root"));

        assertThat(bed.millrace.topics().get("leaf").depth()).isEmpty();
    }

    @Test
    void a_running_task_that_is_cancelled_is_interrupted_and_ends_as_cancelled() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        bed.millrace.handle("long", (payload, context) -> {
            started.countDown();
            new CountDownLatch(1).await();
        });
        UUID id = bed.enqueue(NewTask.builder("long").retry(Retry.DEFAULT.max(3)));
        started.await();

        bed.millrace.cancel(id);

        assertThat(bed.finished(id).state()).isEqualTo(TaskState.CANCELLED);
    }

    @Test
    void a_success_counts_although_the_task_was_cancelled() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        bed.millrace.handle("stubborn", (payload, context) -> {
            started.countDown();
            while (!context.cancelled()) {
                Thread.onSpinWait();
            }
        });
        UUID id = bed.enqueue("stubborn");
        started.await();

        bed.millrace.cancel(id);

        assertThat(bed.finished(id).state()).isEqualTo(TaskState.SUCCEEDED);
    }

    @Test
    void an_interrupt_meant_for_one_task_does_not_reach_the_next() throws Exception {
        try (Bed single = new Bed(options -> options.workers(1))) {
            BlockingQueue<TaskContext> running = new LinkedBlockingQueue<>();
            single.millrace.handle("long", (payload, context) -> {
                running.add(context);
                while (!context.cancelled()) {
                    Thread.onSpinWait();
                }
            });
            single.millrace.handle("next", (payload, context) -> Thread.sleep(0, 1));
            UUID first = single.enqueue("long");
            running.take();
            UUID second = single.enqueue("next");

            single.millrace.cancel(first);

            assertThat(single.finished(second).state()).isEqualTo(TaskState.SUCCEEDED);
        }
    }

    @Test
    void a_task_over_its_time_to_run_is_interrupted_and_ends_as_timed_out() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch started = new CountDownLatch(1);
        bed.millrace.handle("slow", (payload, context) -> {
            started.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
        });
        UUID id = bed.enqueue(
                NewTask.builder("slow").timeout(Duration.ofSeconds(5)).retry(Retry.DEFAULT.max(3)));
        started.await();

        bed.advance(Duration.ofSeconds(7));

        assertThat(bed.finished(id).state()).isEqualTo(TaskState.TIMED_OUT);
        assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_topic_may_retry_what_ran_too_long() throws Exception {
        bed.millrace
                .topics()
                .setPolicy(
                        "slow",
                        TopicPolicy.builder()
                                .onTimeout(OnTimeout.RETRY)
                                .timeout(Duration.ofSeconds(5))
                                .retry(Retry.constant(Duration.ofSeconds(1)).max(1))
                                .build());
        CountDownLatch started = new CountDownLatch(1);
        bed.millrace.handle("slow", (payload, context) -> {
            if (context.attempt() == 1) {
                started.countDown();
                new CountDownLatch(1).await();
            }
        });
        UUID id = bed.enqueue("slow");
        started.await();

        bed.advance(Duration.ofSeconds(7));
        bed.attemptEnded(id, 1);
        bed.advance(Duration.ofSeconds(1));

        Task task = bed.finished(id);
        assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED);
        assertThat(task.attempts().get(0).outcome()).isEqualTo(Outcome.TIMED_OUT);
    }

    @Test
    void an_extension_gives_a_task_more_time() throws Exception {
        CountDownLatch extended = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        bed.millrace.handle("slow", (payload, context) -> {
            assertThat(context.extend(Duration.ofMinutes(10))).isTrue();
            extended.countDown();
            finish.await();
        });
        UUID id = bed.enqueue(NewTask.builder("slow").timeout(Duration.ofSeconds(5)));
        extended.await();

        bed.advance(Duration.ofMinutes(9));
        finish.countDown();

        assertThat(bed.finished(id).state()).isEqualTo(TaskState.SUCCEEDED);
    }

    @Test
    void progress_is_seen_within_a_second() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        bed.millrace.handle("slow", (payload, context) -> {
            assertThatThrownBy(() -> context.progress(101, null)).isInstanceOf(InvalidValueException.class);
            context.progress(40, "nearly");
            told.countDown();
            finish.await();
        });
        UUID id = bed.enqueue("slow");
        told.await();

        bed.advance(Duration.ofSeconds(1));

        assertThat(bed.get(id).progress()).satisfies(progress -> {
            assertThat(progress.percent()).isEqualTo(40);
            assertThat(progress.message()).isEqualTo("nearly");
        });
        finish.countDown();
        bed.finished(id);
    }

    @Test
    void a_thread_that_dies_of_an_error_is_replaced_and_its_task_fails() throws Exception {
        try (Bed single = new Bed(options -> options.workers(1))) {
            AtomicInteger runs = new AtomicInteger();
            single.millrace.handle("crash", (payload, context) -> {
                if (runs.incrementAndGet() == 1) {
                    throw new LinkageError("broken class");
                }
            });
            UUID first = single.enqueue("crash");
            UUID second = single.enqueue("crash");

            assertThat(single.finished(first).state()).isEqualTo(TaskState.FAILED);
            assertThat(single.finished(second).state()).isEqualTo(TaskState.SUCCEEDED);
            assertThat(single.events.await(Event.WorkerThreadReplaced.class).cause())
                    .hasMessage("broken class");
        }
    }

    @Test
    void a_result_that_is_too_large_fails_the_task_with_a_clear_error() throws Exception {
        try (Bed small = new Bed(options -> options.payloadLimit(100))) {
            small.millrace.handle("big", (payload, context) -> context.result(Payload.bytes(new byte[101])));

            Task task = small.finished(small.enqueue(NewTask.builder("big").retry(Retry.DEFAULT.max(3))));

            assertThat(task.state()).isEqualTo(TaskState.FAILED);
            assertThat(task.lastError()).contains("result").contains("101").contains("100");
        }
    }

    @Test
    void an_expired_task_never_reaches_a_handler() throws Exception {
        UUID id = bed.enqueue(NewTask.builder("late").deadline(Duration.ofSeconds(1)));
        bed.advance(Duration.ofSeconds(2));

        bed.millrace.handle("late", (payload, context) -> {
            throw new AssertionError("too late");
        });

        assertThat(bed.events.await(Event.TaskExpired.class).task().id()).isEqualTo(id);
        assertThat(bed.get(id).state()).isEqualTo(TaskState.EXPIRED);
    }

    @Test
    void a_delayed_task_starts_when_it_is_due_and_not_before() throws Exception {
        bed.millrace.handle("later", (payload, context) -> {});
        UUID id = bed.enqueue(NewTask.builder("later").delay(Duration.ofHours(3)));

        bed.advance(Duration.ofHours(3).minusMillis(1));
        assertThat(bed.get(id).state()).isEqualTo(TaskState.SCHEDULED);
        bed.advance(Duration.ofMillis(1));

        assertThat(bed.finished(id).state()).isEqualTo(TaskState.SUCCEEDED);
    }

    @Test
    void a_final_task_is_removed_when_its_retention_has_passed() throws Exception {
        bed.millrace.handle("done", (payload, context) -> {});
        UUID id = bed.enqueue("done");
        bed.finished(id);

        bed.advance(Duration.ofDays(1).minusSeconds(1));
        assertThat(bed.millrace.find(id)).isPresent();
        bed.advance(Duration.ofMinutes(2));

        assertThat(bed.millrace.find(id)).isEmpty();
    }
}
