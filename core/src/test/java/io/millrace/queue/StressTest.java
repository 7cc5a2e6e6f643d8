package io.millrace.queue;

import static io.millrace.queue.Background.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Qos;
import io.millrace.Retry;
import io.millrace.WorkQueue;
import io.millrace.WorkQueueBuilder;
import io.millrace.internal.engine.HandClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Nothing is lost and nothing runs twice, whatever happens at the same time. */
class StressTest {
    private static final int LONGER = Boolean.getBoolean("millrace.long") ? 50 : 1;
    private static final int PRODUCERS = 4;

    private static void produce(WorkQueue<Integer> queue, int each) throws Exception {
        List<Background<Boolean>> producers = new ArrayList<>();
        for (int p = 0; p < PRODUCERS; p++) {
            int first = p * each;
            producers.add(Background.doing(() -> {
                for (int i = 0; i < each; i++) {
                    queue.put(first + i);
                }
            }));
        }
        for (Background<Boolean> producer : producers) {
            producer.get();
        }
    }

    private static void assertOnceEach(AtomicIntegerArray counts) {
        for (int i = 0; i < counts.length(); i++) {
            assertThat(counts.get(i)).as("item %d", i).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"1,1,1", "1,3,1", "2,2,1", "3,2,3", "64,4,1", "1000,2,1", "4096,4,1", "4096,4,4", "100000,2,1"})
    void every_item_runs_once(int capacity, int workers, int streams) throws Exception {
        int each = (capacity < 10 ? 2_000 : 50_000) * LONGER;
        AtomicIntegerArray counts = new AtomicIntegerArray(PRODUCERS * each);
        try (WorkQueue<Integer> queue = WorkQueue.<Integer>builder()
                .capacity(capacity)
                .workers(workers)
                .streams(streams)
                .handler(counts::incrementAndGet)
                .build()) {
            produce(queue, each);
        }
        assertOnceEach(counts);
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "3", "200", "5000"})
    void one_worker_keeps_the_order_of_every_producer(int capacity) throws Exception {
        int each = 5_000 * LONGER;
        int[] next = new int[PRODUCERS];
        AtomicInteger disorder = new AtomicInteger();
        try (WorkQueue<Integer> queue = WorkQueue.<Integer>builder()
                .capacity(capacity)
                .workers(1)
                .handler(item -> disorder.addAndGet(next[item / each]++ == item % each ? 0 : 1))
                .build()) {
            produce(queue, each);
        }
        assertThat(disorder.get()).isZero();
        assertThat(next).containsOnly(each);
    }

    @ParameterizedTest
    @EnumSource(Qos.Algorithm.class)
    void lanes_lose_nothing_and_keep_their_order(Qos.Algorithm algorithm) throws Exception {
        int each = 5_000 * LONGER;
        int[] next = new int[PRODUCERS];
        AtomicInteger disorder = new AtomicInteger();
        WorkQueueBuilder<Integer> builder = WorkQueue.<Integer>builder()
                .workers(1)
                .handler(item -> disorder.addAndGet(next[item / each]++ == item % each ? 0 : 1));
        if (algorithm.isByKey()) {
            builder.capacity(20);
        }
        try (WorkQueue<Integer> queue = builder.qos(qos(algorithm, each)).build()) {
            produce(queue, each);
        }
        assertThat(disorder.get()).isZero();
        assertThat(next).containsOnly(each);
    }

    private static Qos<Integer> qos(Qos.Algorithm algorithm, int each) {
        Qos<Integer> lanes = switch (algorithm) {
            case STRICT -> Qos.strict();
            case ROUND_ROBIN -> Qos.roundRobin();
            case WEIGHTED_ROUND_ROBIN -> Qos.weightedRoundRobin();
            case DEFICIT_ROUND_ROBIN -> Qos.<Integer>deficitRoundRobin().cost(item -> item % 7);
            case FAIR -> Qos.<Integer>fair(item -> item / each).keyCapacity(3);
            case WEIGHTED_FAIR ->
                Qos.<Integer, Integer>weightedFair(item -> item / each, key -> key + 1)
                        .cost(item -> item % 7);
        };
        return algorithm.isByKey()
                ? lanes
                : lanes.lane("a", 1, 1, 5)
                        .lane("b", 5, 1, 1)
                        .lane("c", 10, 2, 2)
                        .priority((item, weight) -> 25.0 * (item / each));
    }

    @Test
    void no_item_is_stuck_while_workers_fall_asleep_and_wake() throws Exception {
        int each = 5_000 * LONGER;
        HandClock clock = new HandClock();
        AtomicIntegerArray counts = new AtomicIntegerArray(PRODUCERS * each);
        AtomicBoolean done = new AtomicBoolean();
        try (WorkQueue<Integer> queue = WorkQueue.<Integer>builder()
                .capacity(16)
                .workers(1, 8)
                .sleepInterval(Duration.ofSeconds(3))
                .clock(clock)
                .handler(counts::incrementAndGet)
                .build()) {
            Background<Boolean> time = Background.doing(() -> {
                while (!done.get()) {
                    clock.advance(Duration.ofSeconds(1));
                }
            });
            produce(queue, each);
            until(() -> queue.size() == 0);
            done.set(true);
            time.get();
        }
        assertOnceEach(counts);
    }

    @Test
    void quick_items_are_not_held_up_behind_a_slow_one_while_a_worker_is_idle() throws Exception {
        AtomicInteger quick = new AtomicInteger();
        for (int round = 0; round < 5 * LONGER; round++) {
            quick.set(0);
            try (WorkQueue<Integer> queue = WorkQueue.<Integer>builder()
                    .capacity(10_000)
                    .workers(2)
                    .handler(item -> {
                        if (item < 0) {
                            until(() -> quick.get() == 5_100);
                        } else {
                            quick.incrementAndGet();
                        }
                    })
                    .build()) {
                for (int i = 0; i < 5_000; i++) {
                    queue.put(i);
                }
                queue.put(-1);
                for (int i = 0; i < 100; i++) {
                    queue.put(i);
                }
                until(() -> quick.get() == 5_100);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"true, false", "true, true", "false, false", "false, true"})
    void every_put_was_refused_or_its_item_was_run_or_came_back(boolean force, boolean target) throws Exception {
        for (int round = 0; round < 30 * LONGER; round++) {
            AtomicIntegerArray taken = new AtomicIntegerArray(40_000);
            AtomicIntegerArray ended = new AtomicIntegerArray(40_000);
            var builder = WorkQueue.<Integer>builder()
                    .capacity(1 << ThreadLocalRandom.current().nextInt(11))
                    .workers(2)
                    .closeTimeout(Duration.ofMillis(1))
                    .retry(Retry.constant(Duration.ofMillis(1)).max(1_000))
                    .handler(item -> {
                        if (ThreadLocalRandom.current().nextInt(10) == 0) {
                            throw new IllegalArgumentException("sometimes");
                        }
                        ended.incrementAndGet(item);
                    });
            if (target) {
                builder.deadLetter(ended::incrementAndGet);
            }
            WorkQueue<Integer> queue = builder.build();
            AtomicInteger numbers = new AtomicInteger();
            List<Background<Boolean>> producers = new ArrayList<>();
            for (int p = 0; p < 2; p++) {
                producers.add(Background.doing(() -> {
                    try {
                        for (int i = numbers.getAndIncrement(); i < 40_000; i = numbers.getAndIncrement()) {
                            queue.put(i);
                            taken.incrementAndGet(i);
                        }
                    } catch (IllegalStateException e) {
                        // closed
                    }
                }));
            }
            int patience = ThreadLocalRandom.current().nextInt(2_000);
            until(() -> numbers.get() >= patience);
            long lost = 0;
            if (force) {
                List<Integer> left = queue.closeNow();
                left.forEach(ended::incrementAndGet);
            } else {
                queue.close();
                lost = queue.totals().lost();
            }
            for (Background<Boolean> producer : producers) {
                producer.get();
            }
            long missing = 0;
            for (int i = 0; i < taken.length(); i++) {
                assertThat(ended.get(i)).as("item %d", i).isLessThanOrEqualTo(taken.get(i));
                missing += taken.get(i) - ended.get(i);
            }
            assertThat(missing).as("round %d", round).isEqualTo(lost);
        }
    }
}
