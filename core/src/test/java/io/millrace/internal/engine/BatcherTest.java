package io.millrace.internal.engine;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(30)
class BatcherTest {
    private static final ExecutorService POOL = Executors.newCachedThreadPool();

    @AfterAll
    static void shutDown() {
        POOL.shutdownNow();
    }

    /** Tests must not close them: from JDK 19 on, JUnit would, as with every argument that can be closed. */
    static List<Named<Executor>> executors() {
        return List.of(Named.of("on the caller's thread", Runnable::run), Named.of("in a pool", POOL));
    }

    /** A call in a thread of its own. */
    private record Caller(Thread thread, FutureTask<String> answer) {
        static Caller of(Batcher<Integer, String> batcher, int request) {
            FutureTask<String> answer = new FutureTask<>(() -> batcher.call(request));
            Thread thread = new Thread(answer, "caller-" + request);
            thread.start();
            return new Caller(thread, answer);
        }

        void awaitParked() {
            BatcherTest.awaitParked(thread);
        }

        String get() throws Exception {
            return answer.get(10, SECONDS);
        }
    }

    @Test
    void callers_are_waited_for_in_proportion_but_not_long_after_a_call_that_hung() {
        assertThat(Batcher.patience(2_000_000)).isEqualTo(500_000);
        assertThat(Batcher.patience(Duration.ofSeconds(30).toNanos()))
                .isEqualTo(Duration.ofMillis(5).toNanos());
    }

    @Test
    void a_single_call_is_made_at_once_on_the_callers_thread() {
        AtomicReference<Thread> leader = new AtomicReference<>();
        Batcher<Integer, String> batcher = new Batcher<>(10, POOL, requests -> {
            leader.set(Thread.currentThread());
            return List.of("answer to " + requests);
        });
        assertThat(batcher.call(7)).isEqualTo("answer to [7]");
        assertThat(leader).hasValue(Thread.currentThread());
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("executors")
    void a_submitted_call_is_made_where_the_executor_says(Executor executor) throws Exception {
        AtomicReference<Thread> leader = new AtomicReference<>();
        Batcher<Integer, String> batcher = new Batcher<>(10, executor, requests -> {
            leader.set(Thread.currentThread());
            return List.of("answer to " + requests);
        });
        assertThat(batcher.submit(7).get(10, SECONDS)).isEqualTo("answer to [7]");
        assertThat(leader.get() == Thread.currentThread()).isEqualTo(executor != POOL);
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("executors")
    void calls_that_come_in_meanwhile_share_a_batch_and_each_gets_its_own_answer(Executor executor) throws Exception {
        HeldStore store = HeldStore.held();
        Batcher<Integer, String> batcher = new Batcher<>(100, executor, store);
        Caller leader = Caller.of(batcher, 0);
        store.awaitCall();
        List<Caller> callers = IntStream.rangeClosed(1, 20)
                .mapToObj(i -> Caller.of(batcher, i))
                .toList();
        callers.forEach(Caller::awaitParked);
        List<CompletableFuture<String>> submitted =
                IntStream.rangeClosed(21, 30).mapToObj(batcher::submit).toList();
        store.letAllThrough();

        assertThat(leader.get()).isEqualTo("0");
        for (int i = 1; i <= 30; i++) {
            String answer =
                    i <= 20 ? callers.get(i - 1).get() : submitted.get(i - 21).get(10, SECONDS);
            assertThat(answer).isEqualTo(String.valueOf(i));
        }
        assertThat(store.batches()).hasSize(2);
        assertThat(store.batches().get(1))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.rangeClosed(1, 30).boxed().toList());
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("executors")
    void a_batch_takes_no_more_than_it_may_and_in_order(Executor executor) throws Exception {
        HeldStore store = HeldStore.held();
        Batcher<Integer, String> batcher = new Batcher<>(10, executor, store);
        Caller leader = Caller.of(batcher, 0);
        store.awaitCall();
        List<CompletableFuture<String>> submitted =
                IntStream.rangeClosed(1, 25).mapToObj(batcher::submit).toList();
        store.letAllThrough();

        leader.get();
        for (int i = 1; i <= 25; i++) {
            assertThat(submitted.get(i - 1).get(10, SECONDS)).isEqualTo(String.valueOf(i));
        }
        assertThat(store.batches()).containsExactly(List.of(0), range(1, 10), range(11, 20), range(21, 25));
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("executors")
    void an_interrupt_does_not_end_the_wait_and_is_not_lost(Executor executor) throws Exception {
        HeldStore store = HeldStore.held();
        Batcher<Integer, String> batcher = new Batcher<>(10, executor, store);
        Caller leader = Caller.of(batcher, 0);
        store.awaitCall();
        AtomicBoolean kept = new AtomicBoolean();
        FutureTask<String> answer = new FutureTask<>(() -> {
            String got = batcher.call(1);
            kept.set(Thread.interrupted());
            return got;
        });
        Thread waiting = new Thread(answer);
        waiting.start();
        awaitParked(waiting);
        waiting.interrupt();
        awaitParked(waiting);
        store.letAllThrough();

        assertThat(leader.get()).isEqualTo("0");
        assertThat(answer.get(10, SECONDS)).isEqualTo("1");
        assertThat(kept).isTrue();
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("executors")
    void what_hangs_on_an_answer_may_call_again(Executor executor) throws Exception {
        HeldStore store = HeldStore.held();
        Batcher<Integer, String> batcher = new Batcher<>(10, executor, store);
        Caller leader = Caller.of(batcher, 0);
        store.awaitCall();
        CompletableFuture<String> waiting = batcher.submit(1).thenApply(got -> got + batcher.call(10));
        CompletableFuture<String> chained = batcher.submit(2)
                .thenCompose(got -> batcher.submit(20).thenApply(more -> got + more))
                .thenCompose(got -> batcher.submit(30).thenApply(more -> got + more));
        store.letAllThrough();

        assertThat(leader.get()).isEqualTo("0");
        assertThat(waiting.get(10, SECONDS)).isEqualTo("110");
        assertThat(chained.get(10, SECONDS)).isEqualTo("22030");
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("executors")
    void a_leader_is_free_once_its_own_call_is_made_and_another_waits(Executor executor) throws Exception {
        HeldStore store = HeldStore.held();
        Batcher<Integer, String> batcher = new Batcher<>(1, executor, store);
        Caller first = Caller.of(batcher, 1);
        store.awaitCall();
        Caller second = Caller.of(batcher, 2);
        second.awaitParked();
        store.letOneThrough();
        store.awaitCall();

        assertThat(first.get()).as("although the second call hangs").isEqualTo("1");
        assertThat(second.answer).isNotDone();
        store.letOneThrough();
        assertThat(second.get()).isEqualTo("2");
    }

    @Test
    void a_leader_leaves_calls_that_nobody_waits_for_to_the_pool() throws Exception {
        HeldStore store = HeldStore.held();
        Batcher<Integer, String> batcher = new Batcher<>(1, POOL, store);
        Caller first = Caller.of(batcher, 1);
        store.awaitCall();
        CompletableFuture<String> second = batcher.submit(2);
        store.letOneThrough();
        store.awaitCall();

        assertThat(first.get()).as("although the second call hangs").isEqualTo("1");
        assertThat(second).isNotDone();
        store.letOneThrough();
        assertThat(second.get(10, SECONDS)).isEqualTo("2");
    }

    @Test
    void a_caller_is_answered_in_the_midst_of_an_endless_stream() throws Exception {
        AtomicBoolean goOn = new AtomicBoolean(true);
        List<Batcher<Integer, String>> self = new ArrayList<>();
        self.add(new Batcher<>(1, POOL, requests -> {
            if (goOn.get() && requests.contains(0)) {
                var unused = self.get(0).submit(0);
            }
            return List.of(String.valueOf(requests.get(0)));
        }));
        Batcher<Integer, String> batcher = self.get(0);
        CompletableFuture<String> first = batcher.submit(0);
        for (int i = 1; i <= 100; i++) {
            assertThat(Caller.of(batcher, i).get()).isEqualTo(String.valueOf(i));
        }
        goOn.set(false);
        assertThat(first).isCompletedWithValue("0");
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("executors")
    void a_cancelled_future_does_not_hurt_its_neighbours(Executor executor) throws Exception {
        HeldStore store = HeldStore.held();
        Batcher<Integer, String> batcher = new Batcher<>(10, executor, store);
        Caller leader = Caller.of(batcher, 0);
        store.awaitCall();
        CompletableFuture<String> given = batcher.submit(1);
        CompletableFuture<String> kept = batcher.submit(2);
        given.cancel(false);
        store.letAllThrough();

        assertThat(leader.get()).isEqualTo("0");
        assertThat(kept.get(10, SECONDS)).isEqualTo("2");
        assertThatThrownBy(given::join).isInstanceOf(CancellationException.class);
    }

    private static void awaitParked(Thread thread) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> !thread.isInterrupted() && thread.getState() == Thread.State.WAITING);
    }

    private static List<Integer> range(int from, int to) {
        return IntStream.rangeClosed(from, to).boxed().toList();
    }
}
