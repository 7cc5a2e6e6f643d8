package io.millrace.heap;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.EngineClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class HeapTimeTest {
    private final TwoClocks clocks = new TwoClocks();
    private final HeapTime time = new HeapTime(clocks);

    @Test
    void a_moment_is_shown_the_same_although_the_two_clocks_change_their_milliseconds_at_different_times() {
        long lease = time.steady() + 1_000;
        long shown = time.shown(lease);

        for (int round = 0; round < 50; round++) {
            clocks.millis++;
            time.read();
            assertThat(time.shown(lease)).isEqualTo(shown);
            clocks.nanos += 1_000_000;
            time.read();
            assertThat(time.shown(lease)).isEqualTo(shown);
        }
    }

    @Test
    void a_clock_that_is_set_moves_no_steady_moment() {
        long lease = time.steady() + 1_000;
        long shown = time.shown(lease);
        long steady = time.steady();

        clocks.millis += 3_600_000;
        time.read();

        assertThat(time.steady()).isEqualTo(steady);
        assertThat(time.shown(lease)).isEqualTo(shown + 3_600_000);

        clocks.millis -= 7_200_000;
        time.read();

        assertThat(time.steady()).isEqualTo(steady);
        assertThat(time.shown(lease)).isEqualTo(shown - 3_600_000);
    }

    @Test
    void steady_moments_never_go_back() {
        clocks.millis += 50;
        time.read();
        long steady = time.steady();

        clocks.millis -= 40;
        time.read();

        assertThat(time.steady()).isEqualTo(steady);
    }

    private static final class TwoClocks implements EngineClock {
        private long millis = 1_000_000;
        private long nanos = 123_456;

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis);
        }

        @Override
        public long millis() {
            return millis;
        }

        @Override
        public long elapsedNanos() {
            return nanos;
        }

        @Override
        public Timer after(Duration delay, Runnable action) {
            throw new UnsupportedOperationException("no timers here");
        }
    }
}
