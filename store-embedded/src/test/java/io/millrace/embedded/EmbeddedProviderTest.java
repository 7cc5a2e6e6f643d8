package io.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.InvalidValueException;
import io.millrace.Millrace;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.Retention;
import io.millrace.StoreUnavailableException;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedProviderTest {
    private static final int SEGMENT = 1 << 20;

    @TempDir
    Path directory;

    private String url() {
        return "embedded:" + directory.resolve("data") + "?segmentBytes=" + SEGMENT;
    }

    @Test
    void tasks_are_there_again_when_the_store_is_opened_again() throws Exception {
        UUID id;
        try (Millrace millrace = Millrace.open(url())) {
            id = millrace.enqueue("email", Payload.json("1")).id();
        }
        try (Millrace millrace = Millrace.open(url())) {
            millrace.handle("email", (payload, context) -> context.result(payload));
            assertThat(millrace.finished(id).get(20, TimeUnit.SECONDS).state()).isEqualTo(TaskState.SUCCEEDED);
        }
        try (Millrace millrace = Millrace.open(url())) {
            assertThat(millrace.find(id).orElseThrow().result()).isEqualTo(Payload.json("1"));
        }
    }

    @Test
    void a_directory_that_is_open_is_not_opened_again() {
        try (Millrace first = Millrace.open(url())) {
            assertThat(first.count(TaskQuery.ALL)).isEmpty();
            assertThatThrownBy(() -> Millrace.open(url()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(directory.resolve("data").toString())
                    .hasMessageContaining(Long.toString(ProcessHandle.current().pid()));
        }
    }

    @Test
    void a_file_in_place_of_the_directory_is_named() throws IOException {
        Files.writeString(directory.resolve("data"), "no directory");
        assertThatThrownBy(() -> Millrace.open(url()))
                .hasMessageContaining(directory.resolve("data").toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "embedded:",
                "embedded:?segmentBytes=70000",
                "embedded:data?",
                "embedded:data?size=1",
                "embedded:data?segmentBytes",
                "embedded:data?segmentBytes=",
                "embedded:data?segmentBytes=many",
                "embedded:data?segmentBytes=-1",
                "embedded:data?segmentBytes=1",
                "embedded:data?forceEveryMillis=1s"
            })
    void a_wrong_url_is_refused(String url) {
        assertThatThrownBy(() -> Millrace.open(url)).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void the_disk_holds_no_more_than_what_is_alive_asks_for() throws Exception {
        List<UUID> kept = new ArrayList<>();
        try (Millrace millrace = Millrace.open(url())) {
            millrace.topics()
                    .setPolicy(
                            "short",
                            TopicPolicy.builder()
                                    .retention(new Retention(Duration.ZERO, Duration.ZERO))
                                    .build());
            millrace.handle("short", (payload, context) -> {});
            for (int round = 0; round < 200; round++) {
                kept.add(millrace.enqueue("long", Payload.bytes(new byte[100])).id());
                List<NewTask> tasks = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    tasks.add(NewTask.builder("short")
                            .payload(Payload.bytes(new byte[200]))
                            .build());
                }
                millrace.enqueue(tasks);
            }
            millrace.drain();
            assertThat(millrace.count(TaskQuery.ALL.topic("short"))).isEmpty();
            await().atMost(20, TimeUnit.SECONDS).until(() -> bytes() <= 8 * SEGMENT);
        }
        try (Millrace millrace = Millrace.open(url())) {
            assertThat(millrace.stream(TaskQuery.ALL).map(task -> task.id())).containsExactlyElementsOf(kept);
            assertThat(millrace.topics().get("short").policy().retention().succeeded())
                    .isEqualTo(Duration.ZERO);
        }
    }

    private long bytes() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("data"))) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }
}
