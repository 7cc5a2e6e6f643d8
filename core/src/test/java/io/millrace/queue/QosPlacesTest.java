package io.millrace.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Event;
import io.millrace.InvalidValueException;
import io.millrace.ItemOptions;
import io.millrace.Qos;
import io.millrace.Retry;
import io.millrace.WorkQueue;
import io.millrace.internal.engine.HandClock;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which lane an item goes to, and what is refused. */
class QosPlacesTest {
    private static final Qos<Double> THREE = Qos.<Double>strict()
            .lane("high", 10, 20, 1)
            .lane("middle", 10, 30, 1)
            .lane("low", 10, 50, 1)
            .priority((item, weight) -> item);

    @ParameterizedTest
    @CsvSource({"100, high", "80.001, high", "80, middle", "50.001, middle", "50, low", "0.001, low", "0, low"})
    void ingress_weights_divide_the_scale(double priority, String lane) throws Exception {
        Queue<Event> events = new ConcurrentLinkedQueue<>();
        try (WorkQueue<Double> queue = WorkQueue.<Double>builder()
                .workers(1)
                .qos(THREE)
                .observer(events::add)
                .handler(item -> {})
                .build()) {
            queue.put(priority);
        }
        assertThat(events).contains(new Event.ItemPut("work-queue", priority, lane));
        assertThat(events).contains(new Event.ItemPulled("work-queue", priority, lane));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.001, 100.001, Double.NaN, Double.POSITIVE_INFINITY})
    void a_priority_off_the_scale_is_refused(double priority) throws Exception {
        try (WorkQueue<Double> queue = WorkQueue.<Double>builder()
                .workers(1)
                .qos(THREE)
                .handler(item -> {})
                .build()) {
            assertThatThrownBy(() -> queue.put(priority))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("qos.priority: " + priority + " is not allowed");
            assertThatThrownBy(() -> queue.offer(priority, ItemOptions.DEFAULT.delay(Duration.ofDays(1))))
                    .isInstanceOf(InvalidValueException.class);
            assertThat(queue.size() + queue.delayed()).isZero();
        }
    }

    @Test
    void what_a_function_throws_is_the_producers_and_nothing_is_taken() throws Exception {
        Gate gate = Gate.opened();
        Qos<String> byKey = Qos.weightedFair(
                item -> {
                    if (item.equals("throws")) {
                        throw new ArithmeticException("no key");
                    }
                    return item.equals("no key") ? null : item;
                },
                key -> {
                    if (key.equals("bad weight")) {
                        throw new ArithmeticException("no weight");
                    }
                    return key.equals("light") ? 0 : 1;
                });
        try (WorkQueue<String> queue = WorkQueue.<String>builder()
                .capacity(5)
                .workers(1)
                .qos(byKey)
                .handler(gate)
                .build()) {
            assertThatThrownBy(() -> queue.put("throws")).isInstanceOf(ArithmeticException.class);
            assertThatThrownBy(() -> queue.put("bad weight")).isInstanceOf(ArithmeticException.class);
            assertThatThrownBy(() -> queue.put("no key"))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("qos.key");
            assertThatThrownBy(() -> queue.put("light"))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("qos.keyWeight: 0 is not allowed");
            assertThat(queue.size()).isZero();
            queue.put("good");
        }
        assertThat(gate.handled()).containsExactly("good");
    }

    @Test
    void a_full_key_keeps_no_other_out() throws Exception {
        Stops stops = new Stops();
        try (WorkQueue<String> queue = WorkQueue.<String>builder()
                .capacity(10)
                .workers(1)
                .qos(Qos.<String>fair(item -> item.charAt(0)).keyCapacity(2))
                .handler(stops)
                .build()) {
            queue.put("z stop");
            stops.awaitStop(1);
            queue.put("a1");
            queue.put("a2");
            assertThat(queue.offer("a3")).isFalse();
            Background<Boolean> blocked =
                    Background.doing(() -> queue.put("a4")).awaitBlocked();
            assertThat(queue.offer("b1")).isTrue();
            assertThat(queue.put("b2", ItemOptions.DEFAULT, Duration.ZERO)).isTrue();
            stops.go();
            blocked.get();
            assertThat(stops.take(5)).containsExactlyInAnyOrder("a1", "a2", "a4", "b1", "b2");
        }
    }

    @Test
    void priority_can_go_by_weight() throws Exception {
        Stops stops = new Stops();
        try (WorkQueue<String> queue = WorkQueue.<String>builder()
                .workers(1)
                .qos(Qos.<String>strict()
                        .lane("heavy", 10, 1)
                        .lane("light", 10, 1)
                        .priority(Qos.byWeight(10)))
                .handler(stops)
                .build()) {
            queue.put("stop");
            stops.awaitStop(1);
            queue.put("not said");
            queue.put("5", ItemOptions.DEFAULT.weight(5));
            queue.put("6", ItemOptions.DEFAULT.weight(6));
            queue.put("0", ItemOptions.DEFAULT.weight(0));
            queue.put("1000", ItemOptions.DEFAULT.weight(1_000));
            stops.go();
            assertThat(stops.take(5)).containsExactly("6", "1000", "not said", "5", "0");
        }
    }

    @Test
    void delayed_and_retried_items_come_back_to_their_lane() throws Exception {
        HandClock clock = new HandClock();
        Stops stops = new Stops();
        Queue<String> failed = new ConcurrentLinkedQueue<>(List.of("high fails"));
        try (WorkQueue<String> queue = WorkQueue.<String>builder()
                .workers(1)
                .clock(clock)
                .retry(Retry.constant(Duration.ofSeconds(1)).max(1))
                .qos(Qos.<String>strict()
                        .lane("high", 10, 1)
                        .lane("low", 10, 1)
                        .priority((item, weight) -> item.startsWith("high") ? 100 : 0))
                .handler(item -> {
                    if (failed.remove(item)) {
                        throw new IllegalArgumentException("once");
                    }
                    stops.handle(item);
                })
                .build()) {
            queue.put("high fails");
            Background.until(() -> queue.delayed() == 1);
            queue.put("high delayed", ItemOptions.DEFAULT.delay(Duration.ofSeconds(1)));
            queue.put("low delayed", ItemOptions.DEFAULT.delay(Duration.ofSeconds(1)));
            queue.put("stop");
            stops.awaitStop(1);
            queue.put("low");
            clock.advance(Duration.ofSeconds(1));
            assertThat(queue.delayed()).isZero();
            stops.go();
            assertThat(stops.take(4)).containsExactly("high fails", "high delayed", "low", "low delayed");
        }
    }
}
