package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.Bed.Answer;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A store that cannot be reached is 503, and nothing else breaks. */
class StoreTroubleTest {
    private final String url = "switchable:" + UUID.randomUUID();
    private final Bed bed = new Bed(url, options -> options);

    @AfterEach
    void close() {
        SwitchableProvider.connect(url);
        bed.close();
    }

    @Test
    void without_its_store_a_server_lives_but_is_not_ready_and_asks_to_try_again() {
        String worker = bed.worker();
        String task = bed.enqueue("t");
        SwitchableProvider.cutOff(url);
        String path = "/v1/workers/" + worker;

        assertThat(bed.get("/health/live").status()).isEqualTo(200);
        List<Answer> answers = List.of(
                bed.get("/health/ready"),
                bed.post("/v1/tasks", "{\"topic\": \"t\"}"),
                bed.ndjson("{\"topic\": \"t\"}\n"),
                bed.get("/v1/tasks"),
                bed.get("/v1/tasks?limit=5"),
                bed.get("/v1/tasks/" + task),
                bed.get("/v1/tasks/" + task + "?wait=10s"),
                bed.get("/v1/tasks/count"),
                bed.post("/v1/tasks/" + task + "/cancel", ""),
                bed.get("/v1/topics"),
                bed.get("/v1/workers"),
                bed.get("/metrics"),
                bed.post("/v1/workers", ""),
                bed.post(path + "/ping", ""),
                bed.post(path + "/claim", "{\"topics\": [\"t\"], \"wait\": \"10s\"}"),
                bed.post(path + "/outcomes", "{\"outcomes\": []}"),
                bed.delete(path));
        for (Answer answer : answers) {
            assertThat(answer.status()).as(answer.response().uri().toString()).isEqualTo(503);
            assertThat(answer.response().headers().firstValue("Retry-After")).isPresent();
            assertThat(answer.at("/type")).isEqualTo("urn:millrace:problem:unavailable");
        }

        SwitchableProvider.connect(url);

        assertThat(bed.get("/health/ready").status()).isEqualTo(200);
        assertThat(bed.claim(worker).at("/id").asString()).isEqualTo(task);
    }
}
