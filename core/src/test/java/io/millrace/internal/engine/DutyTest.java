package io.millrace.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.StoreUnavailableException;
import io.millrace.internal.Duty;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class DutyTest {
    private static final Duration EVERY = Duration.ofSeconds(10);

    private final HandClock clock = new HandClock();
    private final List<Instant> done = new ArrayList<>();
    private final Deque<Throwable> trouble = new ArrayDeque<>();

    private void action() {
        done.add(clock.instant());
        Throwable next = trouble.poll();
        if (next instanceof RuntimeException exception) {
            throw exception;
        }
        if (next instanceof Error error) {
            throw error;
        }
    }

    private Duty duty() {
        return new Duty("The test (its trouble is on purpose)", EVERY, clock, Runnable::run, this::action);
    }

    @Test
    void is_done_again_and_again() {
        try (Duty duty = duty()) {
            assertThat(duty).isNotNull();
            clock.advance(Duration.ofSeconds(35));
        }
        assertThat(done).containsExactly(at(10), at(20), at(30));
    }

    @Test
    void is_not_done_at_once() {
        try (Duty duty = duty()) {
            assertThat(duty).isNotNull();
            clock.advance(EVERY.minusMillis(1));
            assertThat(done).isEmpty();
        }
    }

    @Test
    void goes_on_after_an_exception() {
        trouble.add(new IllegalStateException("a bug, on purpose"));
        trouble.add(new StoreUnavailableException("no store, on purpose", new IllegalStateException()));
        trouble.add(new IllegalArgumentException("another bug, on purpose"));
        try (Duty duty = duty()) {
            assertThat(duty).isNotNull();
            clock.advance(Duration.ofSeconds(40));
        }
        assertThat(done).hasSize(4);
    }

    @Test
    void goes_on_after_an_error_too() {
        trouble.add(new OutOfMemoryError("on purpose"));
        try (Duty duty = duty()) {
            assertThat(duty).isNotNull();
            clock.advance(EVERY);
            clock.advance(EVERY);
        }
        assertThat(done).hasSize(2);
    }

    @Test
    void the_time_counts_from_the_end_of_the_last_run() {
        Deque<Runnable> waiting = new ArrayDeque<>();
        try (Duty duty = new Duty("The test", EVERY, clock, waiting::add, this::action)) {
            assertThat(duty).isNotNull();
            clock.advance(Duration.ofSeconds(25));
            assertThat(waiting).as("it never runs twice at once").hasSize(1);
            waiting.remove().run();
            assertThat(clock.pending()).containsExactly(at(35));
        }
    }

    @Test
    void ends_when_it_is_closed() {
        Duty duty = duty();
        clock.advance(EVERY);
        duty.close();
        assertThat(clock.pending()).isEmpty();
        clock.advance(Duration.ofSeconds(100));
        assertThat(done).hasSize(1);
    }

    @Test
    void does_not_arm_itself_again_when_it_is_closed_while_it_runs() {
        Duty[] own = new Duty[1];
        own[0] = new Duty("The test", EVERY, clock, Runnable::run, () -> {
            action();
            own[0].close();
        });
        clock.advance(Duration.ofSeconds(100));
        assertThat(done).hasSize(1);
        assertThat(clock.pending()).isEmpty();
    }

    private static Instant at(long second) {
        return HandClock.START.plusSeconds(second);
    }
}
