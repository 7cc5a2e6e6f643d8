package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.Bed.Answer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The same over a store that waits for a disk. */
class EmbeddedStoreTest {
    @TempDir
    private Path directory;

    @Test
    void a_result_without_room_is_refused_for_its_report_only_and_can_be_left_out() {
        String url = "embedded:" + directory.resolve("full") + "?memoryBytes=100000";
        try (Bed bed = new Bed(url, options -> options)) {
            bed.enqueue("t");
            bed.enqueue("t");
            String worker = bed.worker();
            JsonNode large = bed.claim(worker);
            JsonNode small = bed.claim(worker);
            String result = ", \"result\": \"" + "x".repeat(200_000) + "\"";
            String both = Bed.outcome(large, "succeeded", result).replace("]}", ",")
                    + Bed.outcome(small, "succeeded", "").substring("{\"outcomes\": [".length());

            Answer answer = bed.post("/v1/workers/" + worker + "/outcomes", both);

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.json().at("/results/0/applied").asBoolean()).isFalse();
            assertThat(answer.at("/results/0/reason")).isEqualTo("storeFull");
            assertThat(answer.json().at("/results/1/applied").asBoolean()).isTrue();
            Answer without = bed.post("/v1/workers/" + worker + "/outcomes", Bed.outcome(large, "succeeded", ""));
            assertThat(without.json().at("/results/0/applied").asBoolean()).isTrue();
        }
    }

    @Test
    void a_task_goes_its_way_and_is_still_there_when_the_server_comes_again() {
        String url = "embedded:" + directory.resolve("data");
        String id;
        try (Bed bed = new Bed(url, options -> options)) {
            String worker = bed.worker();
            CompletableFuture<Answer> poll = bed.sendAsync(
                    bed.posting("/v1/workers/" + worker + "/claim", "{\"topics\": [\"t\"], \"wait\": \"30s\"}"));
            Awaitility.await().until(() -> bed.server.waiting() == 1);
            id = bed.post("/v1/tasks", "{\"topic\": \"t\", \"payload\": [1]}").at("/id");
            CompletableFuture<Answer> wait =
                    bed.sendAsync(bed.request("/v1/tasks/" + id + "?wait=30s").build());
            JsonNode task = poll.join().json().at("/tasks/0");
            assertThat(task.at("/id").asString()).isEqualTo(id);
            bed.enqueue("t");

            Answer report = bed.post(
                    "/v1/workers/" + worker + "/outcomes?claim=1", Bed.outcome(task, "succeeded", ", \"result\": 7"));

            assertThat(report.json().at("/results/0/applied").asBoolean()).isTrue();
            assertThat(report.json().at("/tasks").size()).isEqualTo(1);
            assertThat(wait.join().json().at("/result").asInt()).isEqualTo(7);
            assertThat(bed.ndjson("{\"topic\":\"u\"}\n".repeat(2_500))
                            .json()
                            .at("/accepted")
                            .asInt())
                    .isEqualTo(2_500);
            assertThat(bed.get("/v1/tasks/summary?topic=u").json().size()).isEqualTo(2_500);
            assertThat(bed.post("/v1/workers/" + worker + "/ping", "{\"holding\": []}")
                            .json()
                            .at("/alive")
                            .asBoolean())
                    .isTrue();
            assertThat(bed.delete("/v1/workers/" + worker).status()).isEqualTo(204);
        }
        try (Bed bed = new Bed(url, options -> options)) {
            assertThat(bed.get("/v1/tasks/" + id).at("/state")).isEqualTo("SUCCEEDED");
            assertThat(bed.get("/v1/tasks/count?topic=u").json().at("/count").asInt())
                    .isEqualTo(2_500);
            assertThat(bed.get("/v1/tasks/count?topic=t&state=READY")
                            .json()
                            .at("/count")
                            .asInt())
                    .isEqualTo(1);
        }
    }
}
