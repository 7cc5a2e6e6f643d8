package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.Event;
import io.millrace.InvalidValueException;
import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.Retry;
import io.millrace.Task;
import io.millrace.TaskContext;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The process as a worker: registration, heartbeat, stop, burst mode, close. */
class WorkerTest {
    private Bed bed = new Bed();

    @AfterEach
    void close() {
        bed.close();
    }

    @Test
    void a_worker_is_listed_with_its_topics_as_soon_as_it_handles_one() throws Exception {
        assertThat(bed.millrace.workers().list()).isEmpty();

        bed.millrace.handle("a", (payload, context) -> {});
        bed.millrace.handle("b", (payload, context) -> {});
        bed.finished(bed.enqueue("b"));

        assertThat(bed.millrace.workers().list()).singleElement().satisfies(worker -> {
            assertThat(worker.topics()).containsExactlyInAnyOrder("a", "b");
            assertThat(worker.status()).isEqualTo(Worker.Status.ACTIVE);
            assertThat(worker.name()).isEqualTo("millrace");
        });
    }

    @Test
    void a_topic_has_one_handler() {
        bed.millrace.handle("a", (payload, context) -> {});

        assertThatThrownBy(() -> bed.millrace.handle("a", (payload, context) -> {}))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("a");
    }

    @Test
    void the_heartbeat_keeps_a_long_task_with_its_worker() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        bed.millrace.handle("long", (payload, context) -> {
            started.countDown();
            finish.await();
        });
        UUID id = bed.enqueue("long");
        started.await();

        bed.advance(Duration.ofMinutes(20));
        finish.countDown();

        assertThat(bed.finished(id).attempts())
                .singleElement()
                .satisfies(attempt -> assertThat(attempt.outcome()).isEqualTo(Outcome.SUCCEEDED));
    }

    @Test
    void a_worker_that_was_taken_for_dead_abandons_its_work_and_registers_anew() throws Exception {
        bed.close();
        bed = new Bed(SharedHeapProvider.URL, options -> options);
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        bed.millrace.handle("long", (payload, context) -> {
            if (context.attempt() == 1) {
                started.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                    throw e;
                }
            }
        });
        UUID id = bed.enqueue("long");
        started.await();
        UUID before = bed.millrace.workers().list().get(0).id();

        bed.jump(Duration.ofMinutes(5));
        bed.advance(Duration.ofSeconds(11));

        assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(bed.finished(id).attempts())
                .extracting(attempt -> attempt.outcome())
                .containsExactly(Outcome.LOST, Outcome.SUCCEEDED);
        assertThat(bed.finished(id).attempts().get(1).worker()).isNotEqualTo(before);
    }

    @Test
    void a_process_that_was_stopped_for_long_does_not_take_its_own_worker_for_dead() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        bed.millrace.handle("long", (payload, context) -> {
            started.countDown();
            finish.await();
        });
        UUID id = bed.enqueue("long");
        started.await();

        bed.jump(Duration.ofMinutes(5));
        bed.advance(Duration.ofSeconds(11));
        finish.countDown();

        assertThat(bed.finished(id).attempts())
                .extracting(attempt -> attempt.outcome())
                .containsExactly(Outcome.SUCCEEDED);
    }

    @Test
    void a_drain_goes_on_when_its_worker_was_taken_for_dead() throws Exception {
        bed.close();
        bed = new Bed(SharedHeapProvider.URL, options -> options);
        bed.millrace.handle("a", (payload, context) -> {});
        UUID id = bed.enqueue(NewTask.builder("a").delay(Duration.ofMinutes(4)));

        bed.jump(Duration.ofMinutes(5));
        bed.millrace.drain();

        assertThat(bed.get(id).state()).isEqualTo(TaskState.SUCCEEDED);
    }

    @Test
    void a_worker_told_to_stop_finishes_and_leaves() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        bed.millrace.handle("a", (payload, context) -> {
            started.countDown();
            finish.await();
        });
        UUID running = bed.enqueue("a");
        started.await();
        UUID worker = bed.millrace.workers().list().get(0).id();

        assertThat(bed.millrace.workers().stop(worker)).isTrue();
        bed.advance(Duration.ofSeconds(10));
        UUID next = bed.enqueue("a");
        finish.countDown();

        assertThat(bed.finished(running).state()).isEqualTo(TaskState.SUCCEEDED);
        bed.events.await(Event.WorkerLeft.class);
        assertThat(bed.get(next).state()).isEqualTo(TaskState.READY);
        assertThat(bed.millrace.workers().list()).isEmpty();
        assertThat(bed.millrace.workers().stop(UUID.randomUUID())).isFalse();
    }

    @Test
    void drain_runs_all_that_can_run_and_returns() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        bed.millrace.handle("a", (payload, context) -> {
            if (runs.incrementAndGet() == 1) {
                context.spawn(NewTask.builder("a").build());
            }
        });
        bed.millrace.topics().pause("a");
        for (int i = 0; i < 500; i++) {
            bed.enqueue("a");
        }
        UUID later = bed.enqueue(NewTask.builder("a").delay(Duration.ofHours(1)));
        assertThat(bed.millrace.drain()).isZero();
        bed.millrace.topics().resume("a");

        bed.millrace.drain();

        assertThat(runs.get()).isEqualTo(501);
        assertThat(bed.get(later).state()).isEqualTo(TaskState.SCHEDULED);
    }

    @Test
    void drain_misses_no_task_that_another_one_left_behind() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        bed.millrace.handle("chain", (payload, context) -> {
            runs.incrementAndGet();
            if (payload.size() > 0) {
                Payload shorter = Payload.bytes(new byte[payload.size() - 1]);
                context.spawn(NewTask.builder("chain").payload(shorter).build());
            }
        });
        for (int i = 1; i <= 500; i++) {
            bed.enqueue(NewTask.builder("chain").payload(Payload.bytes(new byte[3])));

            bed.millrace.drain();

            assertThat(runs.get()).isEqualTo(i * 4);
        }
    }

    @Test
    void what_was_fetched_but_not_started_is_handed_back_in_time() throws Exception {
        try (Bed single = new Bed(options -> options.workers(1))) {
            CountDownLatch started = new CountDownLatch(1);
            CountDownLatch finish = new CountDownLatch(1);
            single.millrace.handle("slow", (payload, context) -> {
                started.countDown();
                finish.await();
            });
            UUID first = single.enqueue("slow");
            started.await();
            UUID second = single.enqueue("slow");

            single.advance(Duration.ofSeconds(25));

            assertThat(single.get(first).state()).isEqualTo(TaskState.RUNNING);
            assertThat(single.get(second).state()).isEqualTo(TaskState.READY);
            assertThat(single.get(second).tally().losses()).isZero();
            finish.countDown();
            single.finished(first);
        }
    }

    @Test
    void a_graceful_close_finishes_what_runs_and_hands_back_the_rest() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        EventLog events = new EventLog();
        Millrace millrace = Millrace.open(
                "heap:", MillraceOptions.builder().workers(1).observer(events).build());
        millrace.handle("slow", (payload, context) -> {
            started.countDown();
            finish.await();
        });
        UUID running = millrace.enqueue(NewTask.builder("slow").build()).id();
        UUID waiting = millrace.enqueue(NewTask.builder("slow").build()).id();
        started.await();

        Thread closing = new Thread(millrace::close);
        closing.start();
        await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
        CompletableFuture<Task> finished = millrace.finished(running);
        finish.countDown();
        closing.join(TimeUnit.SECONDS.toMillis(20));

        assertThat(closing.isAlive()).isFalse();
        assertThat(finished.join().state()).isEqualTo(TaskState.SUCCEEDED);
        assertThat(millrace.find(waiting).orElseThrow().state()).isEqualTo(TaskState.READY);
        events.await(Event.WorkerLeft.class);
    }

    @Test
    void a_graceful_close_during_a_drain_interrupts_nobody_and_keeps_every_end() throws Exception {
        for (int round = 0; round < 15; round++) {
            EventLog events = new EventLog();
            AtomicInteger interrupts = new AtomicInteger();
            AtomicInteger runs = new AtomicInteger();
            CountDownLatch some = new CountDownLatch(10 + round);
            Millrace millrace = Millrace.open(
                    "heap:",
                    MillraceOptions.builder().workers(2).observer(events).build());
            List<NewTask> tasks = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                tasks.add(NewTask.builder("a").build());
            }
            millrace.enqueue(tasks);
            millrace.handle("a", (payload, context) -> {
                try {
                    TimeUnit.MICROSECONDS.sleep(500);
                    runs.incrementAndGet();
                } catch (InterruptedException e) {
                    interrupts.incrementAndGet();
                    throw e;
                } finally {
                    some.countDown();
                }
            });
            Thread draining = new Thread(() -> {
                try {
                    millrace.drain();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            draining.start();
            some.await();

            millrace.close();
            draining.join();

            long kept = millrace.count(TaskQuery.ALL.state(TaskState.SUCCEEDED)).stream()
                    .mapToLong(TaskCount::count)
                    .sum();
            assertThat(interrupts).hasValue(0);
            assertThat(kept).isEqualTo(runs.get());
        }
    }

    @Test
    void a_handler_that_would_close_what_it_runs_in_is_told_so() throws Exception {
        bed.millrace.handle("a", (payload, context) -> bed.millrace.close());

        assertThat(bed.finished(bed.enqueue("a")).lastError()).contains("close from another thread");
    }

    @Test
    void a_task_that_waits_for_a_thread_is_cancelled_at_once() throws Exception {
        try (Bed single = new Bed(options -> options.workers(1))) {
            CountDownLatch started = new CountDownLatch(1);
            CountDownLatch finish = new CountDownLatch(1);
            UUID first = single.enqueue("slow");
            UUID second = single.enqueue("slow");
            single.millrace.handle("slow", (payload, context) -> {
                started.countDown();
                finish.await();
            });
            started.await();
            await().until(() -> single.get(second).state() == TaskState.RUNNING);

            single.millrace.cancel(second);

            assertThat(single.finished(second).state()).isEqualTo(TaskState.CANCELLED);
            assertThat(single.get(first).state()).isEqualTo(TaskState.RUNNING);
            finish.countDown();
        }
    }

    @Test
    void a_forced_close_interrupts_and_the_task_is_ready_again_without_a_loss_or_a_retry() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        bed.millrace.handle("long", (payload, context) -> {
            started.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
        });
        UUID id = bed.enqueue(NewTask.builder("long").retry(Retry.DEFAULT.max(1)));
        started.await();

        bed.millrace.closeNow();

        assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(bed.get(id).state()).isEqualTo(TaskState.READY);
        assertThat(bed.get(id).tally().losses()).isZero();
        assertThat(bed.get(id).tally().retries()).isZero();
        assertThat(bed.get(id).attempts())
                .singleElement()
                .satisfies(attempt -> assertThat(attempt.outcome()).isEqualTo(Outcome.RELEASED));
    }

    @Test
    void a_handler_that_would_wait_for_itself_is_told_so() throws Exception {
        bed.millrace.handle("a", (payload, context) -> bed.millrace.drain());

        assertThat(bed.finished(bed.enqueue("a")).lastError()).contains("drain from another thread");
    }

    @Test
    void who_waits_for_a_task_is_told_when_millrace_is_closed() {
        CompletableFuture<Task> finished = bed.millrace.finished(bed.enqueue("a"));

        bed.millrace.close();

        assertThat(finished).isCompletedExceptionally();
    }

    @Test
    void what_a_handler_says_after_its_end_is_refused() throws Exception {
        AtomicReference<TaskContext> kept = new AtomicReference<>();
        bed.millrace.handle("a", (payload, context) -> kept.set(context));
        bed.finished(bed.enqueue("a"));

        assertThatThrownBy(() -> kept.get().spawn(NewTask.builder("a").build())).hasMessageContaining("has ended");
    }

    @Test
    void a_closed_millrace_refuses_new_tasks_and_handlers() {
        bed.millrace.close();

        assertThatThrownBy(() -> bed.enqueue("a")).hasMessageContaining("closed");
        assertThatThrownBy(() -> bed.millrace.handle("a", (payload, context) -> {}))
                .hasMessageContaining("closed");
    }

    @Test
    void handlers_run_on_virtual_threads_where_there_are_any_and_they_are_wanted() throws Exception {
        boolean possible = Runtime.version().feature() >= 21;
        for (boolean wanted : new boolean[] {true, false}) {
            try (Bed other = new Bed(options -> options.virtualThreads(wanted))) {
                AtomicReference<Thread> thread = new AtomicReference<>();
                other.millrace.handle("a", (payload, context) -> thread.set(Thread.currentThread()));
                other.finished(other.enqueue("a"));

                assertThat(thread.get().toString().startsWith("VirtualThread")).isEqualTo(possible && wanted);
                assertThat(thread.get().getName()).startsWith("millrace-");
            }
        }
    }
}
