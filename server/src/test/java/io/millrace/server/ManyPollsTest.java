package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.UnixOperatingSystemMXBean;
import io.millrace.testkit.environment.OtherJvm;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Many workers wait at one server: 500, or with {@code -Dmillrace.long=true} ten thousand. */
class ManyPollsTest {
    private static final int WORKERS = Boolean.getBoolean("millrace.long") ? 10_000 : 500;
    private static final int HEAP_MEGABYTES = 512;
    /** What the processes need beside the connections. */
    private static final int OTHER_FILES = 500;

    private final List<RawHttp> polls = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (RawHttp poll : polls) {
            poll.close();
        }
    }

    @Test
    void one_bulk_enqueue_wakes_all_who_wait_and_each_gets_one_task() throws Exception {
        checkOpenFiles();
        try (OtherJvm server = ServerMain.start(HEAP_MEGABYTES, "heap:")) {
            int port = Integer.parseInt(server.line());
            for (int i = 0; i < WORKERS; i++) {
                RawHttp connection = new RawHttp(port);
                polls.add(connection);
                String worker =
                        connection.post("/v1/workers", "").readJson().at("/id").asString();
                connection.post("/v1/workers/" + worker + "/claim", "{\"topics\": [\"t\"], \"wait\": \"10m\"}");
            }
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> server.ask("waiting").equals(Integer.toString(WORKERS)));

            List<String> enqueued = enqueue(port);

            List<String> claimed = new ArrayList<>();
            for (RawHttp poll : polls) {
                JsonNode tasks = poll.readJson().at("/tasks");
                assertThat(tasks.size()).isEqualTo(1);
                claimed.add(tasks.at("/0/id").asString());
            }
            assertThat(claimed).containsExactlyInAnyOrderElementsOf(enqueued);
            assertThat(server.ask("waiting")).isEqualTo("0");
        }
    }

    private static List<String> enqueue(int port) throws Exception {
        String tasks = IntStream.range(0, WORKERS)
                .mapToObj(any -> "{\"topic\": \"t\"}")
                .collect(Collectors.joining(",", "[", "]"));
        try (RawHttp producer = new RawHttp(port)) {
            List<String> ids = new ArrayList<>();
            producer.post("/v1/tasks", tasks).readJson().at("/ids").forEach(id -> ids.add(id.asString()));
            assertThat(ids).hasSize(WORKERS);
            return ids;
        }
    }

    /** A connection is an open file for each of the two processes. */
    private static void checkOpenFiles() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            assertThat(system.getMaxFileDescriptorCount())
                    .as("open files: raise the limit (ulimit -n) to hold %d connections", WORKERS)
                    .isGreaterThan(WORKERS + OTHER_FILES);
        }
    }
}
