package io.millrace.queue;

import static io.millrace.queue.Background.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.DeadLetterCause;
import io.millrace.ItemOptions;
import io.millrace.Leak;
import io.millrace.WorkQueue;
import io.millrace.internal.engine.HandClock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** Dead-letter targets that do not take what they are given. */
class LeakTroubleTest {
    @Test
    void an_evicted_item_stays_if_the_target_throws_an_exception() throws Exception {
        evictedItemStays(new IllegalArgumentException("no"), IllegalArgumentException.class);
    }

    @Test
    void an_evicted_item_stays_if_the_target_throws_an_error() throws Exception {
        evictedItemStays(new AssertionError("no"), AssertionError.class);
    }

    private static void evictedItemStays(Throwable thrown, Class<?> expected) throws Exception {
        Gate gate = new Gate();
        try (WorkQueue<String> queue = WorkQueue.<String>builder()
                .capacity(1)
                .workers(1)
                .deadLetter(
                        item -> {
                            if (thrown instanceof Error error) {
                                throw error;
                            }
                            throw (RuntimeException) thrown;
                        },
                        Set.of(DeadLetterCause.FULL))
                .leak(Leak.FRONT)
                .handler(gate)
                .build()) {
            queue.put("runs");
            gate.awaitBegun(1);
            queue.put("stays");
            assertThatThrownBy(() -> queue.put("new")).isInstanceOf(expected);
            assertThat(queue.size()).isEqualTo(1);
            assertThat(queue.totals().leaked()).isZero();
            gate.open();
            gate.awaitHandled(2);
            assertThat(gate.handled()).containsExactly("runs", "stays");
        }
    }

    @Test
    void a_failed_item_whose_target_throws_an_error_is_counted_as_lost() throws Exception {
        try (WorkQueue<String> queue = WorkQueue.<String>builder()
                .capacity(1)
                .workers(1)
                .deadLetter(item -> {
                    throw new AssertionError("no");
                })
                .handler(item -> {
                    throw new IllegalArgumentException("fails");
                })
                .build()) {
            queue.put("item");
            until(() -> queue.totals().failed() == 1);
            until(() -> queue.totals().lost() == 1);
        }
    }

    @Test
    void the_interrupt_flag_that_a_failed_handler_leaves_does_not_keep_its_item_from_the_target() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        var taken = new ConcurrentLinkedQueue<String>();
        try (WorkQueue<String> queue = WorkQueue.<String>builder()
                .capacity(1)
                .workers(1)
                .deadLetter(item -> {
                    lock.lockInterruptibly();
                    try {
                        taken.add(item);
                    } finally {
                        lock.unlock();
                    }
                })
                .handler(item -> {
                    Thread.currentThread().interrupt();
                    throw new IllegalArgumentException("something below was interrupted");
                })
                .build()) {
            queue.put("item");
            until(() -> queue.totals().failed() == 1);
            until(() -> !taken.isEmpty() || queue.totals().lost() > 0);
            assertThat(queue.totals().lost()).isZero();
            assertThat(taken).containsExactly("item");
        }
    }

    @Test
    void nothing_is_evicted_where_that_makes_no_room() throws Exception {
        Gate gate = new Gate();
        var leaked = new ConcurrentLinkedQueue<String>();
        try (WorkQueue<String> queue = WorkQueue.<String>builder()
                .capacity(2)
                .workers(1)
                .clock(new HandClock())
                .deadLetter(leaked::add)
                .leak(Leak.FRONT)
                .handler(gate)
                .build()) {
            queue.put("runs");
            gate.awaitBegun(1);
            queue.put("ready");
            queue.put("delayed 1", ItemOptions.DEFAULT.delay(Duration.ofDays(1)));
            queue.put("delayed 2", ItemOptions.DEFAULT.delay(Duration.ofDays(1)));
            // as many items as fit wait for their delay: evicting one that does not wait changes nothing
            queue.put("new", ItemOptions.DEFAULT.delay(Duration.ofDays(1)));
            assertThat(leaked).containsExactly("new");
            assertThat(queue.size()).isEqualTo(1);
            gate.open();
        }
    }
}
