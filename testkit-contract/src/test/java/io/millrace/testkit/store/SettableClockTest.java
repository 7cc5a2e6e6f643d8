package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.InvalidValueException;
import io.millrace.spi.EngineClock.Timer;
import io.millrace.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SettableClockTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Instant START = SettableClock.START;

    private final SettableClock clock = new SettableClock();
    private final List<String> ran = new ArrayList<>();

    @Test
    void it_stands_still_until_it_is_moved() {
        assertThat(clock.instant()).isEqualTo(START);
        assertThat(clock.instant()).isEqualTo(START);

        clock.advance(SECOND);

        assertThat(clock.instant()).isEqualTo(START.plus(SECOND));
        assertThat(clock.millis()).isEqualTo(START.toEpochMilli() + 1_000);
    }

    @Test
    void it_can_start_at_any_moment() {
        assertThat(new SettableClock(Instant.EPOCH).instant()).isEqualTo(Instant.EPOCH);
    }

    @Test
    void a_timer_runs_when_the_clock_reaches_it() {
        note("timer", SECOND);

        clock.advance(SECOND.minusNanos(1));
        assertThat(ran).isEmpty();

        clock.advance(Duration.ofNanos(1));
        assertThat(ran).containsExactly("timer at 1000");

        clock.advance(SECOND);
        assertThat(ran).as("it runs once").hasSize(1);
    }

    @Test
    void timers_run_in_the_order_of_their_times_and_see_them() {
        note("third", SECOND.multipliedBy(3));
        note("first", SECOND);
        note("second", SECOND.multipliedBy(2));
        note("second too", SECOND.multipliedBy(2));

        clock.advance(SECOND.multipliedBy(10));

        assertThat(ran).containsExactly("first at 1000", "second at 2000", "second too at 2000", "third at 3000");
        assertThat(clock.instant()).isEqualTo(START.plusSeconds(10));
    }

    @Test
    void what_a_timer_registers_runs_too_if_it_is_due_by_then() {
        clock.after(SECOND, () -> {
            note("soon", SECOND);
            note("late", SECOND.multipliedBy(5));
        });
        note("between", Duration.ofMillis(1_500));

        clock.advance(SECOND.multipliedBy(3));
        assertThat(ran).containsExactly("between at 1500", "soon at 2000");

        clock.advance(SECOND.multipliedBy(3));
        assertThat(ran).endsWith("late at 6000");
    }

    @Test
    void a_timer_that_sets_itself_again_runs_as_often_as_time_allows() {
        repeatEverySecond();

        clock.advance(SECOND.multipliedBy(4));

        assertThat(ran).hasSize(4);
    }

    @Test
    void what_is_due_at_once_waits_for_the_next_move() {
        note("now", Duration.ZERO);
        assertThat(ran).isEmpty();

        clock.advance(Duration.ZERO);

        assertThat(ran).containsExactly("now at 0");
    }

    @Test
    void a_cancelled_timer_does_not_run() {
        Timer timer = clock.after(SECOND, () -> ran.add("cancelled"));
        note("other", SECOND);

        timer.cancel();
        timer.cancel();
        clock.advance(SECOND);

        assertThat(ran).containsExactly("other at 1000");
    }

    @Test
    void a_timer_can_cancel_another_that_is_due_at_the_same_time() {
        List<Timer> others = new ArrayList<>();
        clock.after(SECOND, () -> others.get(0).cancel());
        others.add(clock.after(SECOND, () -> ran.add("cancelled")));

        clock.advance(SECOND);

        assertThat(ran).isEmpty();
    }

    @Test
    void setting_it_forward_runs_timers() {
        note("timer", SECOND);

        clock.set(START.plusSeconds(5));

        assertThat(ran).containsExactly("timer at 1000");
        assertThat(clock.instant()).isEqualTo(START.plusSeconds(5));
    }

    @Test
    void setting_it_back_runs_none_and_delays_none() {
        note("timer", SECOND);

        clock.set(START.minusSeconds(5));
        assertThat(clock.instant()).isEqualTo(START.minusSeconds(5));
        assertThat(ran).isEmpty();

        clock.advance(SECOND);
        assertThat(ran).hasSize(1);
        assertThat(clock.instant()).isEqualTo(START.minusSeconds(4));
    }

    @Test
    void a_step_takes_no_time() {
        note("timer", SECOND);
        long before = clock.elapsedNanos();

        clock.step(Duration.ofHours(1));

        assertThat(clock.instant()).isEqualTo(START.plus(Duration.ofHours(1)));
        assertThat(clock.elapsedNanos()).isEqualTo(before);
        assertThat(ran).isEmpty();
        clock.advance(SECOND);
        assertThat(ran).hasSize(1);
        assertThat(clock.elapsedNanos() - before).isEqualTo(SECOND.toNanos());
    }

    @Test
    void a_timer_can_move_the_clock_further() {
        clock.after(SECOND, () -> clock.advance(SECOND.multipliedBy(5)));
        note("later", SECOND.multipliedBy(4));

        clock.advance(SECOND.multipliedBy(2));

        assertThat(ran).containsExactly("later at 4000");
        assertThat(clock.instant()).isEqualTo(START.plusSeconds(6));
    }

    @Test
    void what_a_timer_throws_reaches_who_moved_the_clock() {
        clock.after(SECOND, () -> {
            throw new IllegalStateException("broken");
        });
        note("later", SECOND.multipliedBy(2));

        assertThatThrownBy(() -> clock.advance(SECOND.multipliedBy(5))).hasMessage("broken");
        assertThat(clock.instant()).isEqualTo(START.plus(SECOND));
        assertThat(ran).isEmpty();

        clock.advance(SECOND);
        assertThat(ran).containsExactly("later at 2000");
    }

    @Test
    void it_does_not_advance_backward() {
        assertThatThrownBy(() -> clock.advance(SECOND.negated()))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("PT-1S");
    }

    @Test
    void several_threads_can_use_it() {
        AtomicInteger runs = new AtomicInteger();
        int threads = 4;
        int each = 500;

        Together.run(threads, number -> () -> {
            for (int i = 0; i < each; i++) {
                clock.after(Duration.ofMillis(i % 7), runs::incrementAndGet);
                clock.advance(Duration.ofMillis(1));
            }
            return number;
        });
        clock.advance(SECOND);

        assertThat(runs).hasValue(threads * each);
        assertThat(clock.instant()).isEqualTo(START.plusMillis(threads * each).plus(SECOND));
    }

    private void repeatEverySecond() {
        clock.after(SECOND, () -> {
            ran.add("again");
            repeatEverySecond();
        });
    }

    private void note(String name, Duration delay) {
        clock.after(
                delay,
                () -> ran.add(
                        name + " at " + Duration.between(START, clock.instant()).toMillis()));
    }
}
