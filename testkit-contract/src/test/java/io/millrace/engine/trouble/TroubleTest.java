package io.millrace.engine.trouble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.Attempt;
import io.millrace.Limits;
import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.StoreUnavailableException;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.engine.trouble.Trouble.Moment;
import io.millrace.testkit.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The store goes away, before or after a call took effect, and comes back: nothing is lost, nothing hangs. */
class TroubleTest {
    private final String url = "trouble:" + UUID.randomUUID();
    private final SettableClock clock = new SettableClock();
    private final AtomicBoolean over = new AtomicBoolean();
    private Millrace millrace;

    @AfterEach
    void close() {
        over.set(true);
        if (millrace != null) {
            millrace.closeNow();
        }
        TroubledProvider.TROUBLES.remove(url);
    }

    private void open(Trouble trouble) {
        TroubledProvider.TROUBLES.put(url, call -> over.get() ? Moment.NEVER : trouble.of(call));
        MillraceOptions options =
                MillraceOptions.builder().workers(2).clock(clock).build();
        millrace = persist(() -> Millrace.open(url, options));
    }

    @Test
    void a_claim_that_is_answered_when_the_close_has_begun_starts_no_handler() throws Exception {
        CountDownLatch claims = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        open(call -> {
            if (call.equals("claim")) {
                claims.countDown();
                awaitIt(answers);
            }
            return Moment.NEVER;
        });
        millrace.enqueue(NewTask.builder("a").build());
        millrace.handle("a", (payload, context) -> runs.incrementAndGet());
        Thread draining = new Thread(() -> {
            try {
                millrace.drain();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        draining.start();
        claims.await();
        Thread closing = new Thread(millrace::close);
        closing.start();
        await().until(() -> Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING, Thread.State.TERMINATED)
                .contains(closing.getState()));

        answers.countDown();
        closing.join();
        draining.join();

        assertThat(runs).hasValue(0);
    }

    @Test
    void a_task_past_its_deadline_expires_however_long_its_end_cannot_be_kept() throws Exception {
        open(call -> call.equals("complete") ? Moment.BEFORE : Moment.NEVER);
        UUID id = millrace.enqueue(NewTask.builder("a")
                        .deadline(Duration.ofSeconds(1))
                        .timeout(Duration.ofSeconds(2))
                        .build())
                .id();
        clock.advance(Duration.ofSeconds(2));
        millrace.handle("a", (payload, context) -> {});
        await().until(() -> millrace.find(id).orElseThrow().state() == TaskState.RUNNING);
        for (int i = 0; i < 60; i++) {
            clock.advance(Duration.ofSeconds(1));
        }

        over.set(true);

        await().until(() -> {
            clock.advance(Duration.ofSeconds(1));
            return millrace.find(id).orElseThrow().state().isFinal();
        });
        Task expired = millrace.find(id).orElseThrow();
        assertThat(expired.state()).isEqualTo(TaskState.EXPIRED);
        assertThat(expired.attempts()).isEmpty();
    }

    private static void awaitIt(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Call<T> {
        T make();
    }

    /** Does what callers are told to do: try again. */
    private static <T> T persist(Call<T> call) {
        while (true) {
            try {
                return call.make();
            } catch (StoreUnavailableException e) {
                assertThat(e).hasMessageContaining("cannot be done now");
            }
        }
    }

    /** Lets time pass until it is so. */
    private void passUntil(Call<Boolean> condition) {
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(2))
                .until(() -> {
                    clock.advance(Duration.ofMillis(500));
                    return persist(condition);
                });
    }

    @Test
    void what_is_on_its_way_when_one_more_handler_comes_is_run_and_not_handed_back() throws Exception {
        CompletableFuture<Void> claims = new CompletableFuture<>();
        CompletableFuture<Void> goesOn = new CompletableFuture<>();
        open(call -> {
            if (call.equals("claim")) {
                claims.complete(null);
                goesOn.join();
            }
            return Moment.NEVER;
        });
        UUID id = millrace.enqueue(NewTask.builder("one").build()).id();

        millrace.handle("one", (payload, context) -> {});
        claims.get(30, TimeUnit.SECONDS);
        millrace.handle("more", (payload, context) -> {});
        goesOn.complete(null);

        Task task = millrace.finished(id).get(30, TimeUnit.SECONDS);
        assertThat(task.attempts()).extracting(Attempt::outcome).containsExactly(Outcome.SUCCEEDED);
    }

    private void runTwentyTasks() {
        for (String topic : List.of("a", "b")) {
            persist(() -> {
                millrace.handle(topic, (payload, context) -> {});
                return true;
            });
        }
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            NewTask task = NewTask.builder(i % 2 == 0 ? "a" : "b")
                    .delay(Duration.ofMillis(i % 3 * 700))
                    .build();
            ids.add(persist(() -> millrace.enqueue(task)).id());
        }
        passUntil(() ->
                ids.stream().allMatch(id -> millrace.find(id).orElseThrow().state() == TaskState.SUCCEEDED));
        for (UUID id : ids) {
            Task task = persist(() -> millrace.find(id)).orElseThrow();
            assertThat(task.attempts().stream().filter(attempt -> attempt.outcome() == Outcome.SUCCEEDED))
                    .as("applied once: %s", task.attempts())
                    .hasSize(1);
        }
        assertThat(persist(() -> millrace.count(TaskQuery.ALL.pending()))).isEmpty();
    }

    static Stream<Arguments> everyCall() {
        return Stream.of(
                        "enqueue",
                        "claim",
                        "complete",
                        "claimExpired",
                        "get",
                        "count",
                        "register",
                        "serve",
                        "renew",
                        "list")
                .flatMap(call -> Stream.of(Moment.BEFORE, Moment.AFTER)
                        .flatMap(moment -> IntStream.of(1, 2, 3).mapToObj(n -> Arguments.of(call, moment, n))));
    }

    @ParameterizedTest
    @MethodSource("everyCall")
    void a_call_that_fails_delays_but_loses_nothing(String failing, Moment moment, int number) {
        AtomicInteger calls = new AtomicInteger();
        open(call -> call.equals(failing) && calls.incrementAndGet() == number ? moment : Moment.NEVER);

        runTwentyTasks();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void calls_that_fail_at_random_delay_but_lose_nothing(int seed) {
        Random random = new Random(seed);
        open(call -> {
            synchronized (random) {
                int chance = random.nextInt(20);
                return chance == 0 ? Moment.BEFORE : chance == 1 ? Moment.AFTER : Moment.NEVER;
            }
        });

        runTwentyTasks();
    }

    static IntStream seeds() {
        return IntStream.range(0, Boolean.getBoolean("millrace.long") ? 500 : 10);
    }

    @Test
    void a_long_outage_ends_with_everything_done_and_no_restart() {
        AtomicBoolean down = new AtomicBoolean();
        open(call -> down.get() ? Moment.BEFORE : Moment.NEVER);
        millrace.handle("a", (payload, context) -> {});
        UUID id = millrace.enqueue(
                        NewTask.builder("a").delay(Duration.ofSeconds(1)).build())
                .id();
        down.set(true);
        clock.advance(Duration.ofMinutes(10));
        assertThatThrownBy(() -> millrace.find(id)).isInstanceOf(StoreUnavailableException.class);

        down.set(false);

        passUntil(() -> millrace.find(id).orElseThrow().state() == TaskState.SUCCEEDED);
    }

    @Test
    void while_ends_cannot_be_kept_only_so_many_tasks_are_run() throws Exception {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        AtomicInteger handled = new AtomicInteger();
        open(call -> {
            if (call.equals("complete")) {
                gate.join();
            }
            return Moment.NEVER;
        });
        int tasks = 20 * Limits.CLAIM;
        for (int i = 0; i < tasks; i += Limits.BATCH) {
            millrace.enqueue(Stream.generate(() -> NewTask.builder("a").build())
                    .limit(Math.min(Limits.BATCH, tasks - i))
                    .toList());
        }
        millrace.handle("a", (payload, context) -> handled.incrementAndGet());

        try {
            await().until(() -> handled.get() >= 2 * Limits.CLAIM);
            // what was fetched before that is run
            await().during(Duration.ofMillis(300)).until(() -> handled.get() <= 6 * Limits.CLAIM);
        } finally {
            gate.complete(null);
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> handled.get() == tasks);
    }

    @Test
    void a_task_whose_end_is_refused_again_and_again_ends_by_its_time_and_is_forgotten() {
        AtomicInteger completions = new AtomicInteger();
        open(call -> {
            if (call.equals("complete") && completions.incrementAndGet() <= 2) {
                throw new IllegalArgumentException("refused, on purpose");
            }
            return Moment.NEVER;
        });
        millrace.topics()
                .setPolicy(
                        "a",
                        TopicPolicy.builder().timeout(Duration.ofSeconds(5)).build());
        millrace.handle("a", (payload, context) -> {});
        UUID id = millrace.enqueue(NewTask.builder("a").build()).id();
        await().until(() -> completions.get() >= 2);

        passUntil(() -> millrace.find(id).orElseThrow().state().isFinal());
        FutureTask<Long> drained = new FutureTask<>(millrace::drain);
        new Thread(drained).start();
        passUntil(drained::isDone);
    }

    @Test
    void a_redrive_that_is_cut_off_leaves_its_letters_to_the_next() {
        AtomicBoolean down = new AtomicBoolean();
        AtomicBoolean mended = new AtomicBoolean();
        open(call -> down.get() && call.equals("enqueue") ? Moment.BEFORE : Moment.NEVER);
        millrace.topics()
                .setPolicy("a", TopicPolicy.builder().deadLetter("dead").build());
        millrace.handle("a", (payload, context) -> {
            if (!mended.get()) {
                throw new IllegalStateException("no luck");
            }
        });
        millrace.enqueue(NewTask.builder("a").uniqueKey("k").build());
        TaskQuery ready = TaskQuery.ALL.topic("dead").state(TaskState.READY);
        passUntil(() -> !millrace.count(ready).isEmpty());
        down.set(true);
        assertThatThrownBy(() -> millrace.topics().redrive("dead")).isInstanceOf(StoreUnavailableException.class);
        assertThat(millrace.count(ready)).isEmpty();

        down.set(false);
        mended.set(true);

        passUntil(() -> !millrace.count(ready).isEmpty());
        assertThat(millrace.topics().redrive("dead")).isEqualTo(1);
    }

    @Test
    void an_outage_at_the_end_does_not_keep_a_millrace_from_closing() {
        AtomicBoolean down = new AtomicBoolean();
        open(call -> down.get() ? Moment.BEFORE : Moment.NEVER);
        millrace.handle("a", (payload, context) -> {});
        NewTask later = NewTask.builder("a").delay(Duration.ofHours(1)).build();
        millrace.enqueue(later);
        CompletableFuture<Task> awaited = millrace.finished(later.id());
        down.set(true);

        millrace.close();

        assertThat(awaited).isCompletedExceptionally();

        assertThatThrownBy(() -> millrace.enqueue(NewTask.builder("a").build())).hasMessageContaining("closed");
    }

    @Test
    void a_task_that_comes_when_the_wait_for_it_is_just_over_is_run_and_not_given_back() throws Exception {
        Semaphore held = new Semaphore(0);
        Semaphore entered = new Semaphore(0);
        open(call -> {
            if (call.equals("claim")) {
                entered.release();
                held.acquireUninterruptibly();
            }
            return Moment.NEVER;
        });
        millrace.handle("a", (payload, context) -> {});
        assertThat(entered.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        UUID id = millrace.enqueue("a", Payload.json("1")).id();
        clock.advance(Duration.ofSeconds(20));
        held.release(1_000);

        Task task = millrace.finished(id).get(10, TimeUnit.SECONDS);
        assertThat(task.attempts()).extracting(attempt -> attempt.outcome()).containsExactly(Outcome.SUCCEEDED);
    }
}
