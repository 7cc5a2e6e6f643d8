package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.Bed.Answer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Metrics, probes, the contract, events, the page. */
class InfoTest {
    private final Bed bed = new Bed();

    @AfterEach
    void close() {
        bed.close();
    }

    @Test
    void a_server_whose_store_is_gone_is_not_ready_but_lives() {
        assertThat(bed.get("/health/ready").status()).isEqualTo(200);
        bed.millrace.close();

        Answer ready = bed.get("/health/ready");
        assertThat(ready.status()).isEqualTo(503);
        assertThat(ready.response().headers().firstValue("Retry-After")).isPresent();
        assertThat(ready.at("/detail")).contains("closed");
        assertThat(bed.get("/health/live").status()).isEqualTo(200);
    }

    @Test
    void the_contract_describes_every_route_and_no_other() {
        JsonNode contract = bed.get("/openapi.json").json();
        TreeSet<String> described = new TreeSet<>();
        for (Map.Entry<String, JsonNode> path : contract.at("/paths").properties()) {
            path.getValue()
                    .propertyNames()
                    .forEach(method -> described.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey()));
        }
        TreeSet<String> routed = new TreeSet<>();
        bed.server.routes().forEach(route -> routed.add(route.method() + " " + route.path()));

        assertThat(contract.at("/openapi").asString()).startsWith("3.1");
        assertThat(described).isEqualTo(routed);
    }

    @Test
    void every_variable_and_every_reference_of_the_contract_is_there() {
        JsonNode contract = bed.get("/openapi.json").json();
        for (Map.Entry<String, JsonNode> path : contract.at("/paths").properties()) {
            for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
                TreeSet<String> named = new TreeSet<>();
                operation.getValue().path("parameters").forEach(parameter -> {
                    if (parameter.at("/in").asString().equals("path")) {
                        named.add("{" + parameter.at("/name").asString() + "}");
                    }
                });
                assertThat(Stream.of(path.getKey().split("/")).filter(Route::isVariable))
                        .as(path.getKey())
                        .containsExactlyInAnyOrderElementsOf(named);
            }
        }
        contract.findValuesAsString("$ref")
                .forEach(reference -> assertThat(
                                contract.at(reference.substring(1)).isMissingNode())
                        .as(reference)
                        .isFalse());
    }

    @Test
    void the_contract_knows_the_fields_that_are_shown() {
        JsonNode contract = bed.get("/openapi.json").json();
        String id = bed.post("/v1/tasks", "{\"topic\": \"t\", \"retry\": {\"max\": 2}, \"payload\": 1}")
                .at("/id");
        String worker = bed.worker();
        JsonNode claimed = bed.claim(worker);
        check(contract, "LeasedTask", claimed);
        check(contract, "Task", bed.get("/v1/tasks/" + id).json());
        bed.report(worker, claimed, "failed", ", \"error\": \"e\"");
        check(contract, "Task", bed.get("/v1/tasks/" + id).json());
        check(contract, "Topic", bed.get("/v1/topics/t").json());
        check(contract, "Worker", bed.get("/v1/workers").json().at("/workers/0"));
        check(contract, "Problem", bed.post("/v1/tasks", "{}").json());
    }

    @Test
    void the_contract_knows_what_is_shown_of_leases_and_dead_letters() {
        JsonNode contract = bed.get("/openapi.json").json();
        bed.put("/v1/topics/t", "{\"deadLetter\": \"dead\", \"capacity\": 9, \"concurrency\": 9}");
        bed.put("/v1/topics/dead", "{\"deadLetter\": \"end\"}");
        String id = bed.enqueue("t", ", \"onTimeout\": \"redeliver\", \"uniqueKey\": \"k\"");
        String worker = bed.worker();
        JsonNode claimed = bed.claim(worker, "{\"timeFrom\": \"start\"}").json().at("/tasks/0");
        check(contract, "LeasedTask", claimed);
        check(contract, "Task", bed.task(id));
        check(contract, "Policy", bed.get("/v1/topics/t").json().at("/policy"));
        check(
                contract,
                "Pong",
                bed.ping(worker, "{\"started\": [\"" + id + "\"]}").json());
        check(
                contract,
                "OutcomesAnswer",
                bed.report(worker, claimed, "failed", "").json());
        bed.report(worker, bed.claim(worker), "failed", "");
        JsonNode letter = bed.get("/v1/tasks?topic=end").json().at("/0");
        check(contract, "Task", letter);
        assertThat(letter.at("/origin").propertyNames())
                .isSubsetOf(contract.at("/components/schemas/Task/properties/origin/properties")
                        .propertyNames());
        bed.post("/v1/topics/end/redrive", "");
        String original = letter.at("/origin/id").asString();
        check(contract, "Task", bed.task(original));
        assertThat(bed.task(original).has("redriven")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "NewTask, POST, /v1/tasks",
        "Policy, PUT, /v1/topics/t",
        "Introduction, POST, /v1/workers",
        "Ping, POST, /v1/workers/{id}/ping",
        "ClaimRequest, POST, /v1/workers/{id}/claim",
        "Outcomes, POST, /v1/workers/{id}/outcomes",
        "Progress, POST, /v1/workers/{id}/progress",
        "When, POST, /v1/tasks/{id}/reschedule",
    })
    void the_contract_has_the_fields_that_a_request_takes(String schema, String method, String path) {
        JsonNode contract = bed.get("/openapi.json").json();
        String url = path.replace("{id}", path.startsWith("/v1/workers") ? bed.worker() : bed.enqueue("t"));

        String detail = bed.send(bed.body(url, method, "application/json", "{\"?\": 1}"))
                .at("/errors/0/detail");

        String known = detail.substring(detail.indexOf("known are [") + 11, detail.lastIndexOf(']'));
        TreeSet<String> taken = new TreeSet<>(List.of(known.split(", ", -1)));
        // refused until there is push
        taken.remove("callback");
        TreeSet<String> described = new TreeSet<>(
                contract.at("/components/schemas/" + schema + "/properties").propertyNames());
        assertThat(described).isEqualTo(taken);
    }

    private static void check(JsonNode contract, String schema, JsonNode shown) {
        JsonNode known = contract.at("/components/schemas/" + schema);
        assertThat(shown.propertyNames()).isSubsetOf(known.at("/properties").propertyNames());
        known.path("required")
                .forEach(field -> assertThat(shown.has(field.asString()))
                        .as(schema + " " + field)
                        .isTrue());
    }

    @Test
    void probes_say_that_it_is_up() throws Exception {
        assertThat(bed.get("/health/live").status()).isEqualTo(200);
        assertThat(bed.get("/health/ready").status()).isEqualTo(200);
        HttpRequest head = bed.request("/health/ready")
                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                .build();
        assertThat(bed.client.send(head, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
    }

    @Test
    void metrics_tell_depths_rates_times_and_workers() {
        bed.enqueue("a");
        bed.enqueue("a");
        String worker = bed.worker();
        bed.report(worker, bed.claim(worker), "succeeded", "");

        Awaitility.await().untilAsserted(() -> {
            String text = bed.get("/metrics").text();
            assertThat(text)
                    .contains("millrace_tasks{state=\"READY\",topic=\"a\"} 1")
                    .contains("millrace_tasks{state=\"SUCCEEDED\",topic=\"a\"} 1")
                    .contains("millrace_enqueued_total{topic=\"a\"} 2")
                    .contains("millrace_attempts_total{outcome=\"succeeded\",topic=\"a\"} 1")
                    .contains("millrace_wait_seconds_bucket{topic=\"a\",le=")
                    .contains("millrace_run_seconds_count{topic=\"a\"} 1")
                    .contains("millrace_workers 1")
                    .contains("millrace_batch_size_bucket{call=\"enqueue\",le=")
                    .contains("millrace_store_seconds_count{call=\"claim\"}");
        });
        bed.delete("/v1/tasks?topic=a&state=READY,SUCCEEDED");
        assertThat(bed.get("/metrics").text()).doesNotContain("millrace_tasks{");
    }

    @Test
    void the_size_of_a_batch_counts_tasks() {
        bed.post("/v1/tasks", "[{\"topic\": \"a\"}, {\"topic\": \"a\"}, {\"topic\": \"b\"}]");
        String worker = bed.worker();
        bed.post("/v1/workers/" + worker + "/claim", "{\"max\": 2}");

        Awaitility.await()
                .untilAsserted(() -> assertThat(bed.get("/metrics").text())
                        .contains("millrace_batch_size_sum{call=\"enqueue\"} 3.0")
                        .contains("millrace_batch_size_sum{call=\"claim\"} 2.0"));
    }

    @Test
    void the_running_time_is_what_the_worker_says_or_from_the_claim_to_the_report() {
        bed.enqueue("a");
        bed.enqueue("b");
        bed.enqueue("c");
        String worker = bed.worker();
        String claimed =
                bed.post("/v1/workers/" + worker + "/claim", "{\"max\": 3}").text();
        JsonNode tasks = Bed.JSON.readTree(claimed).at("/tasks");
        bed.clock.advance(Duration.ofSeconds(20));
        for (JsonNode task : tasks) {
            String topic = task.at("/topic").asString();
            String more = topic.equals("a") ? ", \"ran\": \"3s\"" : "";
            bed.report(worker, task, topic.equals("c") ? "released" : "succeeded", more);
        }

        Awaitility.await()
                .untilAsserted(() -> assertThat(bed.get("/metrics").text())
                        .contains("millrace_run_seconds_sum{topic=\"a\"} 3.0")
                        .contains("millrace_run_seconds_sum{topic=\"b\"} 20.0")
                        .contains("millrace_run_seconds_count{topic=\"c\"} 0"));
    }

    @Test
    void topics_have_rates() {
        Awaitility.await().untilAsserted(() -> {
            bed.enqueue("a");
            assertThat(bed.get("/v1/topics/a").json().at("/rates/enqueued").asDouble())
                    .isPositive();
        });
        assertThat(bed.get("/v1/topics/a").json().at("/rates/succeeded").asDouble())
                .isZero();
    }

    @Test
    void events_come_as_things_happen() throws Exception {
        var stream = bed.client.send(bed.request("/v1/events").build(), HttpResponse.BodyHandlers.ofInputStream());
        assertThat(stream.headers().firstValue("Content-Type")).contains("text/event-stream");
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            Iterator<String> lines =
                    reader.lines().filter(line -> !line.isEmpty()).iterator();
            assertThat(lines.next()).startsWith(":");
            Awaitility.await().until(() -> bed.server.waiting() == 1);

            String id = bed.enqueue("a");
            bed.post("/v1/topics/a/pause", "");

            assertThat(lines.next()).isEqualTo("event: task");
            assertThat(lines.next()).isEqualTo("data: {\"id\":\"" + id + "\",\"topic\":\"a\",\"change\":\"enqueued\"}");
            assertThat(lines.next()).isEqualTo("event: topic");
            assertThat(lines.next()).isEqualTo("data: {\"topic\":\"a\",\"change\":\"paused\"}");
            bed.server.close();
            assertThat(lines.hasNext()).isFalse();
        }
    }

    @Test
    void a_task_that_is_given_back_before_its_start_is_an_event_of_its_own() throws Exception {
        String id = bed.enqueue("a");
        String worker = bed.worker();
        JsonNode claimed = bed.claim(worker);
        var stream = bed.client.send(bed.request("/v1/events").build(), HttpResponse.BodyHandlers.ofInputStream());
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            Awaitility.await().until(() -> bed.server.waiting() == 1);

            bed.report(worker, claimed, "released", "");

            assertThat(reader.lines().filter(line -> line.startsWith("data:")).findFirst())
                    .contains("data: {\"id\":\"" + id
                            + "\",\"topic\":\"a\",\"change\":\"givenBack\",\"state\":\"READY\"}");
        }
    }

    @Test
    void the_page_is_one_file_that_asks_nobody_else() {
        Answer page = bed.get("/");

        assertThat(page.response().headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(page.response()
                        .headers()
                        .firstValue("Content-Security-Policy")
                        .orElseThrow())
                .contains("default-src 'none'");
        assertThat(page.text())
                .contains("<title>Millrace</title>")
                .doesNotContain("http://", "https://", "src=", "@import");
    }
}
