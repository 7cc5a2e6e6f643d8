package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.Bed.Answer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** How tasks end for good: deadlines, exceeded time-to-run, dead letters and the way back. */
class DeadLettersTest {
    private final Bed bed = new Bed();

    @AfterEach
    void close() {
        bed.close();
    }

    private JsonNode letters(String topic) {
        return bed.get("/v1/tasks?topic=" + topic).json();
    }

    private void failOne(String topic) {
        String worker = bed.worker();
        Answer claim = bed.claim(worker, "{\"topics\": [\"" + topic + "\"]}");
        bed.report(worker, claim.json().at("/tasks/0"), "failed", ", \"error\": \"no\"");
    }

    // rings

    @Test
    void a_dead_letter_topic_that_leads_back_is_422_and_changes_nothing() {
        bed.put("/v1/topics/a", "{\"deadLetter\": \"b\"}");
        bed.put("/v1/topics/b", "{\"deadLetter\": \"c\"}");
        bed.put("/v1/topics/c", "{\"weight\": 7}");

        Answer ring = bed.put("/v1/topics/c", "{\"deadLetter\": \"a\"}");

        assertThat(ring.status()).isEqualTo(422);
        assertThat(ring.at("/type")).isEqualTo("urn:millrace:problem:dead-letter-ring");
        assertThat(ring.at("/errors/0/pointer")).isEqualTo("/deadLetter");
        assertThat(ring.at("/detail")).contains("c → a → b → c");
        assertThat(bed.get("/v1/topics/c").json().at("/policy/weight").asInt()).isEqualTo(7);
        assertThat(bed.put("/v1/topics/c", "{\"deadLetter\": \"c\"}").status()).isEqualTo(422);
    }

    @Test
    void the_letter_of_a_letter_knows_the_topics_before() {
        bed.put("/v1/topics/a", "{\"deadLetter\": \"b\"}");
        bed.put("/v1/topics/b", "{\"deadLetter\": \"c\"}");
        String id = bed.enqueue("a");
        failOne("a");
        assertThat(letters("b").at("/0/origin/id").asString()).isEqualTo(id);
        assertThat(letters("b").at("/0/origin").has("earlier")).isFalse();

        failOne("b");

        assertThat(letters("c").at("/0/origin/topic").asString()).isEqualTo("b");
        assertThat(letters("c").at("/0/origin/earlier").toString()).isEqualTo("[\"a\"]");
    }

    // redrive

    @Test
    void the_original_of_a_redriven_letter_says_so_and_cannot_be_retried() {
        bed.put("/v1/topics/t", "{\"deadLetter\": \"dead\"}");
        String id = bed.enqueue("t");
        failOne("t");
        assertThat(bed.task(id).has("redriven")).isFalse();

        assertThat(bed.post("/v1/topics/dead/redrive", "").text()).isEqualTo("{\"redriven\":1}");

        assertThat(bed.task(id).at("/redriven").asBoolean()).isTrue();
        Answer retry = bed.post("/v1/tasks/" + id + "/retry", "");
        assertThat(retry.status()).isEqualTo(409);
        assertThat(retry.at("/type")).isEqualTo("urn:millrace:problem:wrong-state");
        assertThat(retry.at("/detail")).contains("redriven");
        assertThat(bed.get("/v1/tasks/count?topic=t&state=READY").text()).isEqualTo("{\"count\":1}");
    }

    @Test
    void a_letter_whose_original_is_gone_is_redriven() {
        bed.put("/v1/topics/t", "{\"deadLetter\": \"dead\"}");
        String id = bed.enqueue("t");
        failOne("t");
        bed.delete("/v1/tasks/" + id);

        assertThat(bed.post("/v1/topics/dead/redrive", "").text()).isEqualTo("{\"redriven\":1}");
    }

    // deadlines

    @Test
    void an_expired_task_leaves_a_letter_where_the_policy_says_so() {
        bed.put("/v1/topics/t", "{\"deadLetter\": \"dead\", \"deadLetterOn\": [\"expired\"]}");
        assertThat(bed.get("/v1/topics/t").json().at("/policy/deadLetterOn").toString())
                .isEqualTo("[\"expired\"]");
        String late = bed.enqueue("t", ", \"deadline\": \"5s\"");
        bed.clock.advance(Duration.ofSeconds(6));
        String worker = bed.worker();
        assertThat(bed.claim(worker, "{\"topics\": [\"t\"]}")
                        .json()
                        .at("/tasks")
                        .isEmpty())
                .isTrue();
        bed.enqueue("t");
        failOne("t");

        assertThat(bed.task(late).at("/state").asString()).isEqualTo("EXPIRED");
        assertThat(bed.task(late).at("/attempts").isEmpty()).isTrue();
        assertThat(letters("dead").size()).isEqualTo(1);
        assertThat(letters("dead").at("/0/origin/id").asString()).isEqualTo(late);
        assertThat(letters("dead").at("/0/origin/error").asString()).contains("deadline");
    }

    @Test
    void an_expired_task_leaves_no_letter_by_default() {
        bed.put("/v1/topics/t", "{\"deadLetter\": \"dead\"}");
        assertThat(bed.get("/v1/topics/t").json().at("/policy/deadLetterOn").toString())
                .isEqualTo("[\"failed\",\"timedOut\"]");
        String late = bed.enqueue("t", ", \"deadline\": \"5s\"");
        bed.clock.advance(Duration.ofSeconds(6));
        bed.claim(bed.worker());

        assertThat(bed.state(late)).isEqualTo("EXPIRED");
        assertThat(letters("dead").isEmpty()).isTrue();
    }

    @Test
    void a_task_past_its_deadline_holds_neither_its_key_nor_its_room() {
        bed.put("/v1/topics/t", "{\"capacity\": 1, \"deadLetter\": \"dead\", \"deadLetterOn\": [\"expired\"]}");
        String first = bed.enqueue("t", ", \"deadline\": \"5s\", \"uniqueKey\": \"k\"");
        bed.clock.advance(Duration.ofSeconds(6));

        Answer second = bed.post("/v1/tasks", "{\"topic\": \"t\", \"deadline\": \"5s\", \"uniqueKey\": \"k\"}");
        bed.clock.advance(Duration.ofSeconds(6));
        Answer third = bed.post("/v1/tasks", "{\"topic\": \"t\"}");

        assertThat(second.status()).isEqualTo(201);
        assertThat(third.status()).isEqualTo(201);
        assertThat(third.json().has("leakedTo")).isFalse();
        assertThat(bed.state(first)).isEqualTo("EXPIRED");
        assertThat(bed.state(second.at("/id"))).isEqualTo("EXPIRED");
        assertThat(letters("dead").size()).isEqualTo(2);
    }

    @Test
    void a_duplicate_by_key_uses_up_no_room() {
        bed.put("/v1/topics/t", "{\"capacity\": 1}");
        String id = bed.enqueue("t", ", \"uniqueKey\": \"k\"");

        Answer again = bed.post("/v1/tasks", "{\"topic\": \"t\", \"uniqueKey\": \"k\"}");

        assertThat(again.status()).isEqualTo(200);
        assertThat(again.at("/id")).isEqualTo(id);
        assertThat(bed.post("/v1/tasks", "{\"topic\": \"t\"}").status()).isEqualTo(429);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"deadLetterOn\": []}                           | /deadLetterOn",
                "{\"deadLetterOn\": [\"failed\", \"cancelled\"]}  | /deadLetterOn/1",
                "{\"deadLetterOn\": \"expired\"}                  | /deadLetterOn",
                "{\"onTimeout\": \"again\"}                       | /onTimeout",
            })
    void a_bad_field_of_a_policy_is_400_and_named(String json, String pointer) {
        Answer answer = bed.put("/v1/topics/t", json);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.at("/errors/0/pointer")).isEqualTo(pointer);
    }

    // time-to-run

    @Test
    void a_task_is_redelivered_any_number_of_times_and_its_retries_are_for_failures() {
        bed.put("/v1/topics/t", "{\"onTimeout\": \"redeliver\", \"timeout\": \"5s\", \"retry\": {\"max\": 1}}");
        assertThat(bed.get("/v1/topics/t").at("/policy/onTimeout")).isEqualTo("redeliver");
        String id = bed.enqueue("t");
        String worker = bed.worker();

        for (int i = 1; i <= 3; i++) {
            assertThat(bed.claim(worker).at("/attempt").asInt()).isEqualTo(i);
            bed.clock.advance(Duration.ofSeconds(6));
            bed.ping(worker, "");
            bed.clock.advance(Duration.ofSeconds(1));
            assertThat(bed.task(id).at("/state").asString()).isEqualTo("READY");
        }

        assertThat(bed.task(id).at("/retriesLeft").asInt()).isEqualTo(1);
        assertThat(bed.task(id).has("losses")).isFalse();
        assertThat(bed.task(id).at("/attempts/2/outcome").asString()).isEqualTo("timedOut");
        bed.report(worker, bed.claim(worker), "timedOut", "");
        assertThat(bed.task(id).at("/state").asString()).isEqualTo("READY");
    }

    @Test
    void a_task_has_its_own_say_about_an_exceeded_time_to_run() {
        bed.put("/v1/topics/t", "{\"onTimeout\": \"redeliver\"}");
        String ends = bed.enqueue("t", ", \"onTimeout\": \"final\"");
        String comesBack = bed.enqueue("other", ", \"onTimeout\": \"redeliver\"");
        assertThat(bed.task(ends).at("/onTimeout").asString()).isEqualTo("final");
        assertThat(bed.task(comesBack).at("/onTimeout").asString()).isEqualTo("redeliver");
        assertThat(bed.post("/v1/tasks", "{\"topic\": \"t\", \"onTimeout\": \"x\"}")
                        .at("/errors/0/pointer"))
                .isEqualTo("/onTimeout");
        String worker = bed.worker();

        bed.report(worker, bed.claim(worker), "timedOut", "");
        bed.report(worker, bed.claim(worker), "timedOut", "");

        assertThat(bed.state(ends)).isEqualTo("TIMED_OUT");
        assertThat(bed.state(comesBack)).isEqualTo("READY");
    }
}
