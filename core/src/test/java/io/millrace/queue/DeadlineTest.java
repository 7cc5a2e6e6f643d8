package io.millrace.queue;

import static io.millrace.queue.Background.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Event;
import io.millrace.ItemOptions;
import io.millrace.Retry;
import io.millrace.WorkQueue;
import io.millrace.WorkQueueBuilder;
import io.millrace.internal.engine.HandClock;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeadlineTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration TICK = Duration.ofMillis(1);
    private final HandClock clock = new HandClock();
    private final Stops stops = new Stops();
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private WorkQueue<String> queue;

    @AfterEach
    void close() {
        queue.closeNow();
    }

    private WorkQueueBuilder<String> builder() {
        return WorkQueue.<String>builder()
                .name("mail")
                .capacity(10)
                .workers(1)
                .clock(clock)
                .observer(events::add)
                .handler(stops);
    }

    private static ItemOptions within(long seconds) {
        return ItemOptions.DEFAULT.deadline(Duration.ofSeconds(seconds));
    }

    private void holdWorker() throws InterruptedException {
        queue.put("stop");
        stops.awaitStop(1);
    }

    private List<Event> expired() {
        return events.stream().filter(Event.ItemExpired.class::isInstance).toList();
    }

    @Test
    void what_is_taken_too_late_is_skipped_counted_and_told() throws Exception {
        queue = builder().build();
        holdWorker();
        queue.put("late", within(1));
        queue.put("in time", within(5));
        queue.put("no hurry");
        clock.advance(SECOND.plus(TICK));
        assertThat(queue.size())
                .as("an expired item takes up room until a worker comes by")
                .isEqualTo(3);
        stops.go();
        assertThat(stops.take(2)).containsExactly("in time", "no hurry");
        assertThat(queue.totals()).isEqualTo(new WorkQueue.Totals(0, 0, 1, 0));
        assertThat(expired()).containsExactly(new Event.ItemExpired("mail", "late", false));
        assertThat(events).doesNotContain(new Event.ItemPulled("mail", "late", null));
    }

    @Test
    void what_is_taken_at_the_last_moment_runs() throws Exception {
        queue = builder().build();
        holdWorker();
        queue.put("just", within(1));
        clock.advance(SECOND);
        stops.go();
        assertThat(stops.take(1)).containsExactly("just");
        assertThat(queue.totals().expired()).isZero();
    }

    @Test
    void the_dead_letter_target_gets_what_expired() throws Exception {
        Queue<String> target = new ConcurrentLinkedQueue<>();
        queue = builder().deadLetter(target::add).build();
        holdWorker();
        queue.put("late", within(1));
        clock.advance(SECOND.multipliedBy(2));
        stops.go();
        until(() -> expired().size() == 1);
        assertThat(expired()).containsExactly(new Event.ItemExpired("mail", "late", true));
        assertThat(target).containsExactly("late");
        assertThat(queue.totals()).isEqualTo(new WorkQueue.Totals(0, 0, 1, 0));
    }

    @Test
    void the_deadline_of_an_item_goes_before_that_of_the_queue() throws Exception {
        queue = builder().deadline(SECOND.multipliedBy(2)).build();
        queue.put("stop", within(60));
        stops.awaitStop(1);
        queue.put("the queue's");
        queue.put("shorter", within(1));
        queue.put("longer", within(3));
        clock.advance(Duration.ofMillis(1_500));
        queue.put("put later");
        clock.advance(SECOND);
        stops.go();
        assertThat(stops.take(2)).containsExactly("longer", "put later");
        assertThat(expired())
                .containsExactly(
                        new Event.ItemExpired("mail", "the queue's", false),
                        new Event.ItemExpired("mail", "shorter", false));
    }

    @Test
    void a_deadline_counts_from_the_put_also_for_a_delayed_item() throws Exception {
        queue = builder().build();
        holdWorker();
        queue.put("late", within(3).delay(SECOND.multipliedBy(2)));
        clock.advance(SECOND.multipliedBy(2));
        assertThat(queue.size()).isEqualTo(1);
        clock.advance(SECOND.plus(TICK));
        stops.go();
        until(() -> queue.totals().expired() == 1);
        assertThat(queue.size()).isZero();
    }

    @Test
    void an_item_whose_retry_comes_after_its_deadline_expires() throws Exception {
        queue = builder()
                .retry(Retry.constant(SECOND.multipliedBy(2)).max(9))
                .deadline(SECOND.multipliedBy(3))
                .handler(item -> {
                    throw new IllegalArgumentException("fails");
                })
                .build();
        queue.put("item");
        until(() -> queue.delayed() == 1);
        clock.advance(SECOND.multipliedBy(2));
        until(() -> queue.delayed() == 1);
        clock.advance(SECOND.multipliedBy(2));
        until(() -> expired().size() == 1);
        assertThat(queue.totals()).isEqualTo(new WorkQueue.Totals(0, 0, 1, 0));
        assertThat(events).filteredOn(Event.ItemPulled.class::isInstance).hasSize(2);
    }

    @Test
    void an_item_that_runs_is_not_interrupted_by_its_deadline() throws Exception {
        queue = builder().build();
        queue.put("stop", within(1));
        stops.awaitStop(1);
        clock.advance(SECOND.multipliedBy(5));
        stops.go();
        until(() -> events.stream().anyMatch(Event.ItemHandled.class::isInstance));
        assertThat(queue.totals().expired()).isZero();
    }

    @Test
    void options_that_do_not_fit_those_of_the_queue_are_refused_and_nothing_is_taken() {
        String longer = "it must be longer than the delay, which is ";
        queue = builder().delay(SECOND).deadline(SECOND.multipliedBy(5)).build();
        new Refusal(() -> queue.put("item", within(1)), "deadline", "PT1S", longer + "PT1S").check();
        ItemOptions later = ItemOptions.DEFAULT.delay(SECOND.multipliedBy(5));
        new Refusal(() -> queue.put("item", later), "deadline", "PT5S", longer + "PT5S").check();
        new Refusal(() -> queue.offer("item", later), "deadline", "PT5S", longer + "PT5S").check();
        new Refusal(() -> queue.put("item", later, SECOND), "deadline", "PT5S", longer + "PT5S").check();
        assertThat(queue.delayed() + queue.size()).isZero();
        assertThat(queue.offer("item", later.deadline(SECOND.multipliedBy(6)))).isTrue();
    }
}
