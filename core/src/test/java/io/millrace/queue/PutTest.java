package io.millrace.queue;

import static io.millrace.queue.Background.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.ItemOptions;
import io.millrace.WorkQueue;
import io.millrace.internal.engine.HandClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PutTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final ItemOptions LATER = ItemOptions.DEFAULT.delay(Duration.ofHours(1));
    private final Gate gate = new Gate();
    private WorkQueue<String> queue;

    @AfterEach
    void close() {
        if (queue != null) {
            queue.closeNow();
        }
    }

    /** A queue whose only worker is busy. */
    private void busy(int capacity) throws InterruptedException {
        queue = WorkQueue.<String>builder()
                .capacity(capacity)
                .workers(1)
                .clock(new HandClock())
                .handler(gate)
                .build();
        queue.put("runs");
        gate.awaitBegun(1);
    }

    @Test
    void what_is_missing_or_wrong_is_refused_and_nothing_is_taken() throws Exception {
        busy(2);
        String required = "it is required";
        List.of(
                        new Refusal(() -> queue.put(null), "item", "null", required),
                        new Refusal(() -> queue.put(null, SHORT), "item", "null", required),
                        new Refusal(() -> queue.put(null, LATER), "item", "null", required),
                        new Refusal(() -> queue.offer(null), "item", "null", required),
                        new Refusal(() -> queue.offer(null, LATER), "item", "null", required),
                        new Refusal(() -> queue.offer("item", null), "options", "null", required),
                        new Refusal(() -> queue.put("item", (ItemOptions) null), "options", "null", required),
                        new Refusal(() -> queue.put("item", (Duration) null), "timeout", "null", required),
                        new Refusal(() -> queue.put("item", SHORT.negated()), "timeout", "PT-0.02S", "between 0 and"))
                .forEach(Refusal::check);
        assertThat(queue.size() + queue.delayed()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 13})
    void a_small_queue_has_exactly_the_room_that_was_asked_for(int capacity) throws Exception {
        busy(capacity);
        for (int i = 0; i < capacity; i++) {
            assertThat(queue.size()).isEqualTo(i);
            assertThat(queue.fillRate()).isEqualTo((double) i / capacity);
            assertThat(queue.offer("item " + i)).isTrue();
        }
        assertThat(queue.offer("too many")).isFalse();
        assertThat(queue.size()).isEqualTo(capacity);
        assertThat(queue.capacity()).isEqualTo(capacity);
        assertThat(queue.fillRate()).isEqualTo(1);
    }

    @Test
    void what_was_refused_for_want_of_room_never_runs() throws Exception {
        busy(1);
        assertThat(queue.offer("taken")).isTrue();
        assertThat(queue.offer("refused")).isFalse();
        assertThat(queue.offer("refused", ItemOptions.DEFAULT)).isFalse();
        assertThat(queue.put("refused", SHORT)).isFalse();
        assertThat(queue.put("refused", Duration.ZERO)).isFalse();
        assertThat(queue.put("refused", ItemOptions.DEFAULT, SHORT)).isFalse();
        gate.open();
        queue.close();
        assertThat(gate.handled()).containsExactly("runs", "taken");
        assertThat(queue.totals()).isEqualTo(new WorkQueue.Totals(0, 0, 0, 0));
    }

    @Test
    void put_with_a_timeout_gets_in_at_once_where_there_is_room_and_waits_where_there_is_none() throws Exception {
        busy(1);
        assertThat(queue.put("second", LONG)).isTrue();
        Background<Boolean> producer =
                Background.start(() -> queue.put("third", LONG)).awaitBlocked();
        assertThat(producer.task().isDone()).isFalse();
        gate.open();
        assertThat(producer.get()).isTrue();
        gate.awaitHandled(3);
        assertThat(gate.handled()).containsExactly("runs", "second", "third");
    }

    @Test
    void delayed_items_are_counted_apart_and_have_as_much_room_again() throws Exception {
        busy(2);
        assertThat(queue.offer("later 1", LATER)).isTrue();
        assertThat(queue.offer("later 2", LATER)).isTrue();
        assertThat(queue.offer("later 3", LATER)).isFalse();
        assertThat(queue.put("later 3", LATER, SHORT)).isFalse();
        assertThat(queue.delayed()).isEqualTo(2);
        assertThat(queue.size()).isZero();
        assertThat(queue.fillRate()).isZero();
        assertThat(queue.offer("now 1")).isTrue();
        assertThat(queue.offer("now 2")).isTrue();
        assertThat(queue.offer("now 3")).isFalse();
        assertThat(queue.size()).isEqualTo(2);
    }

    @Test
    void one_worker_takes_the_items_of_each_producer_in_their_order() throws Exception {
        int producers = 4;
        int count = 5_000;
        Queue<String> handled = new ConcurrentLinkedQueue<>();
        queue = WorkQueue.<String>builder()
                .capacity(64)
                .workers(1)
                .handler(handled::add)
                .build();
        CyclicBarrier start = new CyclicBarrier(producers);
        List<Background<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < producers; i++) {
            String name = i + ":";
            all.add(Background.doing(() -> {
                start.await();
                for (int number = 0; number < count; number++) {
                    queue.put(name + number);
                }
            }));
        }
        for (Background<Boolean> producer : all) {
            producer.get();
        }
        until(() -> handled.size() == producers * count);
        for (int i = 0; i < producers; i++) {
            String name = i + ":";
            List<Integer> numbers = handled.stream()
                    .filter(item -> item.startsWith(name))
                    .map(item -> Integer.valueOf(item.substring(name.length())))
                    .toList();
            assertThat(numbers).hasSize(count).isSorted();
        }
    }

    @Test
    void the_name_is_that_of_the_builder() {
        queue = WorkQueue.<String>builder()
                .name("post office")
                .capacity(1)
                .handler(gate)
                .build();
        assertThat(queue.name()).isEqualTo("post office");
        assertThat(queue.workers().active()).isEqualTo(Runtime.getRuntime().availableProcessors());
    }
}
