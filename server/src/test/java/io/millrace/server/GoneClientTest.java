package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TaskState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that goes away takes no task with it. */
class GoneClientTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"heap:", "embedded:"})
    void a_poll_whose_client_has_gone_gets_nothing(String store) throws Exception {
        String url = store.equals("heap:") ? store : store + directory.resolve("a");
        try (Bed bed = new Bed(url, options -> options)) {
            String gone = bed.worker();
            RawHttp raw = poll(bed, gone);
            awaitServing(bed, gone);
            raw.close();
            String id = bed.enqueue("other");
            String other = bed.worker();
            Awaitility.await().until(() -> {
                // whoever still hangs on the closed connection would be first in the queue
                String task = bed.enqueue("t");
                return bed.post("/v1/workers/" + other + "/claim", "{\"topics\": [\"t\"], \"max\": 1000}")
                        .text()
                        .contains(task);
            });

            assertThat(bed.state(id)).isEqualTo("READY");
            Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(bed.get("/v1/tasks?worker=" + gone).text())
                                    .isEqualTo("[]"));
        }
    }

    @Test
    void under_a_storm_of_clients_that_go_no_task_is_lost_or_stuck() throws Exception {
        try (Bed bed = new Bed()) {
            String worker = bed.worker();
            List<UUID> enqueued = new ArrayList<>();
            for (int round = 0; round < 100; round++) {
                try (RawHttp raw = poll(bed, worker)) {
                    if (round % 2 == 0) {
                        awaitServing(bed, worker);
                    }
                    enqueued.add(UUID.fromString(bed.enqueue("t")));
                }
            }
            // An answer that went into a connection just before it was closed cannot be told from one that was read;
            // the worker's pings say that nobody has it. The last polls may still be served while the first ping comes.
            Awaitility.await().untilAsserted(() -> {
                bed.post("/v1/workers/" + worker + "/ping", "{\"holding\": []}");
                bed.clock.advance(Duration.ofSeconds(6));
                bed.post("/v1/workers/" + worker + "/ping", "{\"holding\": []}");
                assertThat(enqueued)
                        .allMatch(id -> bed.millrace.find(id).orElseThrow().state() == TaskState.READY);
            });
        }
    }

    private static RawHttp poll(Bed bed, String worker) throws Exception {
        String body = "{\"topics\": [\"t\"], \"wait\": \"60s\"}";
        return new RawHttp(bed.server.port())
                .send("POST /v1/workers/" + worker + "/claim HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body);
    }

    private static void awaitServing(Bed bed, String worker) {
        Awaitility.await()
                .until(() -> bed.millrace.workers().list().stream()
                        .anyMatch(known -> known.id().toString().equals(worker)
                                && known.topics().contains("t")));
    }
}
