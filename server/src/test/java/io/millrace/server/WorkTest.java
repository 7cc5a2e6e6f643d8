package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.OnTimeout;
import io.millrace.TopicPolicy;
import io.millrace.server.Bed.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** External workers. */
class WorkTest {
    private final Bed bed = new Bed();

    @AfterEach
    void close() {
        bed.close();
    }

    @Test
    void a_worker_registers_with_or_without_a_body() {
        Answer empty = bed.post("/v1/workers", "");
        Answer full = bed.post("/v1/workers", "{\"name\": \"n\", \"host\": \"h\", \"topics\": [\"a\"]}");

        assertThat(empty.status()).isEqualTo(201);
        assertThat(empty.at("/pingEvery")).isEqualTo("10s");
        assertThat(empty.at("/expiresAfter")).isEqualTo("30s");
        assertThat(full.status()).isEqualTo(201);
        assertThat(bed.post("/v1/workers", "{\"name\": 5}").at("/errors/0/pointer"))
                .isEqualTo("/name");
    }

    @Test
    void a_task_is_claimed_run_and_reported() {
        String id = bed.post(
                        "/v1/tasks",
                        "{\"topic\": \"t\", \"payload\": {\"a\": 1}, \"entityId\": \"e\", \"scope\": [\"s\"]}")
                .at("/id");
        String worker = bed.worker();

        Answer claim = bed.post("/v1/workers/" + worker + "/claim", "{\"topics\": [\"t\"], \"max\": 10}");

        assertThat(claim.status()).isEqualTo(200);
        assertThat(claim.at("/command")).isEqualTo("continue");
        JsonNode task = claim.json().at("/tasks/0");
        assertThat(task.at("/id").asString()).isEqualTo(id);
        assertThat(task.at("/topic").asString()).isEqualTo("t");
        assertThat(task.at("/attempt").asInt()).isEqualTo(1);
        assertThat(task.at("/payload/a").asInt()).isEqualTo(1);
        assertThat(task.at("/entityId").asString()).isEqualTo("e");
        assertThat(task.at("/scope/0").asString()).isEqualTo("s");
        assertThat(task.at("/timeout").asString()).isEqualTo("30m");
        assertThat(task.at("/leasedUntil").asString()).isEqualTo("2030-01-01T00:30:00Z");

        Answer report = bed.report(worker, task, "succeeded", ", \"result\": {\"b\": [2]}");

        assertThat(report.status()).isEqualTo(200);
        assertThat(report.json().at("/results/0/applied").asBoolean()).isTrue();
        assertThat(report.at("/results/0/task")).isEqualTo(id);
        assertThat(report.json().at("/results/0/repeated").isMissingNode()).isTrue();
        Answer done = bed.get("/v1/tasks/" + id);
        assertThat(done.at("/state")).isEqualTo("SUCCEEDED");
        assertThat(done.json().at("/result").toString()).isEqualTo("{\"b\":[2]}");
        assertThat(done.at("/attempts/0/outcome")).isEqualTo("succeeded");
        assertThat(done.at("/attempts/0/worker")).isEqualTo(worker);
        assertThat(done.json().at("/why").isMissingNode()).isTrue();
    }

    @Test
    void the_same_report_again_is_repeated_and_another_one_comes_too_late() {
        bed.enqueue("t");
        String worker = bed.worker();
        JsonNode task = bed.claim(worker);
        bed.report(worker, task, "succeeded", "");

        Answer again = bed.report(worker, task, "succeeded", "");
        Answer other = bed.report(worker, task, "failed", ", \"error\": \"x\"");

        assertThat(again.json().at("/results/0/applied").asBoolean()).isTrue();
        assertThat(again.json().at("/results/0/repeated").asBoolean()).isTrue();
        assertThat(other.status()).isEqualTo(200);
        assertThat(other.json().at("/results/0/applied").asBoolean()).isFalse();
        assertThat(other.at("/results/0/reason")).isEqualTo("leaseLost");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1.", "1.x", "-1.0", "99999999999999999999.1", "1.0", "2.é"})
    void a_lease_that_never_was_is_lost(String lease) {
        String id = bed.enqueue("t");
        String worker = bed.worker();
        bed.claim(worker);

        Answer answer = bed.post(
                "/v1/workers/" + worker + "/outcomes",
                "{\"outcomes\": [{\"task\": \"" + id + "\", \"lease\": \"" + lease
                        + "\", \"outcome\": \"succeeded\"}]}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.at("/results/0/reason")).isEqualTo("leaseLost");
        assertThat(bed.state(id)).isEqualTo("RUNNING");
    }

    @Test
    void only_the_holder_can_report() {
        bed.enqueue("t");
        JsonNode task = bed.claim(bed.worker());

        Answer answer = bed.report(bed.worker(), task, "succeeded", "");

        assertThat(answer.at("/results/0/reason")).isEqualTo("leaseLost");
    }

    @Test
    void a_failed_task_is_retried_counted_from_the_report_and_then_fails() {
        String id = bed.post("/v1/tasks", "{\"topic\": \"t\", \"retry\": {\"max\": 1, \"base\": \"20s\"}}")
                .at("/id");
        String worker = bed.worker();
        bed.report(worker, bed.claim(worker), "failed", ", \"error\": \"first\"");
        assertThat(bed.get("/v1/tasks/" + id).at("/state")).isEqualTo("SCHEDULED");
        assertThat(bed.get("/v1/tasks/" + id).at("/dueAt")).isEqualTo("2030-01-01T00:00:20Z");
        assertThat(bed.get("/v1/tasks/" + id).json().at("/retriesLeft").asInt()).isZero();

        bed.clock.advance(Duration.ofSeconds(20));
        JsonNode second = bed.claim(worker);
        assertThat(second.at("/attempt").asInt()).isEqualTo(2);
        bed.report(worker, second, "failed", ", \"error\": \"second\"");

        Answer task = bed.get("/v1/tasks/" + id);
        assertThat(task.at("/state")).isEqualTo("FAILED");
        assertThat(task.at("/attempts/0/error")).isEqualTo("first");
        assertThat(task.at("/attempts/1/error")).isEqualTo("second");
    }

    @Test
    void stop_snooze_and_timed_out() {
        String worker = bed.worker();
        bed.millrace
                .topics()
                .setPolicy(
                        "again",
                        TopicPolicy.builder().onTimeout(OnTimeout.RETRY).build());
        String stopped = bed.post("/v1/tasks", "{\"topic\": \"a\", \"retry\": {\"max\": 5}}")
                .at("/id");
        bed.report(worker, bed.claim(worker), "failed", ", \"stop\": true");
        String snoozed = bed.enqueue("b");
        bed.report(worker, bed.claim(worker), "snoozed", ", \"delay\": \"1h\"");
        String timedOut = bed.enqueue("c");
        bed.report(worker, bed.claim(worker), "timedOut", "");
        String retried = bed.post("/v1/tasks", "{\"topic\": \"again\", \"retry\": {\"max\": 1}}")
                .at("/id");
        bed.report(worker, bed.claim(worker), "timedOut", "");

        assertThat(bed.state(stopped)).isEqualTo("FAILED");
        assertThat(bed.state(snoozed)).isEqualTo("SCHEDULED");
        assertThat(bed.state(timedOut)).isEqualTo("TIMED_OUT");
        assertThat(bed.state(retried)).isEqualTo("SCHEDULED");
    }

    @Test
    void a_long_poll_is_answered_when_a_task_comes() {
        String worker = bed.worker();
        CompletableFuture<Answer> poll = poll(worker, "30s");
        awaitParked();

        String id = bed.enqueue("t");

        assertThat(poll.join().at("/tasks/0/id")).isEqualTo(id);
    }

    @Test
    void a_long_poll_that_gets_nothing_is_answered_with_an_empty_list() {
        CompletableFuture<Answer> poll = poll(bed.worker(), "25s");
        awaitParked();

        bed.clock.advance(Duration.ofSeconds(25));

        assertThat(poll.join().status()).isEqualTo(200);
        assertThat(poll.join().json().at("/tasks").isEmpty()).isTrue();
    }

    private CompletableFuture<Answer> poll(String worker, String patience) {
        return bed.sendAsync(bed.posting(
                "/v1/workers/" + worker + "/claim", "{\"topics\": [\"t\"], \"wait\": \"" + patience + "\"}"));
    }

    /** A worker that asked for a topic is known to serve it. */
    private void awaitParked() {
        Awaitility.await()
                .until(() -> bed.millrace.workers().list().stream()
                        .anyMatch(worker -> worker.topics().contains("t")));
    }

    @Test
    void a_claim_without_topics_uses_those_of_the_registration_or_all() {
        bed.enqueue("a");
        bed.enqueue("b");
        String one = bed.post("/v1/workers", "{\"topics\": [\"b\"]}").at("/id");
        String all = bed.worker();

        assertThat(bed.claim(one).at("/topic").asString()).isEqualTo("b");
        assertThat(bed.claim(one).isMissingNode()).isTrue();
        assertThat(bed.claim(all).at("/topic").asString()).isEqualTo("a");
    }

    @Test
    void max_is_one_by_default_and_1_000_at_most() {
        bed.enqueue("a");
        bed.enqueue("a");
        String worker = bed.worker();

        assertThat(bed.post("/v1/workers/" + worker + "/claim", "")
                        .json()
                        .at("/tasks")
                        .size())
                .isEqualTo(1);
        assertThat(bed.post("/v1/workers/" + worker + "/claim", "{\"max\": 1001}")
                        .at("/errors/0/pointer"))
                .isEqualTo("/max");
    }

    @Test
    void outcomes_can_take_the_next_tasks_along() {
        bed.enqueue("a");
        String next = bed.enqueue("a");
        String worker = bed.worker();
        JsonNode task = bed.claim(worker);

        Answer answer = bed.post("/v1/workers/" + worker + "/outcomes?claim=10", Bed.outcome(task, "succeeded", ""));

        assertThat(answer.json().at("/results/0/applied").asBoolean()).isTrue();
        assertThat(answer.at("/tasks/0/id")).isEqualTo(next);
        assertThat(answer.at("/command")).isEqualTo("continue");
        assertThat(bed.post("/v1/workers/" + worker + "/outcomes?claim=0", "{\"outcomes\": []}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void an_unknown_worker_is_404_on_every_call_but_ping() {
        String nobody = "/v1/workers/" + UUID.randomUUID();

        assertThat(bed.post(nobody + "/claim", "").status()).isEqualTo(404);
        assertThat(bed.post(nobody + "/outcomes", "{\"outcomes\": []}").status())
                .isEqualTo(404);
        assertThat(bed.post(nobody + "/progress", "{\"tasks\": []}").status()).isEqualTo(404);
        assertThat(bed.delete(nobody).status()).isEqualTo(404);
        Answer ping = bed.post(nobody + "/ping", "");
        assertThat(ping.status()).isEqualTo(200);
        assertThat(ping.text()).isEqualTo("{\"alive\":false}");
    }

    @Test
    void reports_of_an_expired_worker_have_lost_their_lease_and_all_else_is_410() {
        String id = bed.enqueue("t");
        String worker = bed.worker();
        JsonNode task = bed.claim(worker);
        bed.clock.advance(Duration.ofSeconds(31));
        String path = "/v1/workers/" + worker;

        Answer report = bed.report(worker, task, "succeeded", "");
        Answer claiming = bed.post(path + "/outcomes?claim=1", Bed.outcome(task, "succeeded", ""));

        assertThat(report.status()).isEqualTo(200);
        assertThat(report.at("/results/0/reason")).isEqualTo("leaseLost");
        assertThat(claiming.at("/results/0/reason")).isEqualTo("leaseLost");
        assertThat(claiming.json().at("/tasks").size()).isZero();
        assertThat(bed.post(path + "/claim", "{\"wait\": \"5s\"}").status()).isEqualTo(410);
        assertThat(bed.post(path + "/progress", "{\"tasks\": []}").status()).isEqualTo(410);
        assertThat(bed.delete(path).status()).isEqualTo(410);
        assertThat(bed.post(path + "/ping", "").json().at("/alive").asBoolean()).isFalse();
        assertThat(bed.state(id)).isEqualTo("READY");
        assertThat(bed.get("/v1/tasks/" + id).at("/attempts/0/outcome")).isEqualTo("lost");
    }

    @Test
    void any_request_counts_as_a_ping() {
        String worker = bed.worker();
        List<String> requests = new ArrayList<>(List.of("claim", "ping"));
        for (String request : requests) {
            bed.clock.advance(Duration.ofSeconds(25));
            assertThat(bed.post("/v1/workers/" + worker + "/" + request, "").status())
                    .isEqualTo(200);
        }
        bed.clock.advance(Duration.ofSeconds(25));
        assertThat(bed.post("/v1/workers/" + worker + "/outcomes", "{\"outcomes\": []}")
                        .status())
                .isEqualTo(200);
        bed.clock.advance(Duration.ofSeconds(25));
        assertThat(bed.post("/v1/workers/" + worker + "/progress", "{\"tasks\": []}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void what_a_ping_does_not_list_is_ready_again_after_a_grace_and_is_no_loss() {
        String id = bed.enqueue("t");
        String worker = bed.worker();
        bed.claim(worker);
        String nothing = "{\"holding\": []}";
        bed.post("/v1/workers/" + worker + "/ping", nothing);
        assertThat(bed.state(id)).isEqualTo("RUNNING");

        bed.clock.advance(Duration.ofSeconds(6));
        bed.post("/v1/workers/" + worker + "/ping", "{\"holding\": [\"" + id + "\"]}");
        assertThat(bed.state(id)).isEqualTo("RUNNING");
        bed.post("/v1/workers/" + worker + "/ping", nothing);
        bed.clock.advance(Duration.ofSeconds(1));

        assertThat(bed.state(id)).isEqualTo("READY");
        assertThat(bed.get("/v1/tasks/" + id).json().at("/losses").isMissingNode())
                .isTrue();
    }

    @Test
    void a_worker_that_leaves_gives_back_what_it_holds() {
        String id = bed.enqueue("t");
        String worker = bed.worker();
        bed.claim(worker);

        assertThat(bed.delete("/v1/workers/" + worker).status()).isEqualTo(204);

        assertThat(bed.state(id)).isEqualTo("READY");
        assertThat(bed.post("/v1/workers/" + worker + "/claim", "").status()).isEqualTo(404);
        assertThat(bed.delete("/v1/workers/" + worker).status()).isEqualTo(404);
    }

    @Test
    void progress_is_shown_and_more_time_counts_from_now() {
        String id = bed.post("/v1/tasks", "{\"topic\": \"t\", \"timeout\": \"20s\"}")
                .at("/id");
        String worker = bed.worker();
        JsonNode task = bed.claim(worker);
        bed.clock.advance(Duration.ofSeconds(10));

        Answer answer = bed.post(
                "/v1/workers/" + worker + "/progress",
                "{\"tasks\": [{\"task\": \"" + id + "\", \"lease\": \""
                        + task.at("/lease").asString()
                        + "\", \"percent\": 40, \"message\": \"m\", \"extend\": \"1m\"}, {\"task\": \"" + id
                        + "\", \"lease\": \"1.no\"}]}");

        assertThat(answer.json().at("/results/0/applied").asBoolean()).isTrue();
        assertThat(answer.json().at("/results/1/applied").asBoolean()).isFalse();
        Answer shown = bed.get("/v1/tasks/" + id);
        assertThat(shown.json().at("/progress/percent").asInt()).isEqualTo(40);
        assertThat(shown.at("/progress/message")).isEqualTo("m");
        assertThat(shown.at("/leasedUntil")).isEqualTo("2030-01-01T00:01:10Z");
        assertThat(shown.at("/worker")).isEqualTo(worker);
    }

    @Test
    void outputs_need_a_pipeline() {
        bed.enqueue("t");
        String worker = bed.worker();

        Answer answer = bed.report(worker, bed.claim(worker), "succeeded", ", \"outputs\": [1]");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.at("/errors/0/pointer")).isEqualTo("/outcomes/0/outputs");
    }
}
