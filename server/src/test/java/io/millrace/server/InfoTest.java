package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.Bed.Answer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Metrics, probes, the contract, events, the page. */
class InfoTest {
    private final Bed bed = new Bed();

    @AfterEach
    void close() {
        bed.close();
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
