package io.millrace.queue;

import static io.millrace.queue.Background.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Backoff;
import io.millrace.Event;
import io.millrace.Retry;
import io.millrace.StopException;
import io.millrace.WorkQueue;
import io.millrace.WorkQueueBuilder;
import io.millrace.internal.engine.HandClock;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private final HandClock clock = new HandClock();
    private final AtomicInteger attempts = new AtomicInteger();
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private WorkQueue<String> queue;

    @AfterEach
    void close() {
        queue.closeNow();
        assertThat(clock.pending()).isEmpty();
    }

    /** Items that contain "bad" fail. */
    private WorkQueueBuilder<String> builder(Retry retry) {
        return WorkQueue.<String>builder()
                .capacity(10)
                .workers(1)
                .clock(clock)
                .retry(retry)
                .observer(events::add)
                .handler(item -> {
                    if (item.contains("bad")) {
                        throw new IllegalArgumentException("attempt " + attempts.incrementAndGet());
                    }
                });
    }

    private <E> List<E> told(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "CONSTANT, 1000, 1000, 1000, 1000",
        "LINEAR, 1000, 2000, 3000, 4000",
        "EXPONENTIAL, 1000, 2000, 4000, 8000"
    })
    void retries_come_after_their_delays_and_not_before(
            Backoff backoff, long first, long second, long third, long fourth) throws Exception {
        queue = builder(Retry.of(backoff, SECOND).max(4)).build();
        queue.put("bad");
        int attempt = 1;
        for (long delay : new long[] {first, second, third, fourth}) {
            awaitWaiting(attempt);
            clock.advance(Duration.ofMillis(delay - 1));
            assertThat(queue.delayed()).as("not yet due").isEqualTo(1);
            assertThat(attempts).hasValue(attempt);
            clock.advance(Duration.ofMillis(1));
            attempt++;
        }
        until(() -> queue.totals().failed() == 1);
        assertThat(attempts).as("one more than the retries").hasValue(5);
        until(() -> told(Event.ItemFailed.class).size() == 1);
        assertThat(told(Event.ItemRetried.class))
                .extracting(Event.ItemRetried::delay)
                .containsExactlyElementsOf(Stream.of(first, second, third, fourth)
                        .map(Duration::ofMillis)
                        .toList());
    }

    private void awaitWaiting(int failures) {
        until(() -> attempts.get() == failures && queue.delayed() == 1);
    }

    @Test
    void without_a_number_of_retries_there_are_none() throws Exception {
        queue = builder(Retry.exponential(SECOND)).build();
        queue.put("bad");
        until(() -> queue.totals().failed() == 1);
        assertThat(attempts).hasValue(1);
        assertThat(queue.delayed()).isZero();
    }

    @Test
    void a_retry_that_succeeds_is_the_last_one() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        queue = builder(Retry.constant(SECOND).max(5))
                .handler(item -> {
                    if (calls.incrementAndGet() < 3) {
                        throw new IllegalArgumentException("not yet");
                    }
                })
                .build();
        queue.put("item");
        for (int i = 1; i < 3; i++) {
            int failures = i;
            until(() -> calls.get() == failures && queue.delayed() == 1);
            clock.advance(SECOND);
        }
        until(() -> told(Event.ItemHandled.class).size() == 1);
        clock.advance(Duration.ofHours(1));
        assertThat(calls).hasValue(3);
        assertThat(queue.totals()).isEqualTo(new WorkQueue.Totals(0, 0, 0, 0));
    }

    @Test
    void no_worker_is_held_while_items_wait_for_their_retries() throws Exception {
        queue = builder(Retry.constant(SECOND).max(1)).build();
        for (int i = 0; i < 5; i++) {
            queue.put("bad " + i);
        }
        queue.put("good");
        until(() -> told(Event.ItemHandled.class).size() == 1);
        assertThat(told(Event.ItemHandled.class).get(0).item()).isEqualTo("good");
        assertThat(queue.delayed()).isEqualTo(5);
    }

    @Test
    void retries_that_are_due_go_before_those_that_wait() throws Exception {
        Stops stops = new Stops();
        queue = builder(Retry.constant(SECOND).max(1))
                .handler(item -> {
                    stops.handle(item);
                    if (item.contains("bad") && attempts.incrementAndGet() == 1) {
                        throw new IllegalArgumentException("fails once");
                    }
                })
                .build();
        queue.put("bad");
        until(() -> queue.delayed() == 1);
        queue.put("stop");
        stops.awaitStop(1);
        queue.put("waits");
        clock.advance(SECOND);
        stops.go();
        assertThat(stops.take(3)).containsExactly("bad", "bad", "waits");
    }

    @Test
    void a_stop_exception_ends_all_retries() throws Exception {
        queue = builder(Retry.constant(SECOND).max(100))
                .handler(item -> {
                    attempts.incrementAndGet();
                    throw new StopException("never again");
                })
                .build();
        queue.put("item");
        until(() -> told(Event.ItemFailed.class).size() == 1);
        assertThat(told(Event.ItemFailed.class).get(0).cause()).isInstanceOf(StopException.class);
        assertThat(attempts).hasValue(1);
        assertThat(queue.delayed()).isZero();
        assertThat(queue.totals().failed()).isEqualTo(1);
    }

    @Test
    void only_the_last_failure_is_one_and_goes_to_the_target() throws Exception {
        Queue<String> target = new ConcurrentLinkedQueue<>();
        queue = builder(Retry.constant(SECOND).max(1)).deadLetter(target::add).build();
        queue.put("bad");
        awaitWaiting(1);
        assertThat(target).isEmpty();
        assertThat(queue.totals().failed()).isZero();
        clock.advance(SECOND);
        until(() -> told(Event.ItemFailed.class).size() == 1);
        assertThat(target).containsExactly("bad");
        assertThat(queue.totals()).isEqualTo(new WorkQueue.Totals(0, 1, 0, 0));
        Event.ItemFailed failed = told(Event.ItemFailed.class).get(0);
        assertThat(failed.cause()).hasMessage("attempt 2");
        assertThat(failed.deadLettered()).isTrue();
    }

    @Test
    void the_retries_of_many_items_have_room_however_small_the_queue_is() throws Exception {
        queue = builder(Retry.constant(SECOND).max(1)).capacity(1).build();
        queue.put("bad 1");
        awaitWaiting(1);
        queue.put("bad 2");
        until(() -> queue.delayed() == 2);
        assertThat(queue.offer("bad 3")).as("twice the capacity waits").isFalse();
        clock.advance(SECOND);
        until(() -> queue.totals().failed() == 2);
        assertThat(queue.offer("good")).isTrue();
        until(() -> told(Event.ItemHandled.class).size() == 1);
        assertThat(queue.totals().lost()).isZero();
    }
}
