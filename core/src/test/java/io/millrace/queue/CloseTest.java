package io.millrace.queue;

import static io.millrace.queue.Background.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.ItemOptions;
import io.millrace.Leak;
import io.millrace.Qos;
import io.millrace.Retry;
import io.millrace.WorkQueue;
import io.millrace.WorkQueueBuilder;
import io.millrace.internal.engine.HandClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Closing gracefully. */
class CloseTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final ItemOptions SOON = ItemOptions.DEFAULT.delay(Duration.ofMillis(50));
    private static final ItemOptions FAR = ItemOptions.DEFAULT.delay(Duration.ofHours(1));
    private static final WorkQueue.Totals NOTHING = new WorkQueue.Totals(0, 0, 0, 0);
    private final Gate gate = new Gate();

    private WorkQueueBuilder<String> builder() {
        return WorkQueue.<String>builder().capacity(100).workers(1).handler(gate);
    }

    @Test
    void everything_that_is_in_is_run_delays_and_retries_included() throws Exception {
        AtomicInteger failures = new AtomicInteger(3);
        Queue<String> handled = new ConcurrentLinkedQueue<>();
        WorkQueue<String> queue = builder()
                .workers(2)
                .retry(Retry.constant(Duration.ofMillis(20)).max(3))
                .handler(item -> {
                    if (item.equals("retried") && failures.getAndDecrement() > 0) {
                        throw new IllegalArgumentException("not yet");
                    }
                    handled.add(item);
                })
                .build();
        List<String> all = new ArrayList<>(List.of("retried", "delayed"));
        queue.put("delayed", SOON);
        queue.put("retried");
        for (int i = 0; i < 50; i++) {
            queue.put("item " + i);
            all.add("item " + i);
        }
        queue.close();
        assertThat(handled).containsExactlyInAnyOrderElementsOf(all);
        assertThat(queue.totals()).isEqualTo(NOTHING);
        assertThat(queue.workers().active()).isZero();
        assertThat(queue.size() + queue.delayed()).isZero();
    }

    @Test
    void close_waits_for_what_runs_and_does_not_interrupt_it() throws Exception {
        WorkQueue<String> queue = builder().build();
        queue.put("runs");
        gate.awaitBegun(1);
        queue.put("waits");
        Background<Boolean> closing = Background.doing(queue::close).awaitBlocked();
        assertThat(closing.task().isDone()).isFalse();
        gate.open();
        closing.get();
        assertThat(gate.handled()).containsExactly("runs", "waits");
        assertThat(queue.totals()).isEqualTo(NOTHING);
    }

    @Test
    void what_is_due_after_the_limit_is_not_waited_for() throws Exception {
        Queue<String> target = new ConcurrentLinkedQueue<>();
        gate.open();
        WorkQueue<String> queue = builder()
                .closeTimeout(Duration.ofMinutes(10))
                .deadLetter(target::add)
                .build();
        queue.put("far", FAR);
        queue.put("soon", SOON);
        queue.put("now");
        assertThat(Background.doing(queue::close).endsWithin(Duration.ofSeconds(20)))
                .isTrue();
        assertThat(gate.handled()).containsExactly("now", "soon");
        assertThat(target).containsExactly("far");
        assertThat(queue.totals()).isEqualTo(NOTHING);
    }

    @Test
    void a_retry_that_is_due_after_the_limit_is_not_waited_for_and_counts_as_lost() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        WorkQueue<String> queue = builder()
                .retry(Retry.constant(Duration.ofHours(1)).max(1))
                .handler(item -> {
                    attempts.incrementAndGet();
                    throw new IllegalArgumentException("fails");
                })
                .build();
        queue.put("item");
        assertThat(Background.doing(queue::close).endsWithin(Duration.ofSeconds(20)))
                .isTrue();
        assertThat(attempts).hasValue(1);
        assertThat(queue.totals()).isEqualTo(new WorkQueue.Totals(0, 0, 0, 1));
    }

    @Test
    void close_gives_up_after_its_limit_and_interrupts_what_runs() throws Exception {
        Duration limit = Duration.ofMillis(200);
        WorkQueue<String> queue = builder().closeTimeout(limit).build();
        queue.put("runs");
        gate.awaitBegun(1);
        queue.put("waits");
        long start = System.nanoTime();
        Background<Boolean> closing = Background.doing(queue::close);
        assertThat(closing.endsWithin(Duration.ofSeconds(15))).isTrue();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(limit.toNanos());
        assertThat(gate.handled()).isEmpty();
        assertThat(gate.begun()).containsExactly("runs");
        assertThat(queue.totals()).isEqualTo(new WorkQueue.Totals(0, 0, 0, 2));
    }

    @Test
    void a_limit_of_zero_closes_by_force() throws Exception {
        WorkQueue<String> queue = builder().closeTimeout(Duration.ZERO).build();
        queue.put("runs");
        gate.awaitBegun(1);
        queue.close();
        assertThat(gate.handled()).isEmpty();
        assertThat(queue.totals().lost()).isEqualTo(1);
    }

    @Test
    void who_is_interrupted_while_it_closes_closes_by_force_and_stays_interrupted() throws Exception {
        WorkQueue<String> queue = builder().build();
        queue.put("runs");
        gate.awaitBegun(1);
        Background<Boolean> closing = Background.start(() -> {
            queue.close();
            return Thread.currentThread().isInterrupted();
        });
        closing.awaitBlocked().thread().interrupt();
        assertThat(closing.get()).isTrue();
        assertThat(queue.totals().lost()).isEqualTo(1);
    }

    @Test
    void closing_twice_is_fine() throws Exception {
        gate.open();
        WorkQueue<String> queue = builder().build();
        queue.put("item");
        queue.close();
        queue.close();
        assertThat(queue.closeNow()).isEmpty();
        assertThat(gate.handled()).containsExactly("item");
        assertThat(queue.totals()).isEqualTo(NOTHING);
    }

    static Stream<UnaryOperator<WorkQueueBuilder<String>>> kinds() {
        return Stream.of(
                builder -> builder.capacity(2),
                builder -> builder.capacity(2).streams(2),
                builder -> builder.capacity(2).delay(SECOND),
                builder -> builder.capacity(2).deadLetter(item -> {}).leak(Leak.FRONT),
                builder -> builder.capacity(2).qos(Qos.fair(item -> item)),
                builder -> builder.qos(
                        Qos.<String>strict().lane("a", 1, 1).lane("b", 1, 1).priority((item, weight) -> 0)));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void a_closed_queue_refuses_every_item(UnaryOperator<WorkQueueBuilder<String>> kind) {
        Queue<String> handled = new ConcurrentLinkedQueue<>();
        WorkQueue<String> queue = kind.apply(WorkQueue.<String>builder().name("shut"))
                .workers(1)
                .handler(handled::add)
                .build();
        queue.close();
        assertClosed(() -> queue.put("item"));
        assertClosed(() -> queue.put("item", SOON));
        assertClosed(() -> queue.put("item", SECOND));
        assertClosed(() -> queue.put("item", SOON, SECOND));
        assertClosed(() -> queue.offer("item"));
        assertClosed(() -> queue.offer("item", SOON));
        assertThat(handled).isEmpty();
        assertThat(queue.size() + queue.delayed()).isZero();
        assertThat(queue.totals()).isEqualTo(NOTHING);
    }

    private static void assertClosed(Background.Action action) {
        assertThatThrownBy(action::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the queue shut is closed; the item was not taken");
    }

    @Test
    void nothing_is_taken_while_a_queue_closes() throws Exception {
        HandClock clock = new HandClock();
        WorkQueue<String> queue = builder().name("shut").clock(clock).build();
        queue.put("runs");
        gate.awaitBegun(1);
        Background<Boolean> closing = Background.doing(queue::close).awaitBlocked();
        assertClosed(() -> queue.put("item"));
        assertClosed(() -> queue.offer("item", FAR));
        gate.open();
        closing.get();
        until(() -> clock.pending().isEmpty());
        assertThat(gate.handled()).containsExactly("runs");
    }
}
