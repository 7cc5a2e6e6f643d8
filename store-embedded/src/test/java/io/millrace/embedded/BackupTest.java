package io.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.InvalidValueException;
import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.Retention;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.internal.SystemClock;
import io.millrace.spi.TaskStore;
import io.millrace.testkit.store.StoreInvariants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of a store that is at work. */
class BackupTest {
    private static final String SETTINGS = "?segmentBytes=65536";

    @TempDir
    Path directory;

    private Path data() {
        return directory.resolve("data");
    }

    private Millrace open() {
        return Millrace.open(
                "embedded:" + data() + SETTINGS,
                MillraceOptions.builder().workers(2).build());
    }

    private static NewTask task(String topic, Duration kept) {
        return NewTask.builder(topic)
                .payload(Payload.bytes(new byte[500]))
                .retention(new Retention(kept, kept))
                .build();
    }

    @Test
    void a_copy_under_load_holds_all_that_was_acknowledged_before() throws Exception {
        Queue<UUID> waiting = new ConcurrentLinkedQueue<>();
        Map<UUID, Boolean> done = new ConcurrentHashMap<>();
        List<Thread> producers = new ArrayList<>();
        try (Millrace millrace = open()) {
            millrace.handle("short", (payload, context) -> {});
            millrace.handle("long", (payload, context) -> {});
            for (int i = 0; i < 3; i++) {
                producers.add(new Thread(() -> produce(millrace, waiting, done)));
            }
            producers.forEach(Thread::start);
            for (int copy = 0; copy < 4; copy++) {
                int before = done.size();
                Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> done.size() > before + 50);
                List<UUID> acknowledged = List.copyOf(waiting);
                List<UUID> ended = List.copyOf(done.keySet());
                Path target = directory.resolve("copy " + copy);
                millrace.backUp(target);
                check(target, acknowledged, ended);
            }
            // before the store is closed under them
            producers.forEach(Thread::interrupt);
            for (Thread producer : producers) {
                producer.join(20_000);
            }
            assertThat(LogFormat.segmentFile(data(), 1))
                    .as("compaction took place")
                    .doesNotExist();
        }
    }

    /** Some tasks wait for ever, some end and stay, many come and go. */
    private static void produce(Millrace millrace, Queue<UUID> waiting, Map<UUID, Boolean> done) {
        while (!Thread.currentThread().isInterrupted()) {
            waiting.add(millrace.enqueue(task("idle", TestStores.KEPT)).id());
            UUID id = millrace.enqueue(task("long", TestStores.KEPT)).id();
            List<NewTask> some = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                some.add(task("short", Duration.ZERO));
            }
            millrace.enqueue(some);
            if (millrace.finished(id).join().state() == TaskState.SUCCEEDED) {
                done.put(id, true);
            }
        }
    }

    private static void check(Path copy, List<UUID> acknowledged, List<UUID> ended) {
        try (TaskStore store = TestStores.open(copy, SystemClock.shared(), SETTINGS)) {
            StoreInvariants.check(store);
            assertThat(store.get(acknowledged)).hasSameSizeAs(acknowledged);
            assertThat(store.get(ended))
                    .hasSameSizeAs(ended)
                    .extracting(Task::state)
                    .containsOnly(TaskState.SUCCEEDED);
        }
    }

    @Test
    void a_copy_does_not_change_with_the_original() throws IOException {
        Path copy = directory.resolve("copy");
        UUID before;
        try (Millrace millrace = open()) {
            before = millrace.enqueue(task("idle", TestStores.KEPT)).id();
            millrace.backUp(copy);
            millrace.delete(before);
            millrace.enqueue(task("idle", TestStores.KEPT));
        }
        try (Millrace millrace = Millrace.open("embedded:" + copy + SETTINGS)) {
            assertThat(millrace.stream(TaskQuery.ALL)).extracting(Task::id).containsExactly(before);
            millrace.delete(before);
        }
        try (Millrace millrace = open()) {
            assertThat(millrace.stream(TaskQuery.ALL)).hasSize(1);
        }
    }

    @Test
    void a_directory_with_something_in_it_is_not_overwritten() throws IOException {
        Files.writeString(directory.resolve("mine"), "mine");
        try (Millrace millrace = open()) {
            millrace.enqueue(task("idle", TestStores.KEPT));
            for (Path target : List.of(directory, data(), directory.resolve("mine"))) {
                assertThatThrownBy(() -> millrace.backUp(target))
                        .isInstanceOf(InvalidValueException.class)
                        .hasMessageContaining(target.toString());
            }
        }
    }

    @Test
    void tasks_in_memory_alone_cannot_be_copied() {
        try (Millrace millrace = Millrace.open("heap:")) {
            assertThatThrownBy(() -> millrace.backUp(directory.resolve("copy")))
                    .isInstanceOf(UnsupportedOperationException.class);
        }
    }
}
