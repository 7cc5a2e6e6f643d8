package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.Bed.Answer;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Changing tasks and topics. */
class ManageTest {
    private final Bed bed = new Bed();

    @AfterEach
    void close() {
        bed.close();
    }

    @Test
    void a_pending_task_is_cancelled_at_once() {
        String id = bed.enqueue("t");

        assertThat(bed.post("/v1/tasks/" + id + "/cancel", "").status()).isEqualTo(204);

        assertThat(bed.state(id)).isEqualTo("CANCELLED");
        assertThat(bed.post("/v1/tasks/" + id + "/cancel", "{}").status()).isEqualTo(409);
    }

    @Test
    void a_running_task_is_told_to_stop_and_its_success_still_counts() {
        String id = bed.enqueue("t");
        String worker = bed.worker();
        JsonNode task = bed.claim(worker);

        assertThat(bed.post("/v1/tasks/" + id + "/cancel", "").status()).isEqualTo(204);

        assertThat(bed.state(id)).isEqualTo("RUNNING");
        assertThat(bed.get("/v1/tasks/" + id).json().at("/cancelRequested").asBoolean())
                .isTrue();
        Answer ping = bed.post("/v1/workers/" + worker + "/ping", "{\"holding\": [\"" + id + "\"]}");
        assertThat(ping.at("/cancel/0")).isEqualTo(id);
        bed.report(worker, task, "succeeded", "");
        assertThat(bed.state(id)).isEqualTo("SUCCEEDED");
    }

    @Test
    void anything_else_ends_a_cancelled_task_as_cancelled() {
        String id = bed.post("/v1/tasks", "{\"topic\": \"t\", \"retry\": {\"max\": 5}}")
                .at("/id");
        String worker = bed.worker();
        JsonNode task = bed.claim(worker);
        bed.post("/v1/tasks/" + id + "/cancel", "");

        bed.report(worker, task, "failed", "");

        assertThat(bed.state(id)).isEqualTo("CANCELLED");
    }

    @Test
    void deleting_a_running_task_is_409_and_others_are_gone() {
        String running = bed.enqueue("t");
        bed.claim(bed.worker());
        String ready = bed.enqueue("t");

        assertThat(bed.delete("/v1/tasks/" + running).status()).isEqualTo(409);
        assertThat(bed.delete("/v1/tasks/" + ready).status()).isEqualTo(204);
        assertThat(bed.delete("/v1/tasks/" + ready).status()).isEqualTo(404);
    }

    @Test
    void retry_is_for_final_tasks_and_attempts_go_on() {
        String id = bed.enqueue("t");
        assertThat(bed.post("/v1/tasks/" + id + "/retry", "").status()).isEqualTo(409);
        String worker = bed.worker();
        bed.report(worker, bed.claim(worker), "failed", "");

        assertThat(bed.post("/v1/tasks/" + id + "/retry", "").status()).isEqualTo(204);

        assertThat(bed.claim(worker).at("/attempt").asInt()).isEqualTo(2);
    }

    @Test
    void reschedule_takes_a_delay_or_a_time() {
        String id = bed.enqueue("t");

        assertThat(bed.post("/v1/tasks/" + id + "/reschedule", "{\"delay\": \"1h\"}")
                        .status())
                .isEqualTo(204);
        assertThat(bed.get("/v1/tasks/" + id).at("/dueAt")).isEqualTo("2030-01-01T01:00:00Z");
        bed.post("/v1/tasks/" + id + "/reschedule", "{\"runAt\": \"2030-01-01T00:00:00Z\"}");
        assertThat(bed.state(id)).isEqualTo("READY");
        assertThat(bed.post("/v1/tasks/" + id + "/reschedule", "{}").status()).isEqualTo(400);
        assertThat(bed.post("/v1/tasks/" + id + "/reschedule", "").status()).isEqualTo(400);
        bed.claim(bed.worker());
        assertThat(bed.post("/v1/tasks/" + id + "/reschedule", "{\"delay\": \"1h\"}")
                        .status())
                .isEqualTo(409);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cancel", "retry", "reschedule"})
    void a_task_that_is_not_there_is_404(String change) {
        String body = change.equals("reschedule") ? "{\"delay\": \"1s\"}" : "";
        assertThat(bed.post("/v1/tasks/" + UUID.randomUUID() + "/" + change, body)
                        .status())
                .isEqualTo(404);
    }

    @Test
    void a_change_that_has_nothing_to_say_takes_no_fields() {
        String id = bed.enqueue("t");
        assertThat(bed.post("/v1/tasks/" + id + "/cancel", "{\"why\": 1}").at("/errors/0/pointer"))
                .isEqualTo("/why");
    }

    @Test
    void what_filters_match_is_deleted_and_no_filter_is_refused() {
        bed.enqueue("a");
        bed.enqueue("a");
        String b = bed.enqueue("b");

        assertThat(bed.delete("/v1/tasks").status()).isEqualTo(400);
        assertThat(bed.delete("/v1/tasks?topic=a").text()).isEqualTo("{\"deleted\":2}");
        assertThat(bed.delete("/v1/tasks?state=READY").text()).isEqualTo("{\"deleted\":1}");
        assertThat(bed.state(b)).isEqualTo("GONE");
        assertThat(bed.delete("/v1/tasks?limit=1").status()).isEqualTo(400);
    }

    @Test
    void a_policy_is_replaced_as_a_whole_and_removed_alone() {
        Answer put = bed.put("/v1/topics/a%2Fb", "{\"capacity\": 5, \"rate\": {\"limit\": 10, \"per\": \"1s\"}}");
        assertThat(put.status()).isEqualTo(200);
        assertThat(put.at("/topic")).isEqualTo("a/b");
        assertThat(put.json().at("/policy/capacity").asInt()).isEqualTo(5);

        bed.put("/v1/topics/a%2Fb", "{\"weight\": 3, \"retry\": {\"max\": 2}}");
        bed.enqueue("a/b");
        bed.clock.advance(Duration.ofSeconds(5));

        Answer topic = bed.get("/v1/topics/a%2Fb");
        assertThat(topic.json().at("/policy/weight").asInt()).isEqualTo(3);
        assertThat(topic.json().at("/policy").has("capacity")).isFalse();
        assertThat(topic.json().at("/policy/retry/max").asInt()).isEqualTo(2);
        assertThat(topic.json().at("/depth/READY").asInt()).isEqualTo(1);
        assertThat(topic.json().at("/depth/FAILED").asInt()).isZero();
        assertThat(topic.at("/oldestAge")).isEqualTo("5s");
        assertThat(bed.get("/v1/topics").at("/topics/0/topic")).isEqualTo("a/b");

        assertThat(bed.delete("/v1/topics/a%2Fb").status()).isEqualTo(204);
        assertThat(bed.get("/v1/topics/a%2Fb").json().at("/policy/weight").asInt())
                .isEqualTo(1);
        assertThat(bed.get("/v1/topics/a%2Fb").json().at("/depth/READY").asInt())
                .isEqualTo(1);
    }

    @Test
    void a_bad_policy_is_400_with_the_place() {
        assertThat(bed.put("/v1/topics/a", "{\"capacity\": 0}").at("/errors/0/pointer"))
                .isEqualTo("/capacity");
        assertThat(bed.put("/v1/topics/a", "{\"deadLetter\": \"a\"}").at("/errors/0/pointer"))
                .isEqualTo("/deadLetter");
        assertThat(bed.put("/v1/topics/a", "").status()).isEqualTo(400);
    }

    @Test
    void a_paused_topic_gives_out_nothing() {
        bed.enqueue("t");
        String worker = bed.worker();
        assertThat(bed.post("/v1/topics/t/pause", "").status()).isEqualTo(204);
        assertThat(bed.get("/v1/topics/t").json().at("/paused").asBoolean()).isTrue();
        assertThat(bed.claim(worker).isMissingNode()).isTrue();

        assertThat(bed.post("/v1/topics/t/resume", "").status()).isEqualTo(204);

        assertThat(bed.claim(worker).isMissingNode()).isFalse();
    }

    @Test
    void dead_letters_know_where_they_came_from_and_go_back() {
        bed.put("/v1/topics/t", "{\"deadLetter\": \"dead\"}");
        String id = bed.enqueue("t");
        String worker = bed.worker();
        bed.report(worker, bed.claim(worker), "failed", ", \"error\": \"no\"");
        JsonNode letter = bed.get("/v1/tasks?topic=dead").json().at("/0");
        assertThat(letter.at("/origin/topic").asString()).isEqualTo("t");
        assertThat(letter.at("/origin/id").asString()).isEqualTo(id);
        assertThat(letter.at("/origin/error").asString()).isEqualTo("no");
        assertThat(bed.state(id)).isEqualTo("FAILED");

        assertThat(bed.post("/v1/topics/dead/redrive", "").text()).isEqualTo("{\"redriven\":1}");

        assertThat(bed.get("/v1/tasks?topic=dead&state=pending").text()).isEqualTo("[]");
        assertThat(bed.get("/v1/tasks/count?topic=t&state=READY")
                        .json()
                        .at("/count")
                        .asInt())
                .isEqualTo(1);
    }
}
