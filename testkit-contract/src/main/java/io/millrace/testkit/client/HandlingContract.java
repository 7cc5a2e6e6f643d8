package io.millrace.testkit.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Attempt;
import io.millrace.ClaimOrder;
import io.millrace.Handler;
import io.millrace.InvalidValueException;
import io.millrace.NewTask;
import io.millrace.OnTimeout;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.Retry;
import io.millrace.StopException;
import io.millrace.Task;
import io.millrace.TaskNotFoundException;
import io.millrace.TaskState;
import io.millrace.TimedOutException;
import io.millrace.TopicPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Handlers, and what becomes of their tasks. */
abstract class HandlingContract extends MillraceGroup {
    @Test
    void a_result_is_kept() throws Exception {
        millrace.handle("echo", (payload, context) -> context.result(payload));

        Task json = finished(enqueue(NewTask.builder("echo").payload(text("hello"))));
        Task bytes = finished(enqueue(NewTask.builder("echo").payload(Payload.bytes(new byte[] {1, 2}))));

        assertThat(json.state()).isEqualTo(TaskState.SUCCEEDED);
        assertThat(json.result()).isEqualTo(text("hello"));
        assertThat(bytes.result()).isEqualTo(Payload.bytes(new byte[] {1, 2}));
    }

    @Test
    void a_handler_sees_what_it_runs() throws Exception {
        CompletableFuture<Task> seen = new CompletableFuture<>();
        millrace.handle("t", (payload, context) -> seen.complete(context.task()));
        NewTask given = NewTask.builder("t")
                .payload(text("x"))
                .entityId("e")
                .scope("a", "b")
                .priority(7)
                .build();

        var unused = millrace.enqueue(given);

        Task task = seen.get(SECONDS, TimeUnit.SECONDS);
        assertThat(task.id()).isEqualTo(given.id());
        assertThat(task.payload()).isEqualTo(text("x"));
        assertThat(task.given().entityId()).isEqualTo("e");
        assertThat(task.given().scope()).containsExactly("a", "b");
        assertThat(task.given().priority()).isEqualTo(7);
        assertThat(task.state()).isEqualTo(TaskState.RUNNING);
    }

    @Test
    void a_failure_is_retried_and_every_attempt_is_kept() throws Exception {
        millrace.handle("flaky", (payload, context) -> {
            if (context.attempt() < 3) {
                throw new IllegalStateException("not yet " + context.attempt());
            }
        });

        Task task = finished(enqueue(NewTask.builder("flaky").retry(quickRetries(5))));

        assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED);
        assertThat(task.attempts())
                .extracting(Attempt::outcome)
                .containsExactly(Outcome.FAILED, Outcome.FAILED, Outcome.SUCCEEDED);
        assertThat(task.attempts().get(1).error()).contains("not yet 2");
        assertThat(task.tally().retries()).isEqualTo(2);
        assertThat(task.tally().attempts()).isEqualTo(3);
    }

    private static Retry quickRetries(int max) {
        return Retry.constant(Duration.ofMillis(1)).max(max);
    }

    @Test
    void the_last_failure_is_final() throws Exception {
        millrace.handle("broken", (payload, context) -> {
            throw new IllegalStateException("always");
        });

        Task task = finished(enqueue(NewTask.builder("broken").retry(quickRetries(2))));

        assertThat(task.state()).isEqualTo(TaskState.FAILED);
        assertThat(task.attempts()).hasSize(3);
        assertThat(task.lastError()).contains("always");
    }

    @Test
    void stop_ends_the_retries() throws Exception {
        millrace.handle("hopeless", (payload, context) -> {
            throw new StopException("no way", new IllegalStateException());
        });

        Task task = finished(enqueue(NewTask.builder("hopeless").retry(quickRetries(5))));

        assertThat(task.state()).isEqualTo(TaskState.FAILED);
        assertThat(task.attempts()).hasSize(1);
    }

    @Test
    void a_task_that_runs_too_long_is_timed_out_and_its_handler_interrupted() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        millrace.handle("slow", (payload, context) -> untilInterrupted(interrupted));

        Task task = finished(enqueue(NewTask.builder("slow").timeout(Duration.ofMillis(200))));

        assertThat(task.state()).isEqualTo(TaskState.TIMED_OUT);
        assertThat(interrupted.await(SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_handler_that_ends_on_time_counts_as_timed_out_by_the_topics_policy() throws Exception {
        millrace.topics()
                .setPolicy(
                        "again",
                        TopicPolicy.builder().onTimeout(OnTimeout.RETRY).build());
        Handler<Payload> late = (payload, context) -> {
            throw new TimedOutException("it took too long");
        };

        // one after the other: a new handler ends a request for tasks, and what was on its way may be handed back
        millrace.handle("final", late);
        Task ended = finished(enqueue(NewTask.builder("final").retry(quickRetries(1))));
        millrace.handle("again", late);
        Task retried = finished(enqueue(NewTask.builder("again").retry(quickRetries(1))));

        assertThat(ended.state()).isEqualTo(TaskState.TIMED_OUT);
        assertThat(ended.attempts()).hasSize(1);
        assertThat(ended.lastError()).contains("it took too long");
        assertThat(retried.state()).isEqualTo(TaskState.TIMED_OUT);
        assertThat(retried.attempts())
                .extracting(Attempt::outcome)
                .containsExactly(Outcome.TIMED_OUT, Outcome.TIMED_OUT);
    }

    private static void untilInterrupted(CountDownLatch interrupted) throws InterruptedException {
        try {
            new CountDownLatch(1).await();
        } finally {
            interrupted.countDown();
        }
    }

    @Test
    void a_handler_can_ask_for_more_time() throws Exception {
        CompletableFuture<Boolean> extended = new CompletableFuture<>();
        CountDownLatch end = new CountDownLatch(1);
        millrace.handle("slow", (payload, context) -> {
            extended.complete(context.extend(LONG));
            end.await();
        });
        UUID id = enqueue(NewTask.builder("slow").timeout(Duration.ofSeconds(20)));

        assertThat(extended.get(SECONDS, TimeUnit.SECONDS)).isTrue();
        Task.Hold hold = get(id).hold();
        assertThat(hold).isNotNull();
        assertThat(Duration.between(hold.since(), hold.until())).isGreaterThanOrEqualTo(LONG);
        end.countDown();
        assertThat(finished(id).state()).isEqualTo(TaskState.SUCCEEDED);
    }

    @Test
    void a_running_task_that_is_cancelled_is_told_to_stop() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        millrace.handle("long", (payload, context) -> {
            started.countDown();
            untilInterrupted(interrupted);
        });
        UUID id = enqueue("long");
        assertThat(started.await(SECONDS, TimeUnit.SECONDS)).isTrue();

        millrace.cancel(id);

        assertThat(interrupted.await(SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(finished(id).state()).isEqualTo(TaskState.CANCELLED);
    }

    @Test
    void progress_is_seen_while_the_task_runs() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        millrace.handle("steps", (payload, context) -> {
            context.progress(40, "half way");
            end.await();
        });
        UUID id = enqueue("steps");

        eventually(() -> get(id).progress() != null);
        assertThat(get(id).progress()).isNotNull().satisfies(progress -> {
            assertThat(progress.percent()).isEqualTo(40);
            assertThat(progress.message()).isEqualTo("half way");
        });
        end.countDown();
        finished(id);
    }

    @Test
    void a_snoozed_task_comes_again_and_uses_no_retry() throws Exception {
        millrace.handle("later", (payload, context) -> {
            if (context.attempt() == 1) {
                context.snooze(Duration.ofMillis(10));
            }
        });

        Task task = finished(enqueue("later"));

        assertThat(task.attempts()).extracting(Attempt::outcome).containsExactly(Outcome.SNOOZED, Outcome.SUCCEEDED);
        assertThat(task.tally().retries()).isZero();
    }

    @Test
    void several_topics_are_handled_also_those_that_come_later() throws Exception {
        AtomicInteger first = new AtomicInteger();
        AtomicInteger second = new AtomicInteger();
        millrace.handle("one", (payload, context) -> first.incrementAndGet());
        finished(enqueue("one"));
        millrace.handle("two", (payload, context) -> second.incrementAndGet());
        finished(enqueue("two"));
        finished(enqueue("one"));

        assertThat(first).hasValue(2);
        assertThat(second).hasValue(1);
    }

    @Test
    void a_handler_of_all_topics_gets_what_has_no_handler_of_its_own() throws Exception {
        Queue<String> own = new ConcurrentLinkedQueue<>();
        Queue<String> others = new ConcurrentLinkedQueue<>();
        UUID before = enqueue("before");
        millrace.handle("own", (payload, context) -> own.add(context.task().topic()));
        millrace.handle("*", (payload, context) -> others.add(context.task().topic()));

        finished(before);
        finished(enqueue("own"));
        finished(enqueue("new"));
        finished(enqueue(NewTask.builder("delayed").delay(Duration.ofMillis(50))));
        finished(enqueue("own"));

        assertThat(own).containsExactly("own", "own");
        assertThat(others).containsExactly("before", "new", "delayed");
    }

    @Test
    void a_topic_can_get_its_own_handler_after_that_of_all_topics() throws Exception {
        Queue<String> own = new ConcurrentLinkedQueue<>();
        Queue<String> others = new ConcurrentLinkedQueue<>();
        millrace.handle("*", (payload, context) -> others.add(context.task().topic()));
        finished(enqueue("t"));

        millrace.handle("t", (payload, context) -> own.add(context.task().topic()));
        finished(enqueue("t"));
        finished(enqueue("u"));

        assertThat(own).containsExactly("t");
        assertThat(others).containsExactly("t", "u");
    }

    @Test
    void one_handler_serves_several_topics_from_the_first_claim_on() throws Exception {
        Queue<String> ran = new ConcurrentLinkedQueue<>();
        millrace.handle("taken", (payload, context) -> {});

        assertThatThrownBy(() -> millrace.handle(Set.of("a", "taken"), (payload, context) -> {}))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("taken");
        assertThatThrownBy(() -> millrace.handle(Set.of(), (payload, context) -> {}))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("topics");
        millrace.handle(
                Set.of("a", "b"), (payload, context) -> ran.add(context.task().topic()));
        finished(enqueue("a"));
        finished(enqueue("b"));

        assertThat(ran).containsExactly("a", "b");
    }

    @Test
    void topics_take_turns_by_priority_and_age_if_the_oldest_is_wanted() throws Exception {
        reopen(MillraceFixture.quick().workers(1).prefetch(0).claimOrder(ClaimOrder.OLDEST));
        Queue<UUID> ran = new ConcurrentLinkedQueue<>();
        List<UUID> low = new ArrayList<>();
        List<UUID> normal = new ArrayList<>();
        List<UUID> high = new ArrayList<>();
        // much of one topic first, so that fair shares would mix them
        for (String topic : List.of("a", "a", "a", "a", "b", "c", "a", "b", "b", "c", "a", "d")) {
            low.add(enqueue(NewTask.builder(topic).priority(200)));
            normal.add(enqueue(NewTask.builder(topic)));
            high.add(enqueue(NewTask.builder(topic).priority(1)));
        }

        millrace.handle("*", (payload, context) -> ran.add(context.task().id()));

        List<UUID> expected = Stream.of(high, normal, low).flatMap(List::stream).toList();
        for (UUID id : expected) {
            finished(id);
        }
        assertThat(ran).containsExactlyElementsOf(expected);
    }

    @Test
    void many_tasks_each_run_once() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        millrace.handle("many", (payload, context) -> runs.incrementAndGet());
        List<NewTask> tasks =
                IntStream.range(0, 2_000).mapToObj(i -> task("many")).toList();

        var unused = millrace.enqueue(tasks);

        for (NewTask task : tasks) {
            assertThat(finished(task.id()).state()).isEqualTo(TaskState.SUCCEEDED);
        }
        assertThat(runs).hasValue(2_000);
    }

    @Test
    void drain_runs_what_is_there() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        var unused = millrace.enqueue(
                IntStream.range(0, 50).mapToObj(i -> task("burst")).toList());
        UUID later = enqueue(NewTask.builder("burst").delay(LONG));

        millrace.handle("burst", (payload, context) -> runs.incrementAndGet());
        var ended = millrace.drain();

        assertThat(runs).hasValue(50);
        assertThat(ended).isBetween(0L, 50L);
        assertThat(state(later)).isEqualTo(TaskState.SCHEDULED);
    }

    @Test
    void finished_tells_everybody_who_waits() throws Exception {
        UUID id = enqueue("t");
        List<CompletableFuture<Task>> waiting =
                IntStream.range(0, 100).mapToObj(i -> millrace.finished(id)).toList();
        millrace.handle("t", (payload, context) -> {});

        for (CompletableFuture<Task> each : waiting) {
            assertThat(each.get(SECONDS, TimeUnit.SECONDS).state()).isEqualTo(TaskState.SUCCEEDED);
        }
    }

    @Test
    void finished_of_a_task_that_is_not_there_fails() throws Exception {
        assertThat(failureOf(millrace.finished(UUID.randomUUID()))).isInstanceOf(TaskNotFoundException.class);
    }

    @Test
    void nobody_waits_for_a_millrace_that_is_closed() throws Exception {
        CompletableFuture<Task> waiting = millrace.finished(enqueue("t"));

        millrace.close();

        assertThat(failureOf(waiting)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> millrace.enqueue(task("t"))).isInstanceOf(IllegalStateException.class);
    }
}
