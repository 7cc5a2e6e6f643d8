package io.millrace.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.DeadLetterCause;
import io.millrace.Event;
import io.millrace.ItemOptions;
import io.millrace.Retry;
import io.millrace.WorkQueue;
import io.millrace.WorkQueueBuilder;
import io.millrace.internal.engine.HandClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Closing by force. */
class CloseNowTest {
    private final HandClock clock = new HandClock();
    private final Gate gate = new Gate();
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();

    private WorkQueueBuilder<String> builder() {
        return WorkQueue.<String>builder()
                .capacity(10)
                .workers(1)
                .clock(clock)
                .observer(events::add)
                .handler(gate);
    }

    private static ItemOptions after(long hours) {
        return ItemOptions.DEFAULT.delay(Duration.ofHours(hours));
    }

    private WorkQueue<String> filled(WorkQueueBuilder<String> builder) throws InterruptedException {
        WorkQueue<String> queue = builder.build();
        queue.put("interrupted");
        gate.awaitBegun(1);
        queue.put("delayed 2", after(2));
        queue.put("first");
        queue.put("delayed 1", after(1));
        queue.put("second");
        return queue;
    }

    @Test
    void what_was_not_run_comes_back_in_the_order_in_which_it_would_have_run() throws Exception {
        WorkQueue<String> queue = filled(builder());
        assertThat(queue.closeNow()).containsExactly("interrupted", "first", "second", "delayed 1", "delayed 2");
        assertThat(gate.begun()).containsExactly("interrupted");
        assertThat(gate.handled()).isEmpty();
        assertThat(queue.size() + queue.delayed()).isZero();
        assertThat(clock.pending()).isEmpty();
    }

    @Test
    void what_was_not_run_comes_back_once_and_is_counted_and_told_as_lost() throws Exception {
        WorkQueue<String> queue = filled(builder());
        List<String> left = queue.closeNow();
        assertThat(left)
                .containsExactlyInAnyOrder("interrupted", "first", "second", "delayed 1", "delayed 2")
                .containsSubsequence("first", "second", "delayed 1", "delayed 2");
        assertThat(queue.totals()).isEqualTo(new WorkQueue.Totals(0, 0, 0, 5));
        assertThat(events.stream()
                        .filter(Event.ItemLost.class::isInstance)
                        .map(event -> ((Event.ItemLost) event).item()))
                .containsExactlyElementsOf(left);
        assertThat(queue.closeNow()).isEmpty();
        queue.close();
        assertThat(queue.totals().lost()).isEqualTo(5);
    }

    @Test
    void what_a_worker_had_taken_and_not_begun_comes_back_before_what_waited_behind_it() throws Exception {
        int count = 8_000;
        int stop = 5_000;
        CountDownLatch filled = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        WorkQueue<Integer> queue = WorkQueue.<Integer>builder()
                .capacity(count)
                .workers(1)
                .handler(item -> {
                    filled.await();
                    if (item == stop) {
                        stopped.countDown();
                        new CountDownLatch(1).await();
                    }
                })
                .build();
        for (int i = 0; i < count; i++) {
            queue.put(i);
        }
        filled.countDown();
        stopped.await();
        List<Integer> left = new ArrayList<>(queue.closeNow());
        assertThat(left).contains(stop);
        left.remove((Integer) stop);
        assertThat(left)
                .containsExactlyElementsOf(
                        IntStream.range(stop + 1, count).boxed().toList());
    }

    @Test
    void the_dead_letter_target_gets_everything_instead_whatever_its_causes() throws Exception {
        Queue<String> target = new ConcurrentLinkedQueue<>();
        WorkQueue<String> queue = filled(builder().deadLetter(target::add, Set.<DeadLetterCause>of()));
        assertThat(queue.closeNow()).isEmpty();
        assertThat(target)
                .containsExactlyInAnyOrder("interrupted", "first", "second", "delayed 1", "delayed 2")
                .containsSubsequence("first", "second", "delayed 1", "delayed 2");
        assertThat(queue.totals()).isEqualTo(new WorkQueue.Totals(0, 0, 0, 0));
    }

    @Test
    void what_waits_for_a_retry_comes_back_and_is_not_failed() throws Exception {
        WorkQueue<String> queue = builder()
                .retry(Retry.constant(Duration.ofHours(1)).max(1))
                .handler(item -> {
                    throw new IllegalArgumentException("fails");
                })
                .build();
        queue.put("item");
        Background.until(() -> queue.delayed() == 1);
        assertThat(queue.closeNow()).containsExactly("item");
        assertThat(queue.totals()).isEqualTo(new WorkQueue.Totals(0, 0, 0, 1));
    }

    @Test
    void a_handler_that_ends_well_after_the_interrupt_has_succeeded() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicInteger ended = new AtomicInteger();
        WorkQueue<String> queue = builder()
                .handler(item -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        ended.incrementAndGet();
                    }
                })
                .build();
        queue.put("item");
        begun.await();
        assertThat(queue.closeNow()).isEmpty();
        assertThat(ended).hasValue(1);
        assertThat(queue.totals()).isEqualTo(new WorkQueue.Totals(0, 0, 0, 0));
        assertThat(events).anyMatch(Event.ItemHandled.class::isInstance);
    }

    @Test
    void an_interrupted_item_is_neither_retried_nor_failed() throws Exception {
        WorkQueue<String> queue =
                builder().retry(Retry.constant(Duration.ZERO).max(5)).build();
        queue.put("item");
        gate.awaitBegun(1);
        assertThat(queue.closeNow()).containsExactly("item");
        assertThat(events).noneMatch(event -> event instanceof Event.ItemRetried || event instanceof Event.ItemFailed);
        assertThat(queue.totals()).isEqualTo(new WorkQueue.Totals(0, 0, 0, 1));
    }

    @Test
    void closing_by_force_cuts_a_graceful_close_short() throws Exception {
        WorkQueue<String> queue = filled(builder().closeTimeout(Duration.ofHours(3)));
        Background<Boolean> graceful = Background.doing(queue::close).awaitBlocked();
        List<String> left = queue.closeNow();
        assertThat(graceful.endsWithin(Duration.ofSeconds(20))).isTrue();
        assertThat(left).doesNotHaveDuplicates();
        assertThat(queue.totals().lost()).isEqualTo(5);
        assertThat(queue.size() + queue.delayed()).isZero();
    }

    @Test
    void of_many_that_close_at_once_each_gets_items_that_no_other_gets() throws Exception {
        int closers = 4;
        int count = 1_000;
        for (int round = 0; round < 50; round++) {
            WorkQueue<String> queue = builder()
                    .capacity(count)
                    .handler(item -> new CountDownLatch(1).await())
                    .build();
            for (int i = 0; i < count; i++) {
                queue.put("item " + i);
            }
            CyclicBarrier start = new CyclicBarrier(closers);
            List<Background<List<String>>> all = new ArrayList<>();
            for (int i = 0; i < closers; i++) {
                all.add(Background.start(() -> {
                    start.await();
                    return queue.closeNow();
                }));
            }
            List<String> left = new ArrayList<>();
            for (Background<List<String>> closer : all) {
                left.addAll(closer.get());
            }
            assertThat(left).as("round %d", round).hasSize(count).doesNotHaveDuplicates();
            assertThat(queue.totals().lost()).isEqualTo(count);
        }
    }
}
