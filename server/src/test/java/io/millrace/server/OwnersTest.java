package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.Bed.Answer;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What one key can do to the workers and tasks of another. */
class OwnersTest {
    private final AccessKey.Generated admin = AccessKey.generate("admin", Role.ADMIN, Set.of());
    private final AccessKey.Generated adminOfB = AccessKey.generate("adminOfB", Role.ADMIN, Set.of("b"));
    private final AccessKey.Generated a = AccessKey.generate("a", Role.WORKER, Set.of("a"));
    private final AccessKey.Generated b = AccessKey.generate("b", Role.WORKER, Set.of("b"));
    private final AccessKey.Generated newB = AccessKey.generate("b", Role.WORKER, Set.of("b"));
    private final Bed bed = new Bed(options -> options.keys(keys(admin, adminOfB, a, b)));
    private String victim;
    private JsonNode running;

    private static List<AccessKey> keys(AccessKey.Generated... generated) {
        return Stream.of(generated).map(AccessKey.Generated::key).toList();
    }

    private Answer send(AccessKey.Generated key, String method, String path, String body) {
        return bed.send(bed.request(path)
                .header("Authorization", "Bearer " + key.secret())
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    @BeforeEach
    void a_worker_of_b_runs_a_task() {
        victim = send(b, "POST", "/v1/workers", "").at("/id");
        running = running();
    }

    private JsonNode running() {
        send(admin, "POST", "/v1/tasks", "{\"topic\": \"b\"}");
        return send(b, "POST", "/v1/workers/" + victim + "/claim", "{}").json().at("/tasks/0");
    }

    @AfterEach
    void close() {
        bed.close();
    }

    private String runningId() {
        return running.at("/id").asString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST   | claim    | {}",
                "POST   | claim    | {\"topics\": [\"a\"]}",
                "POST   | outcomes | OUTCOME",
                "POST   | progress | PROGRESS",
                "DELETE |          |",
            })
    void another_keys_worker_does_not_exist(String method, String call, String body) {
        String sent = body == null
                ? ""
                : body.replace("OUTCOME", Bed.outcome(running, "succeeded", ""))
                        .replace(
                                "PROGRESS",
                                "{\"tasks\": [{\"task\": \"" + runningId() + "\", \"lease\": \""
                                        + running.at("/lease").asString() + "\", \"percent\": 1}]}");
        Answer foreign = send(a, method, "/v1/workers/" + victim + (call == null ? "" : "/" + call), sent);

        assertThat(foreign.status()).isEqualTo(404);
        assertThat(foreign.at("/type")).isEqualTo("urn:millrace:problem:unknown-worker");
        assertThat(bed.state(runningId())).isEqualTo("RUNNING");
        JsonNode worker = send(admin, "GET", "/v1/workers", "").json().at("/workers/0");
        assertThat(worker.at("/topics").toString()).isEqualTo("[\"b\"]");
        assertThat(worker.at("/key").asString()).isEqualTo("b");
    }

    @Test
    void a_ping_for_another_keys_worker_is_answered_like_one_for_none_and_changes_nothing() {
        bed.clock.advance(Duration.ofSeconds(6));

        Answer ping = send(a, "POST", "/v1/workers/" + victim + "/ping", "{\"holding\": []}");

        assertThat(ping.status()).isEqualTo(200);
        assertThat(ping.json().at("/alive").asBoolean()).isFalse();
        assertThat(bed.state(runningId())).isEqualTo("RUNNING");
        assertThat(send(b, "POST", "/v1/workers/" + victim + "/ping", "")
                        .json()
                        .at("/alive")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void the_owner_and_admins_of_its_topics_reach_a_worker() {
        assertThat(send(adminOfB, "POST", "/v1/workers/" + victim + "/ping", "")
                        .json()
                        .at("/alive")
                        .asBoolean())
                .isTrue();
        assertThat(send(b, "POST", "/v1/workers/" + victim + "/outcomes", Bed.outcome(running, "succeeded", ""))
                        .json()
                        .at("/results/0/applied")
                        .asBoolean())
                .isTrue();
        assertThat(send(adminOfB, "POST", "/v1/workers/" + victim + "/stop", "").status())
                .isEqualTo(204);
    }

    @Test
    void a_limited_admin_stops_workers_of_its_topics_only() {
        String shared = send(admin, "POST", "/v1/workers", "{\"topics\": [\"b\", \"c\"]}")
                .at("/id");
        String all = send(admin, "POST", "/v1/workers", "").at("/id");

        for (String worker : List.of(shared, all)) {
            assertThat(send(adminOfB, "POST", "/v1/workers/" + worker + "/stop", "")
                            .status())
                    .isEqualTo(404);
        }
        JsonNode listed = send(adminOfB, "GET", "/v1/workers", "").json().at("/workers");
        assertThat(listed.toString()).contains(shared).doesNotContain("\"c\"").doesNotContain(all);
    }

    @Test
    void a_secret_is_exchanged_under_the_same_name() {
        bed.server.setKeys(keys(admin, newB));

        assertThat(send(b, "POST", "/v1/workers/" + victim + "/ping", "").status())
                .isEqualTo(401);
        assertThat(send(newB, "POST", "/v1/workers/" + victim + "/outcomes", Bed.outcome(running, "succeeded", ""))
                        .json()
                        .at("/results/0/applied")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void a_key_that_has_lost_a_topic_reports_nothing_of_it() {
        AccessKey.Generated narrowed = AccessKey.generate("b", Role.WORKER, Set.of("other"));
        bed.server.setKeys(keys(admin, narrowed));

        Answer answer =
                send(narrowed, "POST", "/v1/workers/" + victim + "/outcomes", Bed.outcome(running, "succeeded", ""));
        Answer progress = send(
                narrowed,
                "POST",
                "/v1/workers/" + victim + "/progress",
                "{\"tasks\": [{\"task\": \"" + runningId() + "\", \"lease\": \""
                        + running.at("/lease").asString() + "\", \"percent\": 1}]}");

        assertThat(answer.at("/results/0/reason")).isEqualTo("leaseLost");
        assertThat(progress.text()).doesNotContain("true");
        assertThat(bed.state(runningId())).isEqualTo("RUNNING");
    }

    @Test
    void no_guess_ends_a_task_of_another_key() {
        String own = send(a, "POST", "/v1/workers", "").at("/id");
        send(admin, "POST", "/v1/tasks", "{\"topic\": \"a\"}");
        String lease = send(a, "POST", "/v1/workers/" + own + "/claim", "{}").at("/tasks/0/lease");
        String[] parts = lease.split("\\.", -1);
        long token = Long.parseUnsignedLong(parts[1], 36);

        StringBuilder guesses = new StringBuilder("{\"outcomes\": [");
        for (long guess = token - 1_500; guess < token + 1_500; guess++) {
            for (String seal : List.of("", "." + parts[2])) {
                guesses.append("{\"task\": \"" + runningId() + "\", \"lease\": \"1." + Long.toUnsignedString(guess, 36)
                        + seal + "\", \"outcome\": \"succeeded\", \"result\": \"forged\"},");
            }
        }
        guesses.setCharAt(guesses.length() - 1, ']');
        for (Answer answer : List.of(
                send(a, "POST", "/v1/workers/" + own + "/outcomes", guesses + "}"),
                send(b, "POST", "/v1/workers/" + victim + "/outcomes", guesses + "}"))) {
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.text()).doesNotContain("\"applied\":true");
        }
        assertThat(bed.state(runningId())).isEqualTo("RUNNING");
    }

    @Test
    void a_foreign_task_is_404_like_one_that_is_not_there() {
        for (String[] call : new String[][] {
            {"GET", ""}, {"DELETE", ""}, {"POST", "/cancel"}, {"POST", "/retry"}, {"POST", "/reschedule"}
        }) {
            AccessKey.Generated limited = AccessKey.generate("limited", Role.ADMIN, Set.of("a"));
            bed.server.setKeys(keys(admin, limited));
            String body = call[1].equals("/reschedule") ? "{\"delay\": \"1s\"}" : "";
            String nobody = "00000000-0000-0000-0000-000000000001";

            Answer foreign = send(limited, call[0], "/v1/tasks/" + runningId() + call[1], body);
            Answer none = send(limited, call[0], "/v1/tasks/" + nobody + call[1], body);

            assertThat(foreign.status()).as(call[0] + call[1]).isEqualTo(404);
            assertThat(foreign.text().replace(runningId(), nobody)).isEqualTo(none.text());
        }
    }

    @Test
    void a_limited_admin_sends_dead_letters_and_redrives_to_its_own_topics_only() {
        assertThat(send(adminOfB, "PUT", "/v1/topics/b", "{\"deadLetter\": \"secret\"}")
                        .status())
                .isEqualTo(403);
        send(admin, "PUT", "/v1/topics/c", "{\"deadLetter\": \"b\"}");
        String id = send(admin, "POST", "/v1/tasks", "{\"topic\": \"c\"}").at("/id");
        String worker = send(admin, "POST", "/v1/workers", "").at("/id");
        JsonNode task = send(admin, "POST", "/v1/workers/" + worker + "/claim", "{\"topics\": [\"c\"]}")
                .json()
                .at("/tasks/0");
        send(admin, "POST", "/v1/workers/" + worker + "/outcomes", Bed.outcome(task, "failed", ""));
        assertThat(bed.state(id)).isEqualTo("FAILED");

        assertThat(send(adminOfB, "POST", "/v1/topics/b/redrive", "")
                        .json()
                        .at("/redriven")
                        .asInt())
                .isZero();
        assertThat(send(admin, "POST", "/v1/topics/b/redrive", "")
                        .json()
                        .at("/redriven")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void a_limited_admin_may_put_back_a_policy_that_it_found() {
        send(admin, "PUT", "/v1/topics/b", "{\"deadLetter\": \"secret\"}");

        assertThat(send(adminOfB, "PUT", "/v1/topics/b", "{\"deadLetter\": \"secret\", \"weight\": 2}")
                        .status())
                .isEqualTo(200);
    }
}
