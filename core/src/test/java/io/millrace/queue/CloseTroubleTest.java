package io.millrace.queue;

import static io.millrace.queue.Background.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.DeadLetterCause;
import io.millrace.Discard;
import io.millrace.ItemOptions;
import io.millrace.Leak;
import io.millrace.WorkQueue;
import io.millrace.internal.engine.HandClock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What happens to items when something else happens while a queue is closed: none disappears. */
class CloseTroubleTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void items_that_become_due_during_a_forced_close_come_back() throws Exception {
        int count = 100_000;
        HandClock clock = new HandClock();
        AtomicReference<WorkQueue<String>> self = new AtomicReference<>();
        CountDownLatch begun = new CountDownLatch(1);
        WorkQueue<String> queue = WorkQueue.<String>builder()
                .capacity(count)
                .workers(1)
                .clock(clock)
                .handler(item -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        // the queue is being closed: now time goes on, and a great many items become due
                        var unused = Background.doing(() -> clock.advance(HOUR));
                        while (self.get().size() == 0) {
                            Thread.onSpinWait();
                        }
                    }
                })
                .build();
        self.set(queue);
        queue.put("runs");
        begun.await();
        for (int i = 0; i < count; i++) {
            queue.put("item", ItemOptions.DEFAULT.delay(HOUR));
        }
        assertThat(queue.closeNow()).hasSize(count);
        assertThat(queue.totals().lost()).isEqualTo(count);
        assertThat(queue.size()).isZero();
    }

    @Test
    void the_item_of_a_handler_that_closes_by_force_and_then_fails_is_counted() {
        AtomicReference<WorkQueue<String>> self = new AtomicReference<>();
        CountDownLatch built = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        WorkQueue<String> queue = WorkQueue.<String>builder()
                .capacity(1)
                .workers(1)
                .handler(item -> {
                    built.await();
                    self.get().closeNow();
                    closed.countDown();
                    throw new IllegalArgumentException("cannot go on");
                })
                .build();
        self.set(queue);
        built.countDown();
        assertThat(queue.offer("item")).isTrue();
        until(() -> closed.getCount() == 0);
        until(() -> queue.totals().lost() + queue.totals().failed() == 1);
    }

    @Test
    void the_item_of_a_handler_that_outlives_the_close_and_then_fails_goes_to_the_target() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Gate target = Gate.opened();
        WorkQueue<String> queue = WorkQueue.<String>builder()
                .capacity(1)
                .workers(1)
                .deadLetter(target::handle)
                .handler(item -> {
                    begun.countDown();
                    awaitUninterrupted(go);
                    throw new IllegalArgumentException("too late");
                })
                .build();
        queue.put("item");
        begun.await();
        Background<List<String>> closing = Background.start(queue::closeNow).awaitBlocked();
        // who is interrupted does not wait for the handlers
        closing.thread().interrupt();
        assertThat(closing.get()).isEmpty();
        go.countDown();
        target.awaitHandled(1);
        assertThat(target.handled()).containsExactly("item");
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        boolean done = false;
        while (!done) {
            try {
                latch.await();
                done = true;
            } catch (InterruptedException e) {
                // this handler does not listen
            }
        }
    }

    @Test
    void what_an_interrupted_target_does_not_take_is_lost_once() {
        WorkQueue<String> queue = WorkQueue.<String>builder()
                .capacity(5)
                .workers(1)
                .deadLetter(item -> {
                    throw new InterruptedException("busy");
                })
                .clock(new HandClock())
                .delay(HOUR)
                .handler(item -> {})
                .build();
        assertThat(queue.offer("one")).isTrue();
        assertThat(queue.offer("two")).isTrue();
        List<String> left = queue.closeNow();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(left).containsExactly("one", "two");
        assertThat(queue.totals().lost()).isEqualTo(2);
        List<String> again = queue.closeNow();
        assertThat(Thread.interrupted()).isFalse();
        assertThat(again).isEmpty();
        assertThat(queue.totals().lost()).isEqualTo(2);
    }

    @Test
    void a_target_that_throws_an_error_does_not_cost_the_other_items() {
        Discard<String> discard = new Discard<>();
        WorkQueue<String> queue = WorkQueue.<String>builder()
                .capacity(5)
                .workers(1)
                .deadLetter(item -> {
                    if (item.equals("bad")) {
                        throw new LinkageError("cannot take it");
                    }
                    discard.put(item);
                })
                .clock(new HandClock())
                .delay(HOUR)
                .handler(item -> {})
                .build();
        assertThat(queue.offer("bad")).isTrue();
        assertThat(queue.offer("good")).isTrue();
        try {
            assertThat(queue.closeNow()).containsExactly("bad");
        } catch (LinkageError e) {
            assertThat(e).hasMessage("cannot take it");
        }
        assertThat(discard.count()).isEqualTo(1);
        assertThat(queue.totals().lost()).isEqualTo(1);
    }

    @Test
    void an_item_on_its_way_out_at_the_front_is_not_forgotten_when_the_queue_is_closed_meanwhile() throws Exception {
        Gate gate = new Gate();
        CountDownLatch leaking = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        WorkQueue<String> queue = WorkQueue.<String>builder()
                .capacity(1)
                .workers(1)
                .deadLetter(
                        item -> {
                            leaking.countDown();
                            awaitUninterrupted(go);
                            throw new IllegalArgumentException("no");
                        },
                        Set.of(DeadLetterCause.FULL))
                .leak(Leak.FRONT)
                .handler(gate)
                .build();
        queue.put("runs");
        gate.awaitBegun(1);
        queue.put("evicted");
        Background<Boolean> producer = Background.doing(() -> queue.put("new"));
        leaking.await();
        Background<List<String>> closing = Background.start(queue::closeNow);
        until(() -> queue.workers().active() == 0);
        go.countDown();
        assertThatThrownBy(producer::get).hasCauseInstanceOf(RuntimeException.class);
        List<String> left = closing.get();
        until(() -> queue.totals().lost() == 2);
        assertThat(queue.size()).isZero();
        assertThat(left).isSubsetOf("runs", "evicted");
    }
}
