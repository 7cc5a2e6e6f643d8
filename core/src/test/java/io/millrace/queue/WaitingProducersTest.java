package io.millrace.queue;

import static io.millrace.queue.Background.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.ItemOptions;
import io.millrace.Retry;
import io.millrace.WorkQueue;
import io.millrace.internal.engine.HandClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Producers that wait for room are woken by room and by the end, and none is forgotten. */
class WaitingProducersTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void a_blocked_producer_gets_in_as_soon_as_there_is_room() throws Exception {
        Gate gate = new Gate();
        try (WorkQueue<String> queue =
                WorkQueue.<String>builder().capacity(1).workers(1).handler(gate).build()) {
            queue.put("runs");
            gate.awaitBegun(1);
            queue.put("waits");
            Background<Boolean> blocked =
                    Background.doing(() -> queue.put("blocked")).awaitBlocked();
            assertThat(queue.size()).isEqualTo(1);
            gate.open();
            assertThat(blocked.get()).isTrue();
            gate.awaitHandled(3);
            assertThat(gate.handled()).containsExactly("runs", "waits", "blocked");
        }
    }

    @Test
    void close_sends_blocked_producers_away_with_their_items() throws Exception {
        Gate gate = new Gate();
        try (WorkQueue<String> queue =
                WorkQueue.<String>builder().capacity(1).workers(1).handler(gate).build()) {
            queue.put("runs");
            gate.awaitBegun(1);
            queue.put("waits");
            List<Background<Boolean>> blocked = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                blocked.add(Background.doing(() -> queue.put("blocked")).awaitBlocked());
            }
            Background<Boolean> closing = Background.doing(queue::close);
            for (Background<Boolean> each : blocked) {
                assertThatThrownBy(each::get)
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("the item was not taken");
            }
            gate.open();
            closing.get();
            assertThat(gate.handled()).containsExactly("runs", "waits");
        }
    }

    @Test
    void an_interrupted_producer_keeps_its_item() throws Exception {
        Gate gate = new Gate();
        try (WorkQueue<String> queue =
                WorkQueue.<String>builder().capacity(1).workers(1).handler(gate).build()) {
            queue.put("runs");
            gate.awaitBegun(1);
            queue.put("waits");
            Background<Boolean> blocked =
                    Background.doing(() -> queue.put("blocked")).awaitBlocked();
            blocked.thread().interrupt();
            assertThatThrownBy(blocked::get).hasCauseInstanceOf(InterruptedException.class);
            assertThat(queue.size()).isEqualTo(1);
            gate.open();
            queue.close();
            assertThat(gate.handled()).containsExactly("runs", "waits");
        }
    }

    @Test
    void a_producer_that_gives_up_does_not_keep_the_room_from_the_others() throws Exception {
        HandClock clock = new HandClock();
        CountDownLatch fail = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        var handled = ConcurrentHashMap.<String>newKeySet();
        var failed = ConcurrentHashMap.<String>newKeySet();
        try (WorkQueue<String> queue = WorkQueue.<String>builder()
                .capacity(1)
                .workers(2)
                .clock(clock)
                .retry(Retry.constant(SECOND).max(1))
                .handler(item -> {
                    if (item.equals("holds a worker")) {
                        end.await();
                    } else if (item.startsWith("fails once") && failed.add(item)) {
                        if (item.endsWith("when told")) {
                            fail.await();
                        }
                        throw new IllegalArgumentException("once");
                    }
                    handled.add(item);
                })
                .build()) {
            queue.put("holds a worker");
            until(() -> queue.size() == 0);
            queue.put("fails once");
            until(() -> queue.delayed() == 1);
            queue.put("fails once when told");
            until(() -> queue.size() == 0);
            queue.put("second");
            Background<Boolean> impatient = Background.start(
                            () -> queue.put("impatient", ItemOptions.DEFAULT, Duration.ofSeconds(2)))
                    .awaitBlocked();
            Background<Boolean> patient =
                    Background.doing(() -> queue.put("patient")).awaitBlocked();
            fail.countDown();
            // twice as many items as fit wait for their retry: there is no room, although the queue itself is empty
            until(() -> handled.contains("second") && queue.delayed() == 2);
            assertThat(impatient.get()).isFalse();
            clock.advance(SECOND);
            until(() -> handled.contains("fails once"));
            assertThat(patient.endsWithin(Duration.ofSeconds(5)))
                    .as("the queue is empty, so the producer that waits gets in")
                    .isTrue();
            end.countDown();
        }
    }

    @Test
    void a_producer_interrupted_when_it_was_to_get_in_lets_the_next_one_in() throws Exception {
        for (int round = 0; round < 200; round++) {
            Gate gate = new Gate();
            WorkQueue<String> queue = WorkQueue.<String>builder()
                    .capacity(1)
                    .workers(1)
                    .handler(gate)
                    .build();
            queue.put("runs");
            gate.awaitBegun(1);
            queue.put("waits");
            Background<Boolean> first =
                    Background.doing(() -> queue.put("first")).awaitBlocked();
            Background<Boolean> second =
                    Background.doing(() -> queue.put("second")).awaitBlocked();
            gate.open();
            while (queue.size() > 0 && !first.task().isDone()) {
                Thread.onSpinWait();
            }
            first.thread().interrupt();
            assertThat(second.endsWithin(Duration.ofSeconds(5)))
                    .as("the second producer gets in, in round %d", round)
                    .isTrue();
            queue.close();
            assertThat(gate.handled()).contains("runs", "waits", "second");
        }
    }

    @Test
    void no_producer_is_forgotten_while_delayed_items_come_and_go() throws Exception {
        HandClock clock = new HandClock();
        int each = 2_000;
        AtomicInteger handled = new AtomicInteger();
        try (WorkQueue<Integer> queue = WorkQueue.<Integer>builder()
                .capacity(1)
                .workers(1)
                .clock(clock)
                .handler(item -> handled.incrementAndGet())
                .build()) {
            List<Background<Boolean>> producers = new ArrayList<>();
            for (int p = 0; p < 2; p++) {
                producers.add(Background.doing(() -> {
                    for (int i = 0; i < each; i++) {
                        queue.put(i, ItemOptions.DEFAULT.delay(Duration.ofMillis(1)));
                    }
                }));
            }
            Background<Boolean> time = Background.doing(() -> {
                while (handled.get() < 2 * each && !Thread.interrupted()) {
                    clock.advance(Duration.ofMillis(1));
                }
            });
            try {
                for (Background<Boolean> producer : producers) {
                    producer.get();
                }
            } finally {
                time.thread().interrupt();
                time.get();
            }
            clock.advance(SECOND);
            until(() -> handled.get() == 2 * each);
        }
    }
}
