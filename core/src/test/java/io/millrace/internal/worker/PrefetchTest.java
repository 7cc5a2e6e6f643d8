package io.millrace.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrefetchTest {
    private static final int THREADS = 4;
    private static final int MOST = 500;

    /** As it is after many runs that all took this long. */
    private static Prefetch after(Duration runTime) {
        Prefetch prefetch = new Prefetch(MOST);
        for (int i = 0; i < 200; i++) {
            prefetch.ran(runTime.toNanos());
        }
        return prefetch;
    }

    @Test
    void at_first_one_task_per_thread_is_spare() {
        Prefetch prefetch = new Prefetch(MOST);
        assertThat(prefetch.wanted(0, 0, THREADS, false)).isEqualTo(2 * THREADS);
        assertThat(prefetch.wanted(0, THREADS, THREADS, false)).isEqualTo(THREADS);
        assertThat(prefetch.wanted(THREADS, THREADS, THREADS, false)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"50, 4", "60, 3", "100, 2", "200, 1", "201, 0", "1000, 0", "3600000, 0"})
    void slow_handlers_get_at_most_one_spare_task_per_thread(long millis, int spare) {
        Prefetch prefetch = after(Duration.ofMillis(millis));
        assertThat(prefetch.wanted(0, THREADS, THREADS, false)).isEqualTo(spare);
        assertThat(prefetch.wanted(0, 0, THREADS, false)).isEqualTo(THREADS + spare);
    }

    @ParameterizedTest
    @CsvSource({"10000, 20", "1000, 200", "500, 400", "100, 500", "1, 500", "0, 500"})
    void fast_handlers_get_what_they_do_in_a_moment_up_to_the_limit(long micros, int spare) {
        Prefetch prefetch = after(Duration.ofNanos(micros * 1_000));
        assertThat(prefetch.wanted(0, THREADS, THREADS, false)).isBetween(spare - 1, spare);
        assertThat(prefetch.wanted(0, THREADS, THREADS, false)).isLessThanOrEqualTo(MOST);
    }

    @Test
    void it_learns_that_handlers_have_become_slow() {
        Prefetch prefetch = after(Duration.ofNanos(1_000));
        assertThat(prefetch.wanted(0, THREADS, THREADS, false)).isEqualTo(MOST);
        for (int i = 0; i < 30; i++) {
            prefetch.ran(Duration.ofSeconds(1).toNanos());
        }
        assertThat(prefetch.wanted(0, THREADS, THREADS, false)).isZero();
    }

    @Test
    void without_a_limit_to_fill_only_idle_threads_get_tasks() {
        Prefetch prefetch = new Prefetch(0);
        assertThat(prefetch.wanted(0, 0, THREADS, false)).isEqualTo(THREADS);
        assertThat(prefetch.wanted(0, 3, THREADS, false)).isEqualTo(1);
        assertThat(prefetch.wanted(0, THREADS, THREADS, false)).isZero();
    }

    @Test
    void a_claim_for_a_few_is_not_worth_it_while_others_are_at_hand() {
        Prefetch prefetch = after(Duration.ofNanos(1));
        int full = MOST + THREADS;
        assertThat(prefetch.wanted(MOST - 1, THREADS, THREADS, false)).isZero();
        assertThat(prefetch.wanted(full / 2 + 1, THREADS, THREADS, false)).isZero();
        assertThat(prefetch.wanted(full / 2 - THREADS, THREADS, THREADS, false)).isEqualTo(MOST - full / 2 + THREADS);
        assertThat(prefetch.wanted(0, THREADS, THREADS, false)).isEqualTo(MOST);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void it_never_wants_less_than_nothing_nor_more_than_has_room(long seed) {
        Random chance = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            int threads = chance.nextInt(1, 64);
            int most = chance.nextInt(1_001);
            Prefetch prefetch = new Prefetch(most);
            int runs = chance.nextInt(50);
            for (int run = 0; run < runs; run++) {
                prefetch.ran(chance.nextLong(1L << chance.nextInt(1, 45)));
            }
            int buffered = chance.nextInt(2_000);
            int busy = chance.nextInt(threads + 1);
            int wanted = prefetch.wanted(buffered, busy, threads, false);
            assertThat(wanted).isNotNegative();
            if (wanted > 0) {
                assertThat(buffered + wanted).isLessThanOrEqualTo(threads - busy + most);
            }
        }
    }

    @Test
    void it_wants_nothing_when_more_run_than_there_are_threads() {
        assertThat(after(Duration.ofHours(1)).wanted(0, THREADS + 3, THREADS, false))
                .isZero();
        assertThat(new Prefetch(0).wanted(0, THREADS + 3, THREADS, false)).isZero();
        assertThat(new Prefetch(0).wanted(5, THREADS + 3, THREADS, false)).isZero();
    }

    @Test
    void an_idle_thread_with_nothing_at_hand_always_gets_work() {
        for (long millis : new long[] {0, 1, 50, 1_000, 1_000_000}) {
            Prefetch prefetch = after(Duration.ofMillis(millis));
            for (int busy = 0; busy < THREADS; busy++) {
                assertThat(prefetch.wanted(0, busy, THREADS, false)).isGreaterThanOrEqualTo(THREADS - busy);
            }
        }
    }

    @Test
    void where_there_could_be_more_threads_one_task_tells_that_there_is_work_for_them() {
        Prefetch slow = after(Duration.ofHours(1));
        assertThat(slow.wanted(0, THREADS, THREADS, false)).isZero();
        assertThat(slow.wanted(0, THREADS, THREADS, true)).isEqualTo(1);
        assertThat(slow.wanted(1, THREADS, THREADS, true)).isZero();
        assertThat(slow.fillRate(0, THREADS, true)).isZero();
        assertThat(slow.fillRate(1, THREADS, true)).isEqualTo(1);
    }
}
