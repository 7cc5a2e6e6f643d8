package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.Bed.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What a claim gives: which tasks, when their time-to-run begins, and what counts as an attempt. */
class ClaimTest {
    private static final String FROM_START = "{\"timeFrom\": \"start\"}";

    private final Bed bed = new Bed();

    @AfterEach
    void close() {
        bed.close();
    }

    private JsonNode claimFromStart(String worker) {
        return bed.claim(worker, FROM_START).json().at("/tasks/0");
    }

    private static List<String> ids(Answer claim) {
        List<String> ids = new ArrayList<>();
        claim.json().at("/tasks").forEach(task -> ids.add(task.at("/id").asString()));
        return ids;
    }

    private static String listed(String field, String id) {
        return "{\"" + field + "\": [\"" + id + "\"]}";
    }

    // time-to-run

    @Test
    void time_from_the_start_begins_when_a_ping_names_the_task() {
        String id = bed.enqueue("t", ", \"timeout\": \"20s\"");
        String worker = bed.worker();

        JsonNode claimed = claimFromStart(worker);

        assertThat(claimed.at("/timeout").asString()).isEqualTo("20s");
        assertThat(claimed.at("/leasedAt").asString()).isEqualTo("2030-01-01T00:00:00Z");
        assertThat(claimed.has("leasedUntil")).isFalse();
        assertThat(bed.task(id).at("/state").asString()).isEqualTo("RUNNING");
        assertThat(bed.task(id).at("/worker").asString()).isEqualTo(worker);
        assertThat(bed.task(id).has("leasedUntil")).isFalse();

        bed.clock.advance(Duration.ofSeconds(10));
        assertThat(bed.ping(worker, listed("started", id)).at("/command")).isEqualTo("continue");
        assertThat(bed.task(id).at("/leasedUntil").asString()).isEqualTo("2030-01-01T00:00:30Z");

        bed.clock.advance(Duration.ofSeconds(5));
        bed.ping(worker, listed("started", id));
        assertThat(bed.task(id).at("/leasedUntil").asString()).isEqualTo("2030-01-01T00:00:30Z");
    }

    @Test
    void an_overrun_is_decided_when_the_worker_was_heard_of_since() {
        String id = bed.enqueue("t", ", \"timeout\": \"20s\"");
        String worker = bed.worker();
        claimFromStart(worker);
        bed.ping(worker, listed("started", id));
        bed.clock.advance(Duration.ofSeconds(25));
        assertThat(bed.state(id)).isEqualTo("RUNNING");

        bed.ping(worker, "");
        bed.clock.advance(Duration.ofSeconds(1));

        assertThat(bed.state(id)).isEqualTo("TIMED_OUT");
    }

    @Test
    void a_progress_report_starts_the_time_to_run_too() {
        String id = bed.enqueue("t", ", \"timeout\": \"20s\"");
        String worker = bed.worker();
        JsonNode claimed = claimFromStart(worker);
        bed.clock.advance(Duration.ofSeconds(10));

        bed.post(
                "/v1/workers/" + worker + "/progress",
                "{\"tasks\": [{\"task\": \"" + id + "\", \"lease\": \""
                        + claimed.at("/lease").asString() + "\", \"percent\": 1}]}");

        assertThat(bed.task(id).at("/leasedUntil").asString()).isEqualTo("2030-01-01T00:00:30Z");
    }

    @Test
    void a_task_that_was_not_started_does_not_time_out() {
        String id = bed.enqueue("t", ", \"timeout\": \"1s\"");
        String worker = bed.worker();
        JsonNode claimed = claimFromStart(worker);

        for (int i = 0; i < 10; i++) {
            bed.clock.advance(Duration.ofSeconds(20));
            bed.ping(worker, listed("holding", id));
        }

        assertThat(bed.state(id)).isEqualTo("RUNNING");
        bed.report(worker, claimed, "succeeded", "");
        assertThat(bed.state(id)).isEqualTo("SUCCEEDED");
    }

    @Test
    void only_its_own_tasks_are_started_by_a_worker() {
        String id = bed.enqueue("t");
        claimFromStart(bed.worker());

        bed.ping(bed.worker(), listed("started", id));

        assertThat(bed.task(id).has("leasedUntil")).isFalse();
    }

    // which tasks

    @Test
    void the_oldest_come_first_by_priority_and_then_by_creation_whatever_their_topic() {
        String third = bed.enqueue("b");
        String fourth = bed.enqueue("a");
        String fifth = bed.enqueue("b");
        String first = bed.enqueue("c", ", \"priority\": 1");
        String sixth = bed.enqueue("a");
        String second = bed.enqueue("b", ", \"priority\": 2");

        Answer claim =
                bed.claim(bed.worker(), "{\"topics\": [\"a\", \"b\", \"c\"], \"max\": 10, \"order\": \"oldest\"}");

        assertThat(ids(claim)).containsExactly(first, second, third, fourth, fifth, sixth);
    }

    @Test
    void pauses_and_limits_hold_for_the_oldest_too() {
        bed.put("/v1/topics/limited", "{\"concurrency\": 1}");
        bed.enqueue("paused");
        bed.post("/v1/topics/paused/pause", "");
        String first = bed.enqueue("limited");
        bed.enqueue("limited");
        String third = bed.enqueue("free");

        Answer claim = bed.claim(bed.worker(), "{\"topics\": [\"*\"], \"max\": 10, \"order\": \"oldest\"}");

        assertThat(ids(claim)).containsExactly(first, third);
    }

    @Test
    void a_star_stands_for_all_topics_whatever_the_worker_registered_for() {
        String a = bed.enqueue("a");
        String b = bed.enqueue("b");
        String worker = bed.post("/v1/workers", "{\"topics\": [\"b\"]}").at("/id");

        assertThat(ids(bed.claim(worker, "{\"topics\": [\"*\"], \"max\": 10}"))).containsExactlyInAnyOrder(a, b);
        String registered =
                bed.post("/v1/workers", "{\"topics\": [\"*\", \"b\"]}").at("/id");
        String c = bed.enqueue("c");
        assertThat(bed.claim(registered).at("/id").asString()).isEqualTo(c);
    }

    @Test
    void a_report_takes_along_what_a_claim_would_give() {
        bed.enqueue("z");
        String next = bed.enqueue("b");
        String last = bed.enqueue("a");
        String worker = bed.worker();
        JsonNode task = bed.claim(worker, "{\"topics\": [\"z\"]}").json().at("/tasks/0");

        Answer answer = bed.post(
                "/v1/workers/" + worker + "/outcomes?claim=10&timeFrom=start&order=oldest",
                Bed.outcome(task, "succeeded", ""));

        assertThat(ids(answer)).containsExactly(next, last);
        assertThat(answer.json().at("/tasks/0").has("leasedUntil")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"timeFrom\": \"end\"}         | /timeFrom",
                "{\"timeFrom\": \"START\"}       | /timeFrom",
                "{\"order\": \"newest\"}         | /order",
                "{\"order\": 1}                  | /order",
                "{\"topics\": [\"*\", \"a b\"]}  | /topics/1",
                "{\"topics\": [\"**\"]}          | /topics/0",
                "{\"topics\": \"*\"}             | /topics",
            })
    void a_bad_field_of_a_claim_is_400_and_named(String json, String pointer) {
        Answer answer = bed.claim(bed.worker(), json);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.at("/errors/0/pointer")).isEqualTo(pointer);
    }

    @Test
    void bad_parameters_of_outcomes_are_all_named() {
        Answer answer = bed.post(
                "/v1/workers/" + bed.worker() + "/outcomes?claim=0&timeFrom=end&order=newest", "{\"outcomes\": []}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/errors").findValuesAsString("parameter"))
                .containsExactly("claim", "timeFrom", "order");
    }

    @Test
    void what_a_ping_names_as_started_are_ids() {
        assertThat(bed.ping(bed.worker(), "{\"started\": [\"me\"]}").at("/errors/0/pointer"))
                .isEqualTo("/started/0");
    }

    // attempts

    @ParameterizedTest
    @ValueSource(strings = {"released", "unlisted", "left"})
    void a_lease_given_up_before_the_start_is_no_attempt(String how) {
        String id = bed.enqueue("t");
        String worker = bed.worker();
        JsonNode claimed = claimFromStart(worker);

        switch (how) {
            case "released" -> bed.report(worker, claimed, "released", "");
            case "unlisted" -> {
                bed.clock.advance(Duration.ofSeconds(6));
                bed.ping(worker, "{\"holding\": []}");
                bed.clock.advance(Duration.ofSeconds(1));
            }
            default -> bed.delete("/v1/workers/" + worker);
        }

        assertThat(bed.task(id).at("/state").asString()).isEqualTo("READY");
        assertThat(bed.task(id).at("/attempts").isEmpty()).isTrue();
        assertThat(bed.task(id).has("losses")).isFalse();
        JsonNode again = bed.claim(bed.worker());
        assertThat(again.at("/attempt").asInt()).isEqualTo(1);
        assertThat(again.at("/lease").asString())
                .isNotEqualTo(claimed.at("/lease").asString());
        assertThat(bed.report(worker, claimed, "succeeded", "").status()).isIn(200, 404);
        assertThat(bed.state(id)).isEqualTo("RUNNING");
    }

    @Test
    void a_lease_given_up_after_the_start_is_an_attempt() {
        String id = bed.enqueue("t");
        String worker = bed.worker();
        claimFromStart(worker);
        bed.ping(worker, listed("started", id));

        bed.delete("/v1/workers/" + worker);

        assertThat(bed.task(id).at("/attempts/0/outcome").asString()).isEqualTo("released");
        assertThat(bed.claim(bed.worker()).at("/attempt").asInt()).isEqualTo(2);
    }

    @Test
    void another_workers_report_after_the_end_has_lost_its_lease() {
        bed.enqueue("t");
        String holder = bed.worker();
        JsonNode task = bed.claim(holder);
        bed.report(holder, task, "succeeded", "");

        Answer other = bed.report(bed.worker(), task, "succeeded", "");
        Answer own = bed.report(holder, task, "succeeded", "");

        assertThat(other.json().at("/results/0/applied").asBoolean()).isFalse();
        assertThat(other.json().at("/results/0").has("repeated")).isFalse();
        assertThat(other.at("/results/0/reason")).isEqualTo("leaseLost");
        assertThat(own.json().at("/results/0/repeated").asBoolean()).isTrue();
    }

    // waiting

    @Test
    void a_held_claim_keeps_its_worker_alive_however_short_the_expiry_is() {
        try (Bed quick = Bed.inRealTime(Duration.ofSeconds(1))) {
            String worker = quick.worker();

            Answer nothing = quick.claim(worker, "{\"topics\": [\"t\"], \"wait\": \"3500ms\"}");

            assertThat(nothing.status()).isEqualTo(200);
            assertThat(nothing.json().at("/tasks").isEmpty()).isTrue();
            assertThat(quick.ping(worker, "").json().at("/alive").asBoolean()).isTrue();
        }
    }
}
