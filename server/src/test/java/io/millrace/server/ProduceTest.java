package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Payload;
import io.millrace.TaskQuery;
import io.millrace.TopicPolicy;
import io.millrace.server.Bed.Answer;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Enqueueing. */
class ProduceTest {
    private final Bed bed = new Bed();

    @AfterEach
    void close() {
        bed.close();
    }

    @Test
    void one_task_is_created_and_can_be_found_where_the_answer_says() {
        Answer answer = bed.post("/v1/tasks", "{\"topic\": \"mail\", \"payload\": {\"to\": \"a\"}, \"priority\": 7}");

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.json().at("/duplicate").asBoolean()).isFalse();
        String location = answer.response().headers().firstValue("Location").orElseThrow();
        assertThat(location).isEqualTo("/v1/tasks/" + answer.at("/id"));
        Answer task = bed.get(location);
        assertThat(task.status()).isEqualTo(200);
        assertThat(task.at("/state")).isEqualTo("READY");
        assertThat(task.json().at("/payload").toString()).isEqualTo("{\"to\":\"a\"}");
        assertThat(task.json().at("/priority").asInt()).isEqualTo(7);
        assertThat(task.json().at("/attempts").isEmpty()).isTrue();
        assertThat(task.json().at("/retriesLeft").asInt()).isZero();
        assertThat(task.at("/why")).contains("No live worker");
        assertThat(task.at("/createdAt")).isEqualTo("2030-01-01T00:00:00Z");
    }

    @Test
    void everything_that_was_given_is_shown() {
        String given = """
                {"topic": "a/b", "payload": [1, 2], "entityId": "e", "scope": ["acme", "/room1"], "delay": "5m",
                 "deadline": "1h", "timeout": "90s", "uniqueKey": "u",
                 "retry": {"max": 3, "backoff": "linear", "base": "1s", "cap": "1h", "jitter": "full"},
                 "retention": {"succeeded": "1d", "failed": "7d"}}""";
        Answer task = bed.get("/v1/tasks/" + bed.post("/v1/tasks", given).at("/id"));

        assertThat(task.at("/state")).isEqualTo("SCHEDULED");
        assertThat(task.at("/dueAt")).isEqualTo("2030-01-01T00:05:00Z");
        assertThat(task.at("/deadline")).isEqualTo("2030-01-01T01:00:00Z");
        assertThat(task.json().at("/retriesLeft").asInt()).isEqualTo(3);
        for (String same : new String[] {
            "topic", "payload", "entityId", "scope", "delay", "timeout", "uniqueKey", "retry", "retention"
        }) {
            assertThat(task.json().get(same))
                    .as(same)
                    .isEqualTo(Bed.JSON.readTree(given).get(same));
        }
    }

    @Test
    void a_callback_is_refused_until_there_is_push() {
        Answer refused = bed.post("/v1/tasks", "[{\"topic\": \"t\", \"callback\": \"https://example.org/x\"}]");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.at("/errors/0/pointer")).isEqualTo("/0/callback");
        assertThat(refused.at("/errors/0/detail"))
                .contains("https://example.org/x")
                .contains("push is not available yet");
        assertThat(bed.get("/v1/tasks/count").json().at("/count").asInt()).isZero();
    }

    @Test
    void the_same_id_again_is_a_duplicate_and_no_error() {
        UUID id = UUID.randomUUID();
        String body = "{\"topic\": \"t\", \"id\": \"" + id + "\"}";
        assertThat(bed.post("/v1/tasks", body).status()).isEqualTo(201);

        Answer again = bed.post("/v1/tasks", body);

        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().at("/duplicate").asBoolean()).isTrue();
        assertThat(again.at("/id")).isEqualTo(id.toString());
        bed.millrace.delete(id);
        assertThat(bed.post("/v1/tasks", body).status()).isEqualTo(201);
    }

    @Test
    void a_unique_key_holds_within_its_topic() {
        String first = bed.post("/v1/tasks", "{\"topic\": \"t\", \"uniqueKey\": \"k\"}")
                .at("/id");
        Answer same = bed.post("/v1/tasks", "{\"topic\": \"t\", \"uniqueKey\": \"k\"}");
        Answer other = bed.post("/v1/tasks", "{\"topic\": \"u\", \"uniqueKey\": \"k\"}");

        assertThat(same.at("/id")).isEqualTo(first);
        assertThat(same.status()).isEqualTo(200);
        assertThat(other.status()).isEqualTo(201);
    }

    @Test
    void an_array_is_all_or_nothing() {
        Answer good = bed.post("/v1/tasks", "[{\"topic\": \"t\"}, {\"topic\": \"u\"}]");
        Answer bad = bed.post("/v1/tasks", "[{\"topic\": \"t\"}, {\"topic\": \"u\", \"delay\": \"soon\"}]");

        assertThat(good.status()).isEqualTo(201);
        assertThat(good.json().at("/ids").size()).isEqualTo(2);
        assertThat(good.json().at("/duplicates").asInt()).isZero();
        assertThat(bad.status()).isEqualTo(400);
        assertThat(bad.at("/errors/0/pointer")).isEqualTo("/1/delay");
        assertThat(bed.millrace.stream(TaskQuery.ALL)).hasSize(2);
    }

    @Test
    void an_array_has_up_to_10_000_tasks() {
        String task = "{\"topic\":\"t\"}";
        String tenThousand = IntStream.range(0, 10_000).mapToObj(i -> task).collect(Collectors.joining(","));

        assertThat(bed.post("/v1/tasks", "[" + tenThousand + "]").status()).isEqualTo(201);
        Answer more = bed.post("/v1/tasks", "[" + tenThousand + "," + task + "]");
        assertThat(more.status()).isEqualTo(400);
        assertThat(more.at("/errors/0/detail")).contains("10000");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[]                                                             | ``         ",
                "{\"topic\": \"t\", \"colour\": 1}                              | /colour    ",
                "{\"topic\": \"t\", \"payload\": 1, \"payloadBase64\": \"AA==\"} | /payloadBase64",
                "{\"topic\": \"t\", \"delay\": \"1s\", \"runAt\": \"2031-01-01T00:00:00Z\"} | /runAt",
                "{\"topic\": \"t\", \"deadline\": \"2029-01-01T00:00:00Z\"}     | /deadline  ",
                "[{\"topic\": \"t\"}, {\"topic\": \"t\", \"deadline\": \"2029-01-01T00:00:00Z\"}] | /1/deadline",
                "{\"topic\": \"t\", \"delay\": \"2h\", \"deadline\": \"1h\"}    | /deadline  ",
                "{\"topic\": \"t!\"}                                            | /topic     ",
                "not json                                                       | ``         ",
            })
    void bad_input_is_400_with_the_place(String body, String pointer) {
        Answer answer = bed.post("/v1/tasks", body);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.response().headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(answer.json().at("/errors/0/pointer").asString()).isEqualTo(pointer);
        assertThat(answer.json().at("/status").asInt()).isEqualTo(400);
        assertThat(answer.at("/type")).startsWith("urn:millrace:");
        assertThat(answer.at("/title")).isNotEmpty();
        assertThat(answer.at("/detail")).isNotEmpty();
        assertThat(bed.millrace.stream(TaskQuery.ALL)).isEmpty();
    }

    @Test
    void run_at_in_the_past_means_now() {
        Answer answer = bed.post("/v1/tasks", "{\"topic\": \"t\", \"runAt\": \"2020-01-01T00:00:00Z\"}");

        assertThat(bed.state(answer.at("/id"))).isEqualTo("READY");
    }

    @Test
    void the_payload_limit_counts_decoded_bytes() {
        String full = Base64.getEncoder().encodeToString(new byte[1 << 20]);
        Answer fits = bed.post("/v1/tasks", "{\"topic\": \"t\", \"payloadBase64\": \"" + full + "\"}");
        Answer tooLarge = bed.post("/v1/tasks", "{\"topic\": \"t\", \"payload\": \"" + "a".repeat(1 << 20) + "\"}");

        assertThat(fits.status()).isEqualTo(201);
        assertThat(bed.millrace
                        .find(UUID.fromString(fits.at("/id")))
                        .orElseThrow()
                        .payload())
                .isEqualTo(Payload.bytes(new byte[1 << 20]));
        assertThat(tooLarge.status()).isEqualTo(413);
        assertThat(tooLarge.at("/errors/0/pointer")).isEqualTo("/payload");
    }

    @Test
    void a_full_topic_is_429_unless_it_leaks() {
        bed.millrace
                .topics()
                .setPolicy("full", TopicPolicy.builder().capacity(1).build());
        bed.millrace
                .topics()
                .setPolicy(
                        "leaks",
                        TopicPolicy.builder().capacity(1).deadLetter("dead").build());
        bed.enqueue("full");
        bed.enqueue("leaks");

        Answer refused = bed.post("/v1/tasks", "{\"topic\": \"full\"}");
        Answer leaked = bed.post("/v1/tasks", "{\"topic\": \"leaks\"}");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.response().headers().firstValue("Retry-After")).isPresent();
        assertThat(leaked.status()).isEqualTo(201);
        assertThat(leaked.at("/leakedTo")).isEqualTo("dead");
        Answer letter = bed.get("/v1/tasks/" + leaked.at("/id"));
        assertThat(letter.at("/topic")).isEqualTo("dead");
        assertThat(letter.at("/origin/topic")).isEqualTo("leaks");
    }

    @Test
    void ndjson_of_any_length_is_taken_in_chunks() {
        String lines = IntStream.range(0, 25_000)
                .mapToObj(i -> "{\"topic\":\"t\",\"payload\":" + i + "}\n" + (i % 1_000 == 0 ? "\r\n" : ""))
                .collect(Collectors.joining());

        Answer answer = bed.ndjson(lines.stripTrailing());

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.json().at("/accepted").asInt()).isEqualTo(25_000);
        assertThat(answer.json().at("/duplicates").asInt()).isZero();
        List<String> stored = bed.millrace.stream(TaskQuery.ALL)
                .map(task -> task.payload().text())
                .toList();
        assertThat(stored)
                .isEqualTo(IntStream.range(0, 25_000).mapToObj(String::valueOf).toList());
    }

    @Test
    void a_bad_line_of_ndjson_ends_it_and_what_was_before_stays() {
        String line = "{\"topic\":\"t\"}\n";
        Answer answer = bed.ndjson(line.repeat(2_500) + "{\"topic\":\"t\",\"delay\":1}\n" + line.repeat(2_500));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.at("/errors/0/pointer")).isEqualTo("/2500/delay");
        assertThat(answer.json().at("/accepted").asLong()).isEqualTo(2_500);
        assertThat(bed.millrace.stream(TaskQuery.ALL)).hasSize(2_500);
    }

    @Test
    void empty_ndjson_is_refused_and_duplicates_are_counted() {
        String twice = "{\"topic\":\"t\",\"uniqueKey\":\"k\"}\n".repeat(2);

        assertThat(bed.ndjson("\n\n").status()).isEqualTo(400);
        assertThat(bed.ndjson(twice).json().at("/duplicates").asInt()).isEqualTo(1);
    }

    @Test
    void other_types_are_415_and_unknown_parameters_400() {
        assertThat(bed.send(bed.body("/v1/tasks", "POST", "text/plain", "{\"topic\": \"t\"}"))
                        .status())
                .isEqualTo(415);
        assertThat(bed.send(bed.body("/v1/tasks", "POST", "Application/JSON; charset=utf-8", "{\"topic\": \"t\"}"))
                        .status())
                .isEqualTo(201);
        Answer parameter = bed.post("/v1/tasks?colour=1", "{\"topic\": \"t\"}");
        assertThat(parameter.status()).isEqualTo(400);
        assertThat(parameter.at("/errors/0/parameter")).isEqualTo("colour");
    }

    @Test
    void a_delayed_task_is_ready_when_it_is_due() {
        String id =
                bed.post("/v1/tasks", "{\"topic\": \"t\", \"delay\": \"PT5M\"}").at("/id");
        String worker = bed.worker();

        assertThat(bed.claim(worker).isMissingNode()).isTrue();
        bed.clock.advance(Duration.ofSeconds(20));
        assertThat(bed.claim(worker).isMissingNode()).isTrue();
        bed.clock.advance(Duration.ofSeconds(280));
        assertThat(bed.claim(bed.worker()).at("/id").asString()).isEqualTo(id);
    }
}
