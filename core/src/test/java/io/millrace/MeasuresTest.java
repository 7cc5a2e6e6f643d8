package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.Event.BatchDone;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What events measure: sizes in tasks, and the time of handlers. */
class MeasuresTest {
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private final MillraceOptions options =
            MillraceOptions.builder().workers(1).observer(events::add).build();

    private <E extends Event> List<E> all(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private int tasks(BatchDone.Call call) {
        return all(BatchDone.class).stream()
                .filter(batch -> batch.call() == call)
                .mapToInt(BatchDone::size)
                .sum();
    }

    @Test
    void the_size_of_a_batch_is_its_number_of_tasks_in_every_call() throws Exception {
        try (Millrace millrace = Millrace.open("heap:", options)) {
            var unused = millrace.enqueue(tasks(7));
            assertThat(tasks(BatchDone.Call.ENQUEUE)).isEqualTo(7);

            millrace.handle("t", (payload, context) -> {});
            await().until(() -> all(Event.AttemptEnded.class).size() == 7);

            await().until(() -> tasks(BatchDone.Call.CLAIM) == 7);
            await().until(() -> tasks(BatchDone.Call.COMPLETE) == 7);
        }
    }

    @Test
    void an_attempt_runs_as_long_as_its_handler_and_not_while_it_waits_for_a_thread() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        AtomicBoolean gated = new AtomicBoolean();
        Duration blocked = Duration.ofMillis(500);
        try (Millrace millrace = Millrace.open("heap:", options)) {
            millrace.handle("t", (payload, context) -> {
                if (gated.get()) {
                    gate.await();
                }
            });
            // as long as handlers are quick, a worker fetches ahead
            var unused = millrace.enqueue(tasks(500));
            await().until(() -> all(Event.AttemptEnded.class).size() == 500);
            events.clear();
            gated.set(true);
            unused = millrace.enqueue(tasks(4));
            await().until(() -> all(Event.TaskClaimed.class).size() == 4);
            Thread.sleep(blocked.toMillis());
            gate.countDown();
            await().until(() -> all(Event.AttemptEnded.class).size() == 4);
        }

        List<Duration> ran = all(Event.AttemptEnded.class).stream()
                .map(Event.AttemptEnded::ran)
                .sorted()
                .toList();
        assertThat(ran.get(3)).isGreaterThanOrEqualTo(blocked);
        assertThat(ran.subList(0, 3)).as("claimed ahead, and quick").allMatch(each -> each.compareTo(blocked) < 0);
    }

    private static List<NewTask> tasks(int count) {
        return Stream.generate(() -> NewTask.builder("t").build()).limit(count).toList();
    }
}
