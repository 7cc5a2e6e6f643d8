package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.Bed.Answer;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Looking at tasks, topics and workers. */
class LookTest {
    private final Bed bed = new Bed();

    @AfterEach
    void close() {
        bed.close();
    }

    @Test
    void a_list_is_a_json_array_in_the_order_of_creation() {
        List<String> ids = List.of(bed.enqueue("a"), bed.enqueue("b"), bed.enqueue("a"));

        assertThat(ids("/v1/tasks")).isEqualTo(ids);
        assertThat(ids("/v1/tasks?topic=a")).containsExactly(ids.get(0), ids.get(2));
        assertThat(bed.get("/v1/tasks?topic=none").text()).isEqualTo("[]");
    }

    private List<String> ids(String path) {
        List<String> ids = new ArrayList<>();
        bed.get(path).json().forEach(task -> ids.add(task.at("/id").asString()));
        return ids;
    }

    @Test
    void a_list_is_ndjson_if_asked_for() throws Exception {
        bed.post("/v1/tasks", "{\"topic\": \"a\", \"payload\": {\"x\":\n 1}}");
        bed.enqueue("b");

        HttpResponse<Stream<String>> answer = bed.client.send(
                bed.request("/v1/tasks")
                        .header("Accept", "application/x-ndjson")
                        .build(),
                HttpResponse.BodyHandlers.ofLines());

        assertThat(answer.headers().firstValue("Content-Type")).contains("application/x-ndjson");
        assertThat(answer.body()
                        .map(line -> Bed.JSON.readTree(line).at("/topic").asString()))
                .containsExactly("a", "b");
    }

    @Test
    void every_filter_filters() {
        bed.post("/v1/tasks", "{\"topic\": \"a\", \"scope\": [\"acme\", \"/room1\", \"x\"], \"entityId\": \"e 1\"}");
        String worker = bed.worker();
        JsonNode held = bed.claim(worker);
        String id = held.at("/id").asString();
        bed.clock.advance(Duration.ofSeconds(10));
        String other = bed.post("/v1/tasks", "{\"topic\": \"b\", \"delay\": \"1h\", \"scope\": [\"acme\"]}")
                .at("/id");

        assertThat(ids("/v1/tasks?scope=acme")).containsExactly(id, other);
        assertThat(ids("/v1/tasks?scope=acme&scope=/room1")).containsExactly(id);
        assertThat(ids("/v1/tasks?entityId=e+1")).containsExactly(id);
        assertThat(ids("/v1/tasks?entityId=e%201")).containsExactly(id);
        assertThat(ids("/v1/tasks?worker=" + worker)).containsExactly(id);
        assertThat(ids("/v1/tasks?createdAfter=2030-01-01T00:00:05Z")).containsExactly(other);
        assertThat(ids("/v1/tasks?createdBefore=2030-01-01T00:00:05Z")).containsExactly(id);
        assertThat(ids("/v1/tasks?state=RUNNING,SCHEDULED")).containsExactly(id, other);
        assertThat(ids("/v1/tasks?state=pending")).containsExactly(id, other);
        bed.report(worker, held, "failed", ", \"error\": \"disk FULL\"");
        assertThat(ids("/v1/tasks?text=disk+full")).containsExactly(id);
        assertThat(ids("/v1/tasks?state=FAILED")).containsExactly(id);
        assertThat(ids("/v1/tasks?state=pending")).containsExactly(other);
    }

    @Test
    void failed_in_lower_case_is_every_end_but_success() {
        String worker = bed.worker();
        String succeeded = bed.enqueue("t");
        bed.report(worker, bed.claim(worker), "succeeded", "");
        String failed = bed.enqueue("t");
        bed.report(worker, bed.claim(worker), "failed", "");
        String timedOut = bed.enqueue("t");
        bed.report(worker, bed.claim(worker), "timedOut", "");
        String cancelled = bed.enqueue("t");
        bed.post("/v1/tasks/" + cancelled + "/cancel", "");
        String expired = bed.enqueue("t", ", \"deadline\": \"1s\"");
        bed.clock.advance(Duration.ofSeconds(2));
        assertThat(bed.claim(worker).isMissingNode()).isTrue();
        String ready = bed.enqueue("t");

        assertThat(ids("/v1/tasks?state=failed")).containsExactly(failed, timedOut, cancelled, expired);
        assertThat(bed.get("/v1/tasks/count?state=failed").text()).isEqualTo("{\"count\":4}");
        assertThat(ids("/v1/tasks?state=FAILED")).containsExactly(failed);
        assertThat(ids("/v1/tasks?state=Failed")).containsExactly(failed);
        assertThat(ids("/v1/tasks?state=timed_out,Expired")).containsExactly(timedOut, expired);
        assertThat(ids("/v1/tasks?state=failed,succeeded"))
                .containsExactly(succeeded, failed, timedOut, cancelled, expired);
        assertThat(ids("/v1/tasks?state=Pending")).containsExactly(ready);
    }

    @Test
    void a_final_task_has_no_retries_left() {
        String id = bed.enqueue("t", ", \"retry\": {\"max\": 5}");
        assertThat(bed.task(id).at("/retriesLeft").asInt()).isEqualTo(5);
        String worker = bed.worker();

        bed.report(worker, bed.claim(worker), "failed", ", \"stop\": true");

        assertThat(bed.task(id).at("/state").asString()).isEqualTo("FAILED");
        assertThat(bed.task(id).at("/retriesLeft").asInt()).isZero();
        bed.post("/v1/tasks/" + id + "/retry", "");
        assertThat(bed.task(id).at("/retriesLeft").asInt()).isEqualTo(5);
    }

    @Test
    void pages_lead_from_one_to_the_next_until_the_last() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.add(bed.enqueue("a"));
        }
        List<String> seen = new ArrayList<>();
        String next = "";
        do {
            Answer page = bed.get("/v1/tasks?limit=2" + next);
            page.json().at("/tasks").forEach(task -> seen.add(task.at("/id").asString()));
            next = page.json().has("next") ? "&cursor=" + page.at("/next") : null;
        } while (next != null);

        assertThat(seen).isEqualTo(ids);
    }

    @Test
    void a_summary_has_neither_payloads_nor_results() {
        bed.post("/v1/tasks", "{\"topic\": \"a\", \"payload\": 1}");
        String worker = bed.worker();
        bed.report(worker, bed.claim(worker), "succeeded", ", \"result\": 2");

        JsonNode summary = bed.get("/v1/tasks/summary").json().at("/0");

        assertThat(summary.at("/state").asString()).isEqualTo("SUCCEEDED");
        assertThat(summary.has("payload")).isFalse();
        assertThat(summary.has("result")).isFalse();
        assertThat(bed.get("/v1/tasks").json().at("/0/result").asInt()).isEqualTo(2);
        assertThat(bed.get("/v1/tasks/summary?limit=1").json().at("/tasks/0").has("payload"))
                .isFalse();
    }

    @Test
    void counts_as_a_whole_and_in_groups() {
        bed.enqueue("a");
        bed.enqueue("a");
        bed.post("/v1/tasks", "{\"topic\": \"b\", \"delay\": \"1h\"}");

        assertThat(bed.get("/v1/tasks/count").text()).isEqualTo("{\"count\":3}");
        assertThat(bed.get("/v1/tasks/count?topic=a").json().at("/count").asInt())
                .isEqualTo(2);
        assertThat(bed.get("/v1/tasks/count?by=topic,state").text())
                .isEqualTo("{\"groups\":[{\"topic\":\"a\",\"state\":\"READY\",\"count\":2},"
                        + "{\"topic\":\"b\",\"state\":\"SCHEDULED\",\"count\":1}]}");
        assertThat(bed.get("/v1/tasks/count?by=topic").json().at("/groups").size())
                .isEqualTo(2);
        assertThat(bed.get("/v1/tasks/count?by=state").json().at("/groups/0").has("topic"))
                .isFalse();
        assertThat(bed.get("/v1/tasks/count?state=FAILED").json().at("/count").asInt())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/tasks?colour=red, colour",
        "/v1/tasks?Topic=a, Topic",
        "/v1/tasks?topic=, topic",
        "/v1/tasks?topic, topic",
        "/v1/tasks?topic=a&topic=b, topic",
        "/v1/tasks?topic=a%20b, topic",
        "/v1/tasks?state=waits, state",
        "/v1/tasks?state=failed%2Cwaits, state",
        "/v1/tasks?state=READY%2C, state",
        "/v1/tasks?worker=me, worker",
        "/v1/tasks?createdAfter=today, createdAfter",
        "/v1/tasks?limit=0, limit",
        "/v1/tasks?limit=1001, limit",
        "/v1/tasks?limit=x, limit",
        "/v1/tasks?cursor=foreign, cursor",
        "/v1/tasks/count?by=colour, by",
        "/v1/tasks/count?limit=1, limit",
        "/v1/tasks/summary?x=1, x",
        "/v1/workers?x=1, x",
        "/v1/topics?x=1, x",
        "/v1/topics/a?x=1, x",
        "/v1/topics/a%20b, topic",
    })
    void a_bad_parameter_is_400_and_named(String path, String parameter) {
        Answer answer = bed.get(path);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.at("/errors/0/parameter")).isEqualTo(parameter);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/tasks?topic=%", "/v1/tasks?topic=%zz", "/v1/topics/%ff", "/v1/tasks?%80=1"})
    void what_is_not_percent_encoded_text_is_400(String path) throws Exception {
        assertThat(RawHttp.get(bed.server.port(), path)).startsWith("HTTP/1.1 400");
    }

    @Test
    void what_is_not_there_is_404_and_a_wrong_method_405() {
        assertThat(bed.get("/v1/tasks/" + UUID.randomUUID()).status()).isEqualTo(404);
        assertThat(bed.get("/v1/tasks/nonsense").status()).isEqualTo(404);
        assertThat(bed.get("/v1/nothing").status()).isEqualTo(404);
        assertThat(bed.get("/v1/tasks/").status()).isEqualTo(404);
        Answer put = bed.put("/v1/tasks", "{}");
        assertThat(put.status()).isEqualTo(405);
        assertThat(put.response().headers().firstValue("Allow")).contains("DELETE, GET, POST");
        assertThat(put.response().headers().firstValue("Content-Type")).contains("application/problem+json");
    }

    @Test
    void a_wait_ends_when_the_task_is_final() {
        String id = bed.enqueue("t");
        CompletableFuture<Answer> waiting =
                bed.sendAsync(bed.request("/v1/tasks/" + id + "?wait=30s").build());
        String worker = bed.worker();

        bed.report(worker, bed.claim(worker), "succeeded", ", \"result\": 7");

        assertThat(waiting.join().at("/state")).isEqualTo("SUCCEEDED");
        assertThat(waiting.join().json().at("/result").asInt()).isEqualTo(7);
    }

    @Test
    void a_wait_that_is_over_shows_the_task_as_it_is() {
        String id = bed.enqueue("t");

        Answer answer = bed.get("/v1/tasks/" + id + "?wait=1ms");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.at("/state")).isEqualTo("READY");
        assertThat(bed.get("/v1/tasks/" + id + "?wait=soon").status()).isEqualTo(400);
        assertThat(bed.get("/v1/tasks/" + UUID.randomUUID() + "?wait=30s").status())
                .isEqualTo(404);
    }

    @Test
    void a_task_that_is_deleted_while_somebody_waits_is_404() {
        String id = bed.enqueue("t");
        CompletableFuture<Answer> waiting =
                bed.sendAsync(bed.request("/v1/tasks/" + id + "?wait=30s").build());
        Awaitility.await().until(() -> {
            bed.clock.advance(Duration.ofSeconds(5));
            bed.delete("/v1/tasks/" + id);
            return waiting.isDone();
        });

        assertThat(waiting.join().status()).isEqualTo(404);
    }

    @Test
    void workers_are_listed_and_told_to_stop() {
        String worker = bed.post("/v1/workers", "{\"name\": \"n\", \"host\": \"h\", \"topics\": [\"a\"]}")
                .at("/id");
        bed.enqueue("a");
        bed.claim(worker);

        JsonNode listed = bed.get("/v1/workers").json().at("/workers/0");
        assertThat(listed.at("/id").asString()).isEqualTo(worker);
        assertThat(listed.at("/name").asString()).isEqualTo("n");
        assertThat(listed.at("/status").asString()).isEqualTo("active");
        assertThat(listed.at("/running").asInt()).isEqualTo(1);
        assertThat(listed.at("/registeredAt").asString()).isEqualTo("2030-01-01T00:00:00Z");

        assertThat(bed.post("/v1/workers/" + worker + "/stop", "").status()).isEqualTo(204);

        assertThat(bed.post("/v1/workers/" + worker + "/ping", "").at("/command"))
                .isEqualTo("stop");
        bed.enqueue("a");
        Answer claim = bed.post("/v1/workers/" + worker + "/claim", "{\"wait\": \"10s\"}");
        assertThat(claim.at("/command")).isEqualTo("stop");
        assertThat(claim.json().at("/tasks").isEmpty()).isTrue();
        assertThat(bed.post("/v1/workers/" + UUID.randomUUID() + "/stop", "").status())
                .isEqualTo(404);
        bed.clock.advance(Duration.ofSeconds(31));
        assertThat(bed.post("/v1/workers/" + worker + "/stop", "").status()).isEqualTo(410);
    }
}
