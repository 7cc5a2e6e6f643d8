package io.millrace.queue;

import static io.millrace.queue.Background.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Event;
import io.millrace.ItemOptions;
import io.millrace.Observer;
import io.millrace.Qos;
import io.millrace.Retry;
import io.millrace.WorkQueue;
import io.millrace.WorkQueueBuilder;
import io.millrace.internal.engine.HandClock;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class EventsTest {
    private static final String NAME = "mail";
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LONGEST_RUN = Duration.ofMinutes(5);
    private final HandClock clock = new HandClock();
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();

    private WorkQueueBuilder<String> builder() {
        return WorkQueue.<String>builder()
                .name(NAME)
                .capacity(1)
                .workers(1)
                .clock(clock)
                .observer(events::add);
    }

    private <E extends Event> List<E> told(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private <E extends Event> E only(Class<E> type) {
        until(() -> !told(type).isEmpty());
        assertThat(told(type)).hasSize(1);
        return told(type).get(0);
    }

    @Test
    void an_item_is_told_when_it_is_put_pulled_and_handled() throws Exception {
        Object item = new Object();
        try (WorkQueue<Object> queue = WorkQueue.builder()
                .name(NAME)
                .capacity(1)
                .workers(1)
                .observer(events::add)
                .handler(any -> {})
                .build()) {
            queue.put(item);
        }
        assertThat(only(Event.ItemPut.class)).isEqualTo(new Event.ItemPut(NAME, item, null));
        assertThat(only(Event.ItemPulled.class)).isEqualTo(new Event.ItemPulled(NAME, item, null));
        Event.ItemHandled handled = only(Event.ItemHandled.class);
        assertThat(handled).isEqualTo(new Event.ItemHandled(NAME, item, handled.ran()));
        assertThat(handled.item()).isSameAs(item);
        assertThat(handled.ran()).isBetween(Duration.ZERO, LONGEST_RUN);
    }

    @Test
    void a_delayed_item_is_told_as_delayed_and_not_as_put() throws Exception {
        try (WorkQueue<String> queue = builder().handler(item -> {}).build()) {
            queue.put("item", ItemOptions.DEFAULT.delay(SECOND));
            assertThat(only(Event.ItemDelayed.class)).isEqualTo(new Event.ItemDelayed(NAME, "item", SECOND));
            clock.advance(SECOND);
            assertThat(only(Event.ItemPulled.class).item()).isEqualTo("item");
            assertThat(told(Event.ItemPut.class)).isEmpty();
        }
    }

    @Test
    void the_lane_is_the_sub_queue_or_the_key() throws Exception {
        Qos<String> lanes =
                Qos.<String>strict().lane("high", 5, 50).lane("low", 5, 50).priority((item, weight) -> weight);
        try (WorkQueue<String> queue = WorkQueue.<String>builder()
                        .name(NAME)
                        .qos(lanes)
                        .observer(events::add)
                        .handler(item -> {})
                        .build();
                WorkQueue<String> byKey = builder()
                        .name("fair")
                        .qos(Qos.fair(item -> item.charAt(0)))
                        .handler(item -> {})
                        .build()) {
            queue.put("item", ItemOptions.DEFAULT.weight(100));
            byKey.put("tenant");
        }
        assertThat(events)
                .contains(new Event.ItemPut(NAME, "item", "high"), new Event.ItemPulled(NAME, "item", "high"))
                .contains(new Event.ItemPut("fair", "tenant", "t"), new Event.ItemPulled("fair", "tenant", "t"));
    }

    @Test
    void a_failure_is_told_as_retried_and_the_last_one_as_failed() throws Exception {
        RuntimeException cause = new IllegalArgumentException("fails");
        try (WorkQueue<String> queue = builder()
                .retry(Retry.exponential(SECOND).max(2))
                .handler(item -> {
                    throw cause;
                })
                .build()) {
            queue.put("item");
            until(() -> queue.delayed() == 1);
            clock.advance(SECOND);
            until(() -> queue.delayed() == 1);
            clock.advance(SECOND.multipliedBy(2));
            Event.ItemFailed failed = only(Event.ItemFailed.class);
            assertThat(failed).isEqualTo(new Event.ItemFailed(NAME, "item", cause, false, failed.ran()));
            assertThat(failed.ran()).isBetween(Duration.ZERO, LONGEST_RUN);
            List<Event.ItemRetried> retried = told(Event.ItemRetried.class);
            assertThat(retried).hasSize(2);
            Event.ItemRetried first = retried.get(0);
            Event.ItemRetried second = retried.get(1);
            assertThat(first).isEqualTo(new Event.ItemRetried(NAME, "item", 1, SECOND, cause, first.ran()));
            assertThat(second)
                    .isEqualTo(new Event.ItemRetried(NAME, "item", 2, SECOND.multipliedBy(2), cause, second.ran()));
            assertThat(told(Event.ItemPulled.class)).hasSize(3);
            assertThat(told(Event.ItemHandled.class)).isEmpty();
        }
    }

    @Test
    void what_the_target_does_not_take_is_told_as_failed_and_lost() throws Exception {
        try (WorkQueue<String> queue = builder()
                .deadLetter(item -> {
                    throw new IllegalStateException("no");
                })
                .handler(item -> {
                    throw new IllegalArgumentException("fails");
                })
                .build()) {
            queue.put("item");
            assertThat(only(Event.ItemFailed.class).deadLettered()).isFalse();
            assertThat(only(Event.ItemLost.class)).isEqualTo(new Event.ItemLost(NAME, "item"));
        }
    }

    @Test
    void an_observer_that_throws_disturbs_neither_the_work_nor_other_observers() throws Exception {
        Gate gate = Gate.opened();
        Observer failing = event -> {
            throw new IllegalStateException("cannot look");
        };
        Observer broken = event -> {
            throw new LinkageError("cannot load");
        };
        WorkQueue<String> queue = WorkQueue.<String>builder()
                .name(NAME)
                .capacity(10)
                .workers(1)
                .observer(failing)
                .observer(broken)
                .observer(events::add)
                .handler(gate)
                .build();
        queue.put("first");
        queue.put("second");
        queue.close();
        assertThat(gate.handled()).containsExactly("first", "second");
        assertThat(told(Event.ItemHandled.class)).hasSize(2);
        assertThat(told(Event.WorkerThreadReplaced.class)).isEmpty();
        assertThat(queue.totals()).isEqualTo(new WorkQueue.Totals(0, 0, 0, 0));
    }
}
