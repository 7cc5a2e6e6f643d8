package io.millrace.queue;

import static io.millrace.queue.Background.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.ItemOptions;
import io.millrace.WorkQueue;
import io.millrace.WorkQueueBuilder;
import io.millrace.internal.engine.HandClock;
import io.millrace.spi.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DelayTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration TICK = Duration.ofMillis(1);
    private final HandClock clock = new HandClock();
    private final Gate gate = Gate.opened();
    private WorkQueue<String> queue;

    @AfterEach
    void close() {
        if (queue != null) {
            queue.closeNow();
        }
    }

    private WorkQueueBuilder<String> builder() {
        return WorkQueue.<String>builder().capacity(10).workers(1).clock(clock).handler(gate);
    }

    private static ItemOptions after(long seconds) {
        return ItemOptions.DEFAULT.delay(Duration.ofSeconds(seconds));
    }

    @Test
    void an_item_runs_when_its_delay_has_passed_and_not_before() throws Exception {
        queue = builder().build();
        queue.put("later", after(1));
        queue.put("now");
        gate.awaitHandled(1);
        clock.advance(SECOND.minus(TICK));
        assertThat(queue.delayed()).isEqualTo(1);
        assertThat(gate.begun()).containsExactly("now");
        clock.advance(TICK);
        assertThat(queue.delayed()).isZero();
        gate.awaitHandled(2);
        assertThat(gate.handled()).containsExactly("now", "later");
    }

    @Test
    void items_come_in_the_order_in_which_they_are_due() throws Exception {
        queue = builder().build();
        queue.put("third", after(3));
        queue.put("first", after(1));
        queue.put("second, put before", after(2));
        clock.advance(SECOND);
        queue.put("second, put after", after(1));
        queue.put("fourth", after(60));
        clock.advance(Duration.ofHours(1));
        gate.awaitHandled(5);
        assertThat(gate.handled())
                .containsExactly("first", "second, put before", "second, put after", "third", "fourth");
    }

    @Test
    void the_delay_of_the_queue_is_for_every_item() throws Exception {
        queue = builder().delay(SECOND).build();
        queue.put("put");
        assertThat(queue.put("with timeout", SECOND)).isTrue();
        assertThat(queue.offer("offered")).isTrue();
        assertThat(queue.offer("weighed", ItemOptions.DEFAULT.weight(5))).isTrue();
        assertThat(queue.delayed()).isEqualTo(4);
        clock.advance(SECOND.minus(TICK));
        assertThat(queue.delayed()).isEqualTo(4);
        clock.advance(TICK);
        gate.awaitHandled(4);
        assertThat(gate.handled()).containsExactly("put", "with timeout", "offered", "weighed");
    }

    @Test
    void the_delay_of_an_item_goes_before_that_of_the_queue() throws Exception {
        queue = builder().delay(SECOND.multipliedBy(10)).build();
        queue.put("none", after(0));
        gate.awaitHandled(1);
        queue.put("the queue's");
        queue.put("longer", after(20));
        queue.put("shorter", after(5));
        clock.advance(Duration.ofSeconds(5));
        gate.awaitHandled(2);
        assertThat(queue.delayed()).isEqualTo(2);
        clock.advance(Duration.ofSeconds(5));
        gate.awaitHandled(3);
        assertThat(queue.delayed()).isEqualTo(1);
        clock.advance(Duration.ofSeconds(10));
        gate.awaitHandled(4);
        assertThat(gate.handled()).containsExactly("none", "shorter", "the queue's", "longer");
    }

    @Test
    void what_is_due_has_room_in_a_full_queue_and_goes_first() throws Exception {
        Stops stops = new Stops();
        queue = builder().capacity(1).handler(stops).build();
        queue.put("stop");
        stops.awaitStop(1);
        queue.put("due", after(1));
        queue.put("waits");
        clock.advance(SECOND);
        assertThat(queue.size()).isEqualTo(2);
        assertThat(queue.fillRate()).isEqualTo(1);
        stops.go();
        assertThat(stops.take(2)).containsExactly("due", "waits");
    }

    @Test
    void a_producer_of_delayed_items_waits_until_one_is_due() throws Exception {
        queue = builder().capacity(1).build();
        queue.put("first", after(1));
        Background<Boolean> producer =
                Background.doing(() -> queue.put("second", after(1))).awaitBlocked();
        assertThat(queue.delayed()).isEqualTo(1);
        clock.advance(SECOND);
        producer.get();
        clock.advance(SECOND);
        gate.awaitHandled(2);
        assertThat(gate.handled()).containsExactly("first", "second");
    }

    /** Tells a date that is an hour earlier each time, as if somebody set it; its elapsed time goes on as it should. */
    private static final class SetBack implements EngineClock {
        private final HandClock steady;
        private final AtomicLong hours = new AtomicLong();

        SetBack(HandClock steady) {
            this.steady = steady;
        }

        @Override
        public Instant instant() {
            return steady.instant().minus(Duration.ofHours(hours.incrementAndGet()));
        }

        @Override
        public long elapsedNanos() {
            return steady.elapsedNanos();
        }

        @Override
        public Timer after(Duration delay, Runnable action) {
            return steady.after(delay, action);
        }
    }

    @Test
    void a_date_that_is_set_back_changes_neither_delays_nor_deadlines() throws Exception {
        Stops stops = new Stops();
        queue = builder().clock(new SetBack(clock)).handler(stops).build();
        queue.put("delayed", after(2));
        clock.advance(SECOND.multipliedBy(2));
        assertThat(stops.take(1)).containsExactly("delayed");
        queue.put("stop");
        stops.awaitStop(1);
        queue.put("late", ItemOptions.DEFAULT.deadline(SECOND));
        queue.put("in time", ItemOptions.DEFAULT.deadline(SECOND.multipliedBy(3)));
        clock.advance(SECOND.multipliedBy(2));
        stops.go();
        assertThat(stops.take(1)).containsExactly("in time");
        until(() -> queue.totals().expired() == 1);
    }
}
