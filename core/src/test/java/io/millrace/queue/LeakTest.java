package io.millrace.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.DeadLetterCause;
import io.millrace.Enqueuer;
import io.millrace.Event;
import io.millrace.ItemOptions;
import io.millrace.Leak;
import io.millrace.Qos;
import io.millrace.WorkQueue;
import io.millrace.WorkQueueBuilder;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which items leave a full queue, and in which order. */
class LeakTest {
    private final Gate gate = new Gate();
    private final Queue<String> target = new ConcurrentLinkedQueue<>();
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private WorkQueue<String> queue;

    @AfterEach
    void close() {
        queue.closeNow();
    }

    private static WorkQueueBuilder<String> builder() {
        return WorkQueue.<String>builder().workers(1);
    }

    /** Builds a queue whose only worker is busy. */
    private void busy(WorkQueueBuilder<String> builder) throws InterruptedException {
        queue = builder.observer(events::add).handler(gate).build();
        queue.put("runs");
        gate.awaitBegun(1);
    }

    private void put(String... items) throws InterruptedException {
        for (String item : items) {
            queue.put(item);
        }
    }

    private List<Event> leaks() {
        return events.stream().filter(Event.ItemLeaked.class::isInstance).toList();
    }

    private List<String> rest(int count) {
        gate.open();
        gate.awaitHandled(count + 1);
        return gate.handled().subList(1, count + 1);
    }

    @Test
    void at_the_rear_the_new_ones_leak_and_nobody_waits() throws Exception {
        busy(builder().capacity(2).deadLetter(target::add));
        put("a", "b", "c");
        assertThat(queue.offer("d")).isTrue();
        assertThat(queue.put("e", Duration.ofHours(1))).isTrue();
        assertThat(queue.offer("f", ItemOptions.DEFAULT.weight(3))).isTrue();
        assertThat(target).containsExactly("c", "d", "e", "f");
        assertThat(queue.totals()).isEqualTo(new WorkQueue.Totals(4, 0, 0, 0));
        assertThat(leaks()).hasSize(4).contains(new Event.ItemLeaked("work-queue", "c", Leak.REAR, null));
        assertThat(rest(2)).containsExactly("a", "b");
    }

    @Test
    void at_the_front_the_oldest_leak_in_their_order() throws Exception {
        busy(builder().capacity(2).deadLetter(target::add).leak(Leak.FRONT));
        put("a", "b", "c", "d", "e");
        assertThat(target).containsExactly("a", "b", "c");
        assertThat(queue.totals().leaked()).isEqualTo(3);
        assertThat(leaks()).hasSize(3).contains(new Event.ItemLeaked("work-queue", "a", Leak.FRONT, null));
        assertThat(rest(2)).containsExactly("d", "e");
    }

    @Test
    void at_the_front_the_new_one_leaks_after_all_if_others_take_the_room_again_and_again() throws Exception {
        AtomicReference<WorkQueue<String>> self = new AtomicReference<>();
        AtomicInteger thieves = new AtomicInteger();
        Enqueuer<String> stealing = item -> {
            target.add(item);
            if (!item.equals("new")) {
                assertThat(self.get().offer("thief " + thieves.incrementAndGet()))
                        .isTrue();
            }
        };
        busy(builder().capacity(1).deadLetter(stealing).leak(Leak.FRONT).leakAttempts(3));
        self.set(queue);
        put("old", "new");
        assertThat(target).containsExactly("old", "thief 1", "thief 2", "new");
        assertThat(queue.totals().leaked()).isEqualTo(4);
        assertThat(leaks())
                .containsExactly(
                        new Event.ItemLeaked("work-queue", "old", Leak.FRONT, null),
                        new Event.ItemLeaked("work-queue", "thief 1", Leak.FRONT, null),
                        new Event.ItemLeaked("work-queue", "thief 2", Leak.FRONT, null),
                        new Event.ItemLeaked("work-queue", "new", Leak.REAR, null));
        assertThat(rest(1)).containsExactly("thief 3");
    }

    @Test
    void with_lanes_the_oldest_of_the_same_lane_leaks() throws Exception {
        busy(builder()
                .qos(Qos.<String>strict()
                        .lane("high", 1, 50)
                        .lane("low", 2, 50)
                        .priority((item, weight) -> item.startsWith("high") ? 100 : 0))
                .deadLetter(target::add)
                .leak(Leak.FRONT));
        put("low 1", "high 1", "low 2", "low 3", "high 2");
        assertThat(leaks())
                .containsExactly(
                        new Event.ItemLeaked("work-queue", "low 1", Leak.FRONT, "low"),
                        new Event.ItemLeaked("work-queue", "high 1", Leak.FRONT, "high"));
        assertThat(target).containsExactly("low 1", "high 1");
        assertThat(rest(3)).containsExactly("high 2", "low 2", "low 3");
    }

    @Test
    void without_the_cause_full_producers_wait_although_there_is_a_target() throws Exception {
        busy(builder()
                .capacity(1)
                .deadLetter(target::add, EnumSet.of(DeadLetterCause.FAILED, DeadLetterCause.EXPIRED)));
        put("a");
        assertThat(queue.offer("refused")).isFalse();
        assertThat(queue.put("refused", Duration.ofMillis(10))).isFalse();
        Background<Boolean> producer = Background.doing(() -> queue.put("b")).awaitBlocked();
        assertThat(target).isEmpty();
        assertThat(queue.totals().leaked()).isZero();
        assertThat(rest(2)).containsExactly("a", "b");
        producer.get();
        assertThat(target).isEmpty();
    }

    @Test
    void what_the_target_throws_comes_out_of_put_and_the_new_item_is_not_counted() throws Exception {
        busy(builder().capacity(1).deadLetter(item -> {
            throw new IllegalStateException("the target is full too");
        }));
        put("a");
        assertThatThrownBy(() -> queue.put("b"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the target is full too");
        assertThat(queue.totals()).isEqualTo(new WorkQueue.Totals(0, 0, 0, 0));
        assertThat(queue.size()).isEqualTo(1);
    }

    @Test
    void a_target_that_is_interrupted_does_not_take_what_is_offered() throws Exception {
        busy(builder().capacity(1).deadLetter(item -> {
            throw new InterruptedException("busy");
        }));
        put("a");
        assertThatThrownBy(() -> queue.offer("b"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("interrupted while the queue work-queue leaked; the item was not taken");
        assertThat(Thread.interrupted()).as("the interrupt is not forgotten").isTrue();
        assertThat(queue.totals().leaked()).isZero();
    }
}
