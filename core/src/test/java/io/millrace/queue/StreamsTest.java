package io.millrace.queue;

import static io.millrace.queue.Background.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.WorkQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A queue that is split into several rings. */
class StreamsTest {
    @Test
    void no_stream_starves_while_others_are_full() throws Exception {
        int streams = 2;
        int capacity = 4;
        var producersSeen = ConcurrentHashMap.<Integer>newKeySet();
        AtomicInteger handled = new AtomicInteger();
        List<Background<Boolean>> producers = new ArrayList<>();
        var self = new ConcurrentLinkedQueue<WorkQueue<Integer>>();
        WorkQueue<Integer> queue = WorkQueue.<Integer>builder()
                .capacity(capacity)
                .streams(streams)
                .workers(1)
                .handler(producer -> {
                    if (handled.incrementAndGet() <= 200) {
                        producersSeen.add(producer);
                        until(() -> self.element().size() == capacity);
                    }
                })
                .build();
        self.add(queue);
        for (int p = 0; p < 8; p++) {
            int number = p;
            producers.add(Background.doing(() -> {
                while (handled.get() < 200) {
                    queue.put(number);
                }
            }));
        }
        until(() -> handled.get() >= 200);
        assertThat(producersSeen).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
        for (Background<Boolean> producer : producers) {
            producer.get();
        }
        queue.close();
    }

    @Test
    void each_producer_keeps_its_order() throws Exception {
        int each = 5_000;
        int producerCount = 6;
        var handled = new ConcurrentLinkedQueue<int[]>();
        List<Background<Boolean>> producers = new ArrayList<>();
        try (WorkQueue<int[]> queue = WorkQueue.<int[]>builder()
                .capacity(1_000)
                .streams(4)
                .workers(1)
                .handler(handled::add)
                .build()) {
            for (int p = 0; p < producerCount; p++) {
                int number = p;
                producers.add(Background.doing(() -> {
                    for (int i = 0; i < each; i++) {
                        queue.put(new int[] {number, i});
                    }
                }));
            }
            for (Background<Boolean> producer : producers) {
                producer.get();
            }
        }
        int[] next = new int[producerCount];
        for (int[] item : handled) {
            assertThat(item[1]).isEqualTo(next[item[0]]++);
        }
        assertThat(next).containsOnly(each);
    }
}
