package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.NewTask;
import io.millrace.TaskQuery;
import io.millrace.server.Bed.Answer;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nothing may be larger or slower than it should. */
class LimitsTest {
    private final Bed bed = new Bed(options ->
            options.bodyLimit(10_000).headerLimit(2_000).urlLimit(1_000).requestTimeout(Duration.ofSeconds(1)));

    @AfterEach
    void close() {
        bed.close();
    }

    @Test
    void a_body_that_is_too_long_is_413_however_it_comes() throws Exception {
        String body = "{\"topic\": \"t\", \"payload\": \"" + "a".repeat(10_000) + "\"}";
        Answer announced = bed.post("/v1/tasks", body);
        Answer streamed = bed.send(bed.request("/v1/tasks")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofInputStream(
                        () -> new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8))))
                .build());

        assertThat(announced.status()).isEqualTo(413);
        assertThat(announced.at("/detail")).contains("10000");
        assertThat(streamed.status()).isEqualTo(413);
        try (RawHttp raw = new RawHttp(bed.server.port())) {
            String answer = raw.send(
                            "POST /v1/tasks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n")
                    .readAll();
            assertThat(answer).startsWith("HTTP/1.1 413").contains("problem+json");
        }
        assertThat(bed.millrace.stream(TaskQuery.ALL)).isEmpty();
    }

    @Test
    void a_line_of_ndjson_that_is_too_long_is_413_and_those_before_it_stay() {
        Answer answer =
                bed.ndjson("{\"topic\":\"t\"}\n{\"topic\":\"t\",\"payload\":\"" + "a".repeat(3 << 20) + "\"}\n");

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.json().at("/accepted").asInt()).isEqualTo(1);
        assertThat(answer.at("/errors/0/pointer")).startsWith("/1");
        assertThat(bed.millrace.stream(TaskQuery.ALL)).hasSize(1);
    }

    @Test
    void a_url_that_is_too_long_is_414_and_headers_431() throws Exception {
        assertThat(RawHttp.get(bed.server.port(), "/v1/tasks?text=" + "a".repeat(2_000)))
                .contains(" 414 ")
                .contains("problem+json");
        try (RawHttp raw = new RawHttp(bed.server.port())) {
            String answer = raw.send("GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: " + "a".repeat(3_000) + "\r\n\r\n")
                    .readAll();
            assertThat(answer).contains(" 431 ").contains("problem+json");
        }
        try (RawHttp raw = new RawHttp(bed.server.port())) {
            assertThat(raw.send("nonsense\r\n\r\n").readAll()).contains(" 400 ");
        }
    }

    @Test
    void a_body_that_does_not_come_is_408() throws Exception {
        try (RawHttp raw = new RawHttp(bed.server.port())) {
            String answer = raw.send(
                            "POST /v1/tasks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{\"topic\"")
                    .readAll();
            assertThat(answer).startsWith("HTTP/1.1 408").contains("problem+json");
        }
    }

    @Test
    void ndjson_that_stalls_is_408_and_what_was_complete_stays() throws Exception {
        try (RawHttp raw = new RawHttp(bed.server.port())) {
            String head = "POST /v1/tasks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n";
            String chunk = "Transfer-Encoding: chunked\r\n\r\n10\r\n{\"topic\": \"t\"}\n{\r\n";
            String answer = raw.send(head + chunk).readAll();
            assertThat(answer).startsWith("HTTP/1.1 408").contains("\"accepted\":");
        }
    }

    @Test
    void a_connection_without_requests_is_closed_however_it_is_kept_busy() throws Exception {
        Bed impatient = impatient();
        try (RawHttp silent = new RawHttp(impatient.server.port());
                RawHttp dripping = new RawHttp(impatient.server.port())) {
            dripping.send("GET / HTTP/1.1\r\nX-Slow: ");
            assertThat(silent.readAll()).isEmpty();
            assertThat(dripping.readAll()).isEmpty();
        } finally {
            impatient.close();
        }
    }

    /** Not for requests that come over a connection that was used before: it may be closed just then. */
    private static Bed impatient() {
        return new Bed(options -> options.idleTimeout(Duration.ofSeconds(1)));
    }

    @Test
    void a_request_that_waits_is_not_taken_for_idle() {
        Bed impatient = impatient();
        try {
            NewTask task = NewTask.builder("t").build();
            impatient.millrace.enqueue(task);
            Answer answer = impatient.get("/v1/tasks/" + task.id() + "?wait=2500ms");

            assertThat(answer.status()).isEqualTo(200);
        } finally {
            impatient.close();
        }
    }

    @Test
    void a_page_of_another_site_may_not_use_it() {
        assertThat(statusFrom("http://evil.example")).isEqualTo(403);
        assertThat(statusFrom("null")).isEqualTo(403);
        assertThat(statusFrom("http://127.0.0.1:" + bed.server.port())).isEqualTo(201);
    }

    private int statusFrom(String origin) {
        return bed.send(bed.request("/v1/tasks")
                        .header("Origin", origin)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"topic\": \"t\"}"))
                        .build())
                .status();
    }
}
