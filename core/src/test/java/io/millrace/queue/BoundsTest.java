package io.millrace.queue;

import static io.millrace.queue.Background.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.ItemOptions;
import io.millrace.Qos;
import io.millrace.WorkQueue;
import io.millrace.internal.engine.HandClock;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How much a queue takes and keeps, and how exactly it tells the time. */
class BoundsTest {
    private static final ItemOptions LATER = ItemOptions.DEFAULT.delay(Duration.ofHours(1));

    @Test
    void no_more_delayed_items_than_the_capacity_get_in_at_once() throws Exception {
        int threads = 4;
        for (int round = 0; round < 200; round++) {
            CyclicBarrier start = new CyclicBarrier(threads);
            try (WorkQueue<String> queue = WorkQueue.<String>builder()
                    .capacity(1)
                    .workers(1)
                    .clock(new HandClock())
                    .handler(item -> {})
                    .build()) {
                List<Background<Boolean>> offers = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    offers.add(Background.start(() -> {
                        start.await();
                        return queue.offer("item", LATER);
                    }));
                }
                int taken = 0;
                for (Background<Boolean> offer : offers) {
                    taken += offer.get() ? 1 : 0;
                }
                assertThat(taken).as("round %d", round).isEqualTo(1);
                assertThat(queue.closeNow()).hasSize(1);
            }
        }
    }

    @Test
    void items_that_come_back_to_one_lane_take_no_room_from_another() throws Exception {
        HandClock clock = new HandClock();
        Gate gate = new Gate();
        try (WorkQueue<String> queue = WorkQueue.<String>builder()
                .workers(1)
                .clock(clock)
                .qos(Qos.<String>strict()
                        .lane("high", 1, 50)
                        .lane("low", 1, 50)
                        .priority((item, weight) -> item.startsWith("high") ? 100 : 0))
                .handler(gate)
                .build()) {
            queue.put("low runs");
            gate.awaitBegun(1);
            queue.put("low delayed", LATER);
            queue.put("low");
            clock.advance(Duration.ofHours(1));
            assertThat(queue.size()).isEqualTo(2);
            assertThat(queue.offer("high")).as("its lane is empty").isTrue();
            gate.open();
            gate.awaitHandled(4);
            assertThat(gate.handled()).containsExactly("low runs", "high", "low", "low delayed");
        }
    }

    @Test
    void a_delay_is_never_cut_short() throws Exception {
        long delay = Duration.ofMillis(3).toNanos();
        AtomicLong shortest = new AtomicLong(Long.MAX_VALUE);
        AtomicLong handled = new AtomicLong();
        try (WorkQueue<Long> queue = WorkQueue.<Long>builder()
                .capacity(10_000)
                .workers(1)
                .delay(Duration.ofNanos(delay))
                .handler(put -> {
                    long waited = System.nanoTime() - put;
                    shortest.accumulateAndGet(waited, Math::min);
                    handled.incrementAndGet();
                })
                .build()) {
            int count = 3_000;
            for (int i = 0; i < count; i++) {
                queue.put(System.nanoTime());
                for (int spin = 0; spin < 2_000; spin++) {
                    Thread.onSpinWait();
                }
            }
            until(() -> handled.get() == count);
        }
        assertThat(shortest.get()).isGreaterThanOrEqualTo(delay);
    }

    @Test
    void a_handled_item_is_let_go() throws Exception {
        AtomicBoolean handled = new AtomicBoolean();
        try (WorkQueue<Object> queue = WorkQueue.<Object>builder()
                .capacity(1)
                .workers(1)
                .handler(item -> handled.set(true))
                .build()) {
            WeakReference<Object> item = putNew(queue);
            until(handled::get);
            until(() -> {
                System.gc();
                return item.get() == null;
            });
        }
    }

    private static WeakReference<Object> putNew(WorkQueue<Object> queue) throws InterruptedException {
        Object item = new Object();
        queue.put(item);
        return new WeakReference<>(item);
    }
}
