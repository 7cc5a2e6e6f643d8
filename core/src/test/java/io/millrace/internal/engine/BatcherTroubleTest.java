package io.millrace.internal.engine;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Exceptions in the middle of batches, and crowds. */
@Timeout(30)
class BatcherTroubleTest {
    private static final ExecutorService POOL = Executors.newCachedThreadPool();

    @AfterAll
    static void shutDown() {
        POOL.shutdownNow();
    }

    /** Tests must not close them: from JDK 19 on, JUnit would, as with every argument that can be closed. */
    static List<Named<Executor>> executors() {
        return List.of(Named.of("on the caller's thread", Runnable::run), Named.of("in a pool", POOL));
    }

    /** Submits 1 to 10 so that they share one batch, which meets {@code trouble}. */
    private static List<CompletableFuture<String>> together(
            Executor executor, Function<List<Integer>, List<String>> trouble) throws Exception {
        HeldStore store = HeldStore.held();
        Batcher<Integer, String> batcher = new Batcher<>(100, executor, requests -> {
            List<String> answers = store.apply(requests);
            return requests.contains(0) ? answers : trouble.apply(requests);
        });
        Future<String> leader = POOL.submit(() -> batcher.call(0));
        store.awaitCall();
        List<CompletableFuture<String>> submitted =
                IntStream.rangeClosed(1, 10).mapToObj(batcher::submit).toList();
        store.letAllThrough();
        assertThat(leader.get(10, SECONDS)).isEqualTo("0");
        store.awaitCall();
        assertThat(store.batches().get(1)).hasSize(10);
        return submitted;
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("executors")
    void all_of_a_batch_hear_that_the_store_cannot_be_reached(Executor executor) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        StoreUnavailableException outage = new StoreUnavailableException("no store", new IllegalStateException());
        List<CompletableFuture<String>> submitted = together(executor, requests -> {
            calls.incrementAndGet();
            throw outage;
        });
        for (CompletableFuture<String> answer : submitted) {
            assertThatThrownBy(() -> answer.get(10, SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isSameAs(outage);
        }
        assertThat(calls).as("an outage is not repeated for each").hasValue(1);
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("executors")
    void one_bad_request_does_not_hurt_its_neighbours(Executor executor) throws Exception {
        IllegalStateException bug = new IllegalStateException("a bug, on purpose");
        List<CompletableFuture<String>> submitted = together(executor, requests -> {
            if (requests.contains(4)) {
                throw bug;
            }
            return requests.stream().map(String::valueOf).toList();
        });
        for (int i = 1; i <= 10; i++) {
            CompletableFuture<String> answer = submitted.get(i - 1);
            if (i == 4) {
                assertThatThrownBy(() -> answer.get(10, SECONDS)).cause().isSameAs(bug);
            } else {
                assertThat(answer.get(10, SECONDS)).isEqualTo(String.valueOf(i));
            }
        }
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("executors")
    void an_outage_while_a_batch_is_taken_apart_reaches_those_it_concerns(Executor executor) throws Exception {
        List<CompletableFuture<String>> submitted = together(executor, requests -> {
            if (requests.size() > 1) {
                throw new IllegalStateException("a bug, on purpose");
            }
            if (requests.get(0) > 5) {
                throw new StoreUnavailableException("no store", new IllegalStateException());
            }
            return List.of(String.valueOf(requests.get(0)));
        });
        for (int i = 1; i <= 10; i++) {
            CompletableFuture<String> answer = submitted.get(i - 1);
            if (i > 5) {
                assertThatThrownBy(() -> answer.get(10, SECONDS)).hasCauseInstanceOf(StoreUnavailableException.class);
            } else {
                assertThat(answer.get(10, SECONDS)).isEqualTo(String.valueOf(i));
            }
        }
    }

    @Test
    void a_caller_gets_the_exception_as_it_was_thrown_and_the_next_call_is_made() {
        List<Throwable> troubles = new ArrayList<>(List.of(
                new StoreUnavailableException("no store", new IllegalStateException()),
                new IllegalArgumentException("a bug, on purpose"),
                new AssertionError("an error, on purpose")));
        List<Throwable> left = new ArrayList<>(troubles);
        Batcher<Integer, String> batcher = new Batcher<>(10, POOL, requests -> {
            if (!left.isEmpty()) {
                throwUnchecked(left.remove(0));
            }
            return List.of("fine");
        });
        for (Throwable trouble : troubles) {
            assertThatThrownBy(() -> batcher.call(1)).isSameAs(trouble);
        }
        assertThat(batcher.call(1)).isEqualTo("fine");
    }

    private static void throwUnchecked(Throwable trouble) {
        if (trouble instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) trouble;
    }

    @Test
    void a_store_that_forgets_answers_does_not_leave_callers_waiting() {
        Batcher<Integer, String> batcher = new Batcher<>(10, POOL, requests -> List.of());
        assertThatThrownBy(() -> batcher.call(1)).isInstanceOf(IndexOutOfBoundsException.class);
        CompletableFuture<String> submitted = batcher.submit(2);
        assertThatThrownBy(() -> submitted.get(10, SECONDS)).hasCauseInstanceOf(IndexOutOfBoundsException.class);
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("executors")
    void in_a_crowd_everyone_gets_his_own_answer_and_batches_do_not_overlap(Executor executor) throws Exception {
        int threads = 8;
        int each = 2_000;
        AtomicInteger inside = new AtomicInteger();
        Batcher<Integer, String> batcher = new Batcher<>(5, executor, requests -> {
            if (inside.incrementAndGet() != 1 || requests.size() > 5) {
                throw new AssertionError("a batch of " + requests.size() + " beside another");
            }
            try {
                if (requests.stream().anyMatch(request -> request % 100 == 7)) {
                    throw new IllegalArgumentException("a bad request, on purpose");
                }
                return requests.stream().map(String::valueOf).toList();
            } finally {
                inside.decrementAndGet();
            }
        });
        CyclicBarrier start = new CyclicBarrier(threads);
        List<Future<Integer>> futures = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int first = thread * each;
            Callable<Integer> crowd = () -> {
                start.await();
                return refusals(batcher, first, each);
            };
            futures.add(POOL.submit(crowd));
        }
        int refused = 0;
        for (Future<Integer> future : futures) {
            refused += future.get(20, SECONDS);
        }
        assertThat(refused).isEqualTo(threads * each / 100);
    }

    /** Calls, waiting and not waiting in turn. @return how many were refused, which must be those that are bad */
    private static int refusals(Batcher<Integer, String> batcher, int first, int count) throws Exception {
        int refused = 0;
        for (int request = first; request < first + count; request++) {
            try {
                String answer = request % 3 == 0
                        ? batcher.call(request)
                        : batcher.submit(request).get(10, SECONDS);
                assertThat(answer).isEqualTo(String.valueOf(request));
            } catch (IllegalArgumentException | ExecutionException e) {
                assertThat(request % 100).isEqualTo(7);
                refused++;
            }
        }
        return refused;
    }

    @Test
    void a_long_stream_of_submitted_calls_does_not_pile_up_on_the_stack() {
        AtomicInteger calls = new AtomicInteger();
        List<Batcher<Integer, Integer>> self = new ArrayList<>();
        self.add(new Batcher<>(1_000, Runnable::run, requests -> {
            if (calls.incrementAndGet() < 20_000) {
                var unused = self.get(0).submit(0);
            }
            return requests;
        }));

        assertThat(self.get(0).submit(0)).succeedsWithin(Duration.ofSeconds(10));
        assertThat(calls.get()).isEqualTo(20_000);
    }
}
