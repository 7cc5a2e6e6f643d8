package io.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.Event;
import io.millrace.Event.BatchDone.Call;
import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.Retention;
import io.millrace.StoreFullException;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.testkit.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that holds as much as it may: new tasks are refused, everything else goes on. */
class MemoryCeilingTest {
    private static final int MEMORY = 200_000;

    @TempDir
    Path directory;

    private Millrace open() {
        return Millrace.open(url());
    }

    private String url() {
        return "embedded:" + directory + "?segmentBytes=65536&memoryBytes=" + MEMORY;
    }

    private static NewTask.Builder task() {
        return NewTask.builder("topic")
                .payload(Payload.bytes(new byte[1_000]))
                .retention(new Retention(Duration.ZERO, Duration.ZERO));
    }

    private static List<UUID> fill(Millrace millrace) {
        List<UUID> added = new ArrayList<>();
        assertThatThrownBy(() -> {
                    while (added.size() < 1_000) {
                        added.add(millrace.enqueue(task().build()).id());
                    }
                })
                .isInstanceOf(StoreFullException.class)
                .hasMessageContaining(Integer.toString(MEMORY));
        return added;
    }

    private static Stream<UUID> ids(Millrace millrace) {
        return millrace.stream(TaskQuery.ALL).map(Task::id);
    }

    @Test
    void new_tasks_are_refused_and_a_batch_is_all_or_nothing() {
        try (Millrace millrace = open()) {
            List<UUID> added = fill(millrace);
            assertThat(added).hasSizeBetween(50, 190);
            millrace.delete(added.remove(0));
            assertThatThrownBy(() -> millrace.enqueue(List.of(task().build(), task().build(), task().build())))
                    .isInstanceOf(StoreFullException.class);
            assertThat(ids(millrace)).containsExactlyElementsOf(added);
        }
    }

    @Test
    void a_task_that_is_there_already_is_no_new_one() {
        try (Millrace millrace = open()) {
            NewTask first = task().build();
            millrace.enqueue(first);
            fill(millrace);
            assertThat(millrace.enqueue(first).duplicate()).isTrue();
        }
    }

    @Test
    void what_is_there_runs_and_spawns_and_room_returns() throws Exception {
        try (Millrace millrace = open()) {
            List<UUID> added = fill(millrace);
            millrace.handle("topic", (payload, context) -> {
                context.result(payload);
                context.spawn(NewTask.builder("spawned").payload(payload).build());
            });
            millrace.drain();
            assertThat(millrace.count(TaskQuery.ALL.topic("spawned").state(TaskState.READY)))
                    .singleElement()
                    .satisfies(count -> assertThat(count.count()).isEqualTo(added.size()));
            assertThat(millrace.deleteAll(TaskQuery.ALL.topic("spawned"))).isEqualTo(added.size());
            millrace.enqueue(task().build());
        }
    }

    /** A store without room for the result of a task whose handler has run once. The test passes time. */
    private final class Refused implements AutoCloseable {
        private final SettableClock clock = new SettableClock();
        private final CountDownLatch reported = new CountDownLatch(1);
        final AtomicInteger runs = new AtomicInteger();
        final Payload result = Payload.bytes(new byte[MEMORY / 2]);
        final Millrace millrace = Millrace.open(
                url(),
                MillraceOptions.builder()
                        .clock(clock)
                        .observer(event -> {
                            if (event instanceof Event.BatchDone done && done.call() == Call.COMPLETE) {
                                reported.countDown();
                            }
                        })
                        .build());
        final List<UUID> others;
        final UUID id;

        Refused() throws InterruptedException {
            others = fill(millrace);
            millrace.delete(others.remove(0));
            id = millrace.enqueue(NewTask.builder("large").build()).id();
            millrace.handle("large", (payload, context) -> {
                runs.incrementAndGet();
                context.result(result);
            });
            assertThat(reported.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(task().state()).isEqualTo(TaskState.RUNNING);
        }

        Task task() {
            return millrace.find(id).orElseThrow();
        }

        void passUntilFinished() {
            await().atMost(20, TimeUnit.SECONDS)
                    .pollInterval(2, TimeUnit.MILLISECONDS)
                    .until(() -> {
                        clock.advance(Duration.ofMillis(500));
                        return task().state().isFinal();
                    });
        }

        @Override
        public void close() {
            millrace.closeNow();
        }
    }

    @Test
    void a_result_is_kept_as_soon_as_there_is_room() throws Exception {
        try (Refused refused = new Refused()) {
            refused.others.forEach(refused.millrace::delete);

            refused.passUntilFinished();

            assertThat(refused.task().state()).isEqualTo(TaskState.SUCCEEDED);
            assertThat(refused.task().result()).isEqualTo(refused.result);
            assertThat(refused.runs).hasValue(1);
        }
    }

    @Test
    void a_task_fails_when_there_is_no_room_for_its_result_for_long() throws Exception {
        try (Refused refused = new Refused()) {
            refused.passUntilFinished();

            assertThat(refused.task().state()).isEqualTo(TaskState.FAILED);
            assertThat(refused.task().lastError()).contains("cannot be kept").contains("no room");
            assertThat(refused.runs).hasValue(1);
        }
    }

    @Test
    void tasks_from_before_a_restart_count() {
        List<UUID> added;
        try (Millrace millrace = open()) {
            added = fill(millrace);
        }
        try (Millrace millrace = open()) {
            assertThat(ids(millrace)).containsExactlyElementsOf(added);
            assertThatThrownBy(() -> millrace.enqueue(task().build())).isInstanceOf(StoreFullException.class);
            millrace.delete(added.get(0));
            millrace.enqueue(task().build());
        }
    }
}
