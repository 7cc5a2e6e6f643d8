package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.NewTask;
import io.millrace.StoreUnavailableException;
import io.millrace.TopicPolicy;
import io.millrace.server.Bed.Answer;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Whoever reads very much does not hold up those who do something. */
class LongReadsTest {
    private static final int THREADS = 4;

    private final CountDownLatch hold = new CountDownLatch(1);

    /** Keeps as many reads of a key under way as may be, until {@link #hold} ends. */
    private void occupy(Bed bed, String key, int reads) {
        var vertx = bed.server.service().vertx();
        AtomicInteger begun = new AtomicInteger();
        for (int i = 0; i < reads; i++) {
            var unused = bed.server.service().reads().make(vertx.getOrCreateContext(), key, false, () -> {
                begun.incrementAndGet();
                return hold.await(30, TimeUnit.SECONDS);
            });
        }
        Awaitility.await().until(() -> begun.get() == Math.min(reads, LongReads.AT_A_TIME));
    }

    @Test
    void a_key_has_a_number_of_reads_at_once_and_the_others_wait_or_are_refused() {
        try (Bed bed = new Bed()) {
            occupy(bed, "", LongReads.AT_A_TIME + LongReads.WAITING - 1);
            CompletableFuture<Answer> waits =
                    bed.sendAsync(bed.request("/v1/tasks/count").build());
            Awaitility.await().until(() -> bed.server.service().reads().waiting("") == LongReads.WAITING);

            for (String path : List.of("/v1/tasks", "/v1/tasks?limit=1", "/v1/topics", "/v1/workers", "/metrics")) {
                Answer refused = bed.get(path);
                assertThat(refused.status()).as(path).isEqualTo(429);
                assertThat(refused.response().headers().firstValue("Retry-After"))
                        .isPresent();
            }
            assertThat(waits).isNotDone();
            hold.countDown();
            assertThat(waits.join().status()).isEqualTo(200);
        }
    }

    @Test
    void other_keys_and_other_calls_do_not_wait() {
        AccessKey.Generated one = AccessKey.generate("one", Role.VIEWER, Set.of());
        AccessKey.Generated other = AccessKey.generate("other", Role.ADMIN, Set.of());
        try (Bed bed =
                new Bed(options -> options.keys(List.of(one.key(), other.key())).workerThreads(20))) {
            occupy(bed, "one", 20);

            for (String path : List.of("/v1/tasks/count", "/v1/topics", "/v1/topics/t")) {
                Answer answer = bed.send(bed.request(path)
                        .header("Authorization", "Bearer " + other.secret())
                        .build());
                assertThat(answer.status()).as(path).isEqualTo(200);
            }
            hold.countDown();
        }
    }

    @Test
    void probes_do_not_wait_behind_reads() {
        try (Bed bed = new Bed(options -> options.workerThreads(1))) {
            occupy(bed, "", 1);

            assertThat(bed.get("/health/ready").status()).isEqualTo(200);
            assertThat(bed.get("/health/live").status()).isEqualTo(200);
            hold.countDown();
        }
    }

    @Test
    void a_store_that_does_not_answer_is_not_ready() throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            Readiness readiness = new Readiness(vertx, () -> {
                try {
                    hold.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });

            assertThatThrownBy(() -> readiness
                            .ask()
                            .toCompletionStage()
                            .toCompletableFuture()
                            .get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(StoreUnavailableException.class);
            hold.countDown();
            // the answer of the check that hung, or of the next one
            assertThat(readiness.ask().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS))
                    .isTrue();
        } finally {
            hold.countDown();
            vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void a_search_in_errors_does_not_hold_up_producers() throws Exception {
        try (Bed bed = Bed.inRealTime(Duration.ofSeconds(30))) {
            fail(bed, 4_000, "x".repeat(5_000));
            AtomicBoolean stop = new AtomicBoolean();
            List<Thread> readers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Thread reader = new Thread(() -> {
                    while (!stop.get()) {
                        bed.get("/v1/tasks/count?text=xxxxy");
                    }
                });
                reader.start();
                readers.add(reader);
            }
            long[] nanos = new long[200];
            for (int i = 0; i < nanos.length; i++) {
                long start = System.nanoTime();
                bed.millrace.enqueue(NewTask.builder("t").build());
                nanos[i] = System.nanoTime() - start;
            }
            stop.set(true);
            for (Thread reader : readers) {
                reader.join();
            }
            Arrays.sort(nanos);

            assertThat(Duration.ofNanos(nanos[nanos.length / 2])).isLessThan(Duration.ofMillis(20));
        }
    }

    private static void fail(Bed bed, int tasks, String error) throws Exception {
        bed.millrace.topics().setPolicy("bad", TopicPolicy.builder().build());
        bed.millrace.handle("bad", (payload, context) -> {
            throw new IllegalStateException(error);
        });
        List<NewTask> all = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            all.add(NewTask.builder("bad").build());
        }
        bed.millrace.enqueue(all);
        bed.millrace.drain();
    }
}
