package io.millrace.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Backoff;
import io.millrace.Jitter;
import io.millrace.Limits;
import io.millrace.Retry;
import java.time.Duration;
import java.util.Arrays;
import java.util.LongSummaryStatistics;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class RetryDelayTest {
    private static final Duration BASE = Duration.ofSeconds(1);
    /** Chance at its ends: {@code nextDouble} is 0, or the greatest number below 1. */
    private static final RandomGenerator LEAST = () -> 0L;

    private static final RandomGenerator MOST = () -> -1L;

    @ParameterizedTest
    @CsvSource({
        "CONSTANT,    1000 1000 1000 1000 1000 1000",
        "LINEAR,      1000 2000 3000 4000 5000 6000",
        "EXPONENTIAL, 1000 2000 4000 8000 16000 32000",
        "QUADRATIC,   1000 4000 9000 16000 25000 36000",
        "POLYNOMIAL,  1000 8000 27000 64000 125000 216000",
        "LOGARITHMIC, 1000 1585 2000 2322 2585 2807",
        "FIBONACCI,   1000 1000 2000 3000 5000 8000",
    })
    void grows_by_its_formula(Backoff backoff, String expected) {
        long[] millis = Arrays.stream(expected.split(" ", -1))
                .mapToLong(Long::parseLong)
                .toArray();
        Retry retry = Retry.of(backoff, BASE);
        for (int number = 1; number <= millis.length; number++) {
            assertThat(RetryDelay.of(retry, number, MOST)).hasMillis(millis[number - 1]);
        }
    }

    @Test
    void a_random_delay_lies_between_zero_and_twice_the_base() {
        Retry retry = Retry.of(Backoff.RANDOM, BASE);
        assertThat(RetryDelay.of(retry, 1, LEAST)).isZero();
        assertThat(RetryDelay.of(retry, 1, MOST)).hasMillis(2_000);
        LongSummaryStatistics delays = sample(retry, 5);
        assertThat(delays.getMin()).isBetween(0L, 20L);
        assertThat(delays.getMax()).isBetween(1_980L, 2_000L);
        assertThat(delays.getAverage()).isBetween(980.0, 1_020.0);
    }

    @ParameterizedTest
    @EnumSource(Backoff.class)
    void no_delay_exceeds_the_cap(Backoff backoff) {
        Retry retry = Retry.of(backoff, BASE).cap(Duration.ofMillis(1_500));
        for (Jitter jitter : Jitter.values()) {
            for (int number = 1; number <= 70; number++) {
                assertThat(RetryDelay.of(retry.jitter(jitter), number, MOST)).isLessThanOrEqualTo(retry.cap());
            }
        }
        assertThat(RetryDelay.of(retry, 1, LEAST)).isEqualTo(backoff == Backoff.RANDOM ? Duration.ZERO : BASE);
    }

    @Test
    void a_cap_below_the_base_is_the_delay() {
        Retry retry = Retry.DEFAULT.cap(Duration.ofSeconds(5));
        assertThat(RetryDelay.of(retry, 1, MOST)).hasSeconds(5);
        assertThat(RetryDelay.of(retry.jitter(Jitter.DECORRELATED), 1, LEAST)).hasSeconds(5);
    }

    @Test
    void full_jitter_takes_anything_up_to_the_delay() {
        Retry retry = Retry.exponential(BASE).jitter(Jitter.FULL);
        assertThat(RetryDelay.of(retry, 4, LEAST)).isZero();
        assertThat(RetryDelay.of(retry, 4, MOST)).hasSeconds(8);
        LongSummaryStatistics delays = sample(retry, 4);
        assertThat(delays.getMin()).isBetween(0L, 80L);
        assertThat(delays.getMax()).isBetween(7_920L, 8_000L);
        assertThat(delays.getAverage()).isBetween(3_900.0, 4_100.0);
    }

    @Test
    void half_jitter_takes_at_least_half_the_delay() {
        Retry retry = Retry.exponential(BASE).jitter(Jitter.HALF);
        assertThat(RetryDelay.of(retry, 4, LEAST)).hasSeconds(4);
        assertThat(RetryDelay.of(retry, 4, MOST)).hasSeconds(8);
        LongSummaryStatistics delays = sample(retry, 4);
        assertThat(delays.getMin()).isBetween(4_000L, 4_040L);
        assertThat(delays.getMax()).isBetween(7_960L, 8_000L);
        assertThat(delays.getAverage()).isBetween(5_950.0, 6_050.0);
    }

    @Test
    void decorrelated_jitter_lies_between_the_base_and_thrice_the_previous_delay() {
        Retry retry = Retry.exponential(BASE).jitter(Jitter.DECORRELATED);
        assertThat(RetryDelay.of(retry, 1, LEAST)).hasSeconds(1);
        assertThat(RetryDelay.of(retry, 1, MOST)).hasSeconds(3);
        assertThat(RetryDelay.of(retry, 4, LEAST)).hasSeconds(1);
        assertThat(RetryDelay.of(retry, 4, MOST)).hasSeconds(12);
        LongSummaryStatistics delays = sample(retry, 4);
        assertThat(delays.getMin()).isBetween(1_000L, 1_110L);
        assertThat(delays.getMax()).isBetween(11_890L, 12_000L);
        assertThat(delays.getAverage()).isBetween(6_400.0, 6_600.0);
    }

    @Test
    void jitter_comes_before_the_cap_is_looked_at_again() {
        Retry retry = Retry.constant(BASE).cap(Duration.ofSeconds(2)).jitter(Jitter.DECORRELATED);
        LongSummaryStatistics delays = sample(retry, 3);
        assertThat(delays.getMin()).isBetween(1_000L, 1_020L);
        assertThat(delays.getMax()).isEqualTo(2_000);
        assertThat(delays.getAverage()).as("half of them at the cap").isBetween(1_740.0, 1_760.0);
    }

    static Stream<Arguments> everyBackoffAndJitter() {
        return Stream.of(Backoff.values())
                .flatMap(backoff -> Stream.of(Jitter.values()).map(jitter -> Arguments.of(backoff, jitter)));
    }

    @ParameterizedTest
    @MethodSource("everyBackoffAndJitter")
    void the_millionth_retry_comes_within_the_longest_time(Backoff backoff, Jitter jitter) {
        Stream.of(Duration.ofMillis(1), BASE, Limits.LONGEST).forEach(base -> {
            Retry retry = Retry.of(backoff, base).max(Limits.RETRIES).jitter(jitter);
            for (int number : new int[] {50, 100, 1_000, 1_100, Limits.RETRIES}) {
                assertThat(RetryDelay.of(retry, number, MOST)).isPositive().isLessThanOrEqualTo(Limits.LONGEST);
                assertThat(RetryDelay.of(retry, number, LEAST)).isBetween(Duration.ZERO, Limits.LONGEST);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("everyBackoffAndJitter")
    void a_base_of_zero_is_no_delay(Backoff backoff, Jitter jitter) {
        Retry retry = Retry.of(backoff, Duration.ZERO).jitter(jitter);
        for (int number : new int[] {1, 2, 3, 100, Limits.RETRIES}) {
            assertThat(RetryDelay.of(retry, number, MOST)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(value = Backoff.class, mode = EnumSource.Mode.EXCLUDE, names = "RANDOM")
    void a_delay_never_shrinks(Backoff backoff) {
        Retry retry = Retry.of(backoff, BASE);
        Duration before = Duration.ZERO;
        for (int number = 1; number <= 2_000; number++) {
            Duration delay = RetryDelay.of(retry, number, MOST);
            assertThat(delay).isGreaterThanOrEqualTo(before);
            before = delay;
        }
    }

    private static LongSummaryStatistics sample(Retry retry, int number) {
        Random chance = new Random(42);
        return IntStream.range(0, 10_000)
                .mapToLong(i -> RetryDelay.of(retry, number, chance).toMillis())
                .summaryStatistics();
    }

    @Test
    void decorrelated_jitter_stays_a_jitter_when_the_cap_is_reached() {
        Retry retry = Retry.DEFAULT.max(20).cap(Duration.ofMinutes(1)).jitter(Jitter.DECORRELATED);
        Random chance = new Random(7);

        long atTheCap = IntStream.range(0, 10_000)
                .filter(any -> RetryDelay.of(retry, 12, chance).equals(Duration.ofMinutes(1)))
                .count();

        assertThat(atTheCap).isLessThan(8_000);
    }
}
