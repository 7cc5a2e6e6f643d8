package io.millrace.queue;

import static io.millrace.queue.Background.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Event;
import io.millrace.ItemOptions;
import io.millrace.Leak;
import io.millrace.Retry;
import io.millrace.WorkQueue;
import io.millrace.WorkQueueBuilder;
import io.millrace.internal.engine.HandClock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is told of workers, and that nothing goes untold. */
class WorkerEventsTest {
    private static final String NAME = "mail";
    private static final Duration SECOND = Duration.ofSeconds(1);
    private final HandClock clock = new HandClock();
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();

    private WorkQueueBuilder<String> builder() {
        return WorkQueue.<String>builder()
                .name(NAME)
                .capacity(1)
                .workers(1)
                .clock(clock)
                .observer(events::add);
    }

    private <E extends Event> List<E> told(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    @Test
    void workers_are_told_when_they_start_sleep_wake_and_stop() throws Exception {
        Stops stops = new Stops();
        WorkQueue<String> queue = builder()
                .capacity(2)
                .workers(1, 2)
                .sleepInterval(SECOND.multipliedBy(2))
                .handler(stops)
                .build();
        fill(queue, stops, 1);
        clock.advance(SECOND);
        stops.awaitStop(2);
        stops.go();
        stops.go();
        assertThat(stops.take(1)).containsExactly("filler");
        clock.advance(SECOND);
        fill(queue, stops, 3);
        clock.advance(SECOND);
        stops.awaitStop(4);
        stops.go();
        stops.go();
        assertThat(stops.take(1)).containsExactly("filler");
        clock.advance(SECOND);
        clock.advance(SECOND.multipliedBy(2));
        queue.close();
        List<Event> ofWorkers = events.stream()
                .filter(event -> event.getClass().getSimpleName().startsWith("Worker"))
                .toList();
        int spare = told(Event.WorkerSlept.class).get(0).worker();
        int last = told(Event.WorkerSlept.class).get(1).worker();
        assertThat(ofWorkers)
                .containsExactly(
                        new Event.WorkerStarted(NAME, 0),
                        new Event.WorkersChanged(NAME, 1, 0, 1),
                        new Event.WorkerStarted(NAME, 1),
                        new Event.WorkersChanged(NAME, 2, 0, 0),
                        new Event.WorkerSlept(NAME, spare),
                        new Event.WorkersChanged(NAME, 1, 1, 0),
                        new Event.WorkerWoken(NAME, spare),
                        new Event.WorkersChanged(NAME, 2, 0, 0),
                        new Event.WorkerSlept(NAME, last),
                        new Event.WorkersChanged(NAME, 1, 1, 0),
                        new Event.WorkerStopped(NAME, last),
                        new Event.WorkersChanged(NAME, 1, 0, 1),
                        new Event.WorkersChanged(NAME, 0, 0, 2));
    }

    /** One runs, and two wait: the queue is full. */
    private static void fill(WorkQueue<String> queue, Stops stops, int stop) throws InterruptedException {
        queue.put("stop");
        stops.awaitStop(stop);
        queue.put("stop");
        queue.put("filler");
    }

    @Test
    void every_event_of_a_queue_is_told_in_some_run() throws Exception {
        Stops stops = new Stops();
        WorkQueue<String> queue = builder()
                .workers(1, 2)
                .sleepInterval(SECOND)
                .retry(Retry.constant(SECOND).max(1))
                .deadLetter(item -> {
                    if (!item.equals("leaks")) {
                        throw new IllegalStateException("no");
                    }
                })
                .handler(item -> {
                    stops.handle(item);
                    if (item.equals("fails")) {
                        throw new IllegalArgumentException(item);
                    }
                })
                .build();
        queue.put("stop");
        stops.awaitStop(1);
        queue.put("stop");
        queue.put("leaks");
        stops.awaitStop(2);
        queue.put("expires", ItemOptions.DEFAULT.deadline(SECOND));
        clock.advance(SECOND.multipliedBy(2));
        stops.go();
        stops.go();
        until(() -> queue.totals().expired() == 1);
        clock.advance(SECOND);
        clock.advance(SECOND.multipliedBy(2));
        queue.put("fails");
        until(() -> queue.delayed() == 1);
        clock.advance(SECOND);
        until(() -> queue.totals().failed() == 1);
        queue.put("delayed", ItemOptions.DEFAULT.delay(SECOND));
        queue.closeNow();
        assertThat(events)
                .contains(new Event.ItemLeaked(NAME, "leaks", Leak.REAR, null))
                .contains(new Event.ItemExpired(NAME, "expires", false))
                .contains(new Event.ItemLost(NAME, "delayed"));
        Set<Class<?>> missing = Arrays.stream(Event.OfQueue.class.getPermittedSubclasses())
                .filter(type -> events.stream().noneMatch(type::isInstance))
                .collect(Collectors.toSet());
        // a sleeper wakes in the test of workers
        assertThat(missing).containsExactly(Event.WorkerWoken.class);
        assertThat(events)
                .allSatisfy(event -> assertThat(((Event.OfQueue) event).queue()).isEqualTo(NAME));
    }
}
