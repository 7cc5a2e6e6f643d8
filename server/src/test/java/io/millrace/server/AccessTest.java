package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.InvalidValueException;
import io.millrace.Millrace;
import io.millrace.server.Bed.Answer;
import java.net.http.HttpRequest;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may do what. */
class AccessTest {
    private final Map<Role, AccessKey.Generated> keys = new EnumMap<>(Role.class);
    private final AccessKey.Generated limitedProducer = AccessKey.generate("lp", Role.PRODUCER, Set.of("a", "b"));
    private final AccessKey.Generated limitedWorker = AccessKey.generate("lw", Role.WORKER, Set.of("a", "b"));
    private final AccessKey.Generated limitedViewer = AccessKey.generate("lv", Role.VIEWER, Set.of("a"));
    private final AccessKey.Generated limitedAdmin = AccessKey.generate("la", Role.ADMIN, Set.of("a"));
    private final Bed bed;

    AccessTest() {
        for (Role role : Role.values()) {
            keys.put(role, AccessKey.generate(role.name(), role, Set.of()));
        }
        List<AccessKey> all = Stream.concat(
                        keys.values().stream(), Stream.of(limitedProducer, limitedWorker, limitedViewer, limitedAdmin))
                .map(AccessKey.Generated::key)
                .toList();
        bed = new Bed(options -> options.keys(all));
    }

    @AfterEach
    void close() {
        bed.close();
    }

    private Answer send(AccessKey.Generated key, String method, String path, String body) {
        return bed.send(bed.request(path)
                .header("Authorization", "Bearer " + key.secret())
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Bearer",
                "Bearer ",
                "Bearer wrong",
                "Basic abc",
                "bearer mr_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            })
    void without_a_good_key_it_is_401(String authorization) {
        HttpRequest.Builder request = bed.request("/v1/tasks");
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        Answer answer = bed.send(request.build());

        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.response().headers().firstValue("WWW-Authenticate")).contains("Bearer");
        assertThat(answer.at("/type")).isEqualTo("urn:millrace:problem:no-access");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST   | /v1/tasks                 | PRODUCER",
                "GET    | /v1/tasks                 | VIEWER",
                "GET    | /v1/tasks/summary         | VIEWER",
                "GET    | /v1/tasks/count           | VIEWER",
                "GET    | /v1/tasks/ID              | VIEWER PRODUCER WORKER",
                "DELETE | /v1/tasks?topic=a         |",
                "DELETE | /v1/tasks/ID              |",
                "POST   | /v1/tasks/ID/cancel       |",
                "POST   | /v1/tasks/ID/retry        |",
                "POST   | /v1/tasks/ID/reschedule   |",
                "POST   | /v1/workers               | WORKER",
                "POST   | /v1/workers/ID/ping       | WORKER",
                "POST   | /v1/workers/ID/claim      | WORKER",
                "POST   | /v1/workers/ID/outcomes   | WORKER",
                "POST   | /v1/workers/ID/progress   | WORKER",
                "DELETE | /v1/workers/ID            | WORKER",
                "GET    | /v1/workers               | VIEWER",
                "POST   | /v1/workers/ID/stop       |",
                "GET    | /v1/topics                | VIEWER",
                "GET    | /v1/topics/a              | VIEWER",
                "PUT    | /v1/topics/a              |",
                "DELETE | /v1/topics/a              |",
                "POST   | /v1/topics/a/pause        |",
                "POST   | /v1/topics/a/resume       |",
                "POST   | /v1/topics/a/redrive      |",
            })
    void every_role_opens_what_it_should_and_403_the_rest(String method, String path, String roles) {
        String asked = path.replace("ID", UUID.randomUUID().toString());
        for (Role role : Role.values()) {
            int status = send(keys.get(role), method, asked, "").status();
            boolean open = role == Role.ADMIN || (roles != null && roles.contains(role.name()));
            if (open) {
                assertThat(status).as(role + " " + method + " " + path).isNotIn(401, 403);
            } else {
                assertThat(status).as(role + " " + method + " " + path).isEqualTo(403);
            }
        }
    }

    @Test
    void a_limited_producer_enqueues_into_its_topics_only() {
        assertThat(send(limitedProducer, "POST", "/v1/tasks", "{\"topic\": \"a\"}")
                        .status())
                .isEqualTo(201);
        assertThat(send(limitedProducer, "POST", "/v1/tasks", "{\"topic\": \"c\"}")
                        .status())
                .isEqualTo(403);
        assertThat(send(limitedProducer, "POST", "/v1/tasks", "[{\"topic\": \"a\"}, {\"topic\": \"c\"}]")
                        .status())
                .isEqualTo(403);
        Answer lines = bed.send(bed.request("/v1/tasks")
                .header("Authorization", "Bearer " + limitedProducer.secret())
                .header("Content-Type", "application/x-ndjson")
                .POST(HttpRequest.BodyPublishers.ofString("{\"topic\":\"a\"}\n{\"topic\":\"c\"}\n"))
                .build());
        assertThat(lines.status()).isEqualTo(403);
        assertThat(lines.json().at("/accepted").asInt()).isEqualTo(1);
    }

    @Test
    void a_limited_worker_gets_tasks_of_its_topics_only() {
        for (String topic : List.of("c", "a", "b")) {
            send(keys.get(Role.ADMIN), "POST", "/v1/tasks", "{\"topic\": \"" + topic + "\"}");
        }
        assertThat(send(limitedWorker, "POST", "/v1/workers", "{\"topics\": [\"c\"]}")
                        .status())
                .isEqualTo(403);
        String own = send(limitedWorker, "POST", "/v1/workers", "").at("/id");
        String others = send(keys.get(Role.WORKER), "POST", "/v1/workers", "{\"topics\": [\"b\", \"c\"]}")
                .at("/id");

        assertThat(send(limitedWorker, "POST", "/v1/workers/" + own + "/claim", "{\"topics\": [\"c\"]}")
                        .status())
                .isEqualTo(403);
        assertThat(send(limitedWorker, "POST", "/v1/workers/" + others + "/claim", "{\"max\": 9}")
                        .status())
                .isEqualTo(404);
        assertThat(send(limitedWorker, "POST", "/v1/workers/" + own + "/claim", "{\"max\": 9}")
                        .json()
                        .at("/tasks"))
                .extracting(task -> task.at("/topic").asString())
                .containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void outcomes_with_a_claim_keep_to_the_topics_of_the_key() {
        send(keys.get(Role.ADMIN), "POST", "/v1/tasks", "{\"topic\": \"c\"}");
        String own = send(limitedWorker, "POST", "/v1/workers", "").at("/id");

        Answer answer = send(limitedWorker, "POST", "/v1/workers/" + own + "/outcomes?claim=5", "{\"outcomes\": []}");

        assertThat(answer.json().at("/tasks").isEmpty()).isTrue();
    }

    @Test
    void a_limited_viewer_sees_its_topics_only() {
        String a = send(keys.get(Role.ADMIN), "POST", "/v1/tasks", "{\"topic\": \"a\"}")
                .at("/id");
        String c = send(keys.get(Role.ADMIN), "POST", "/v1/tasks", "{\"topic\": \"c\"}")
                .at("/id");

        assertThat(send(limitedViewer, "GET", "/v1/tasks", "").status()).isEqualTo(403);
        assertThat(send(limitedViewer, "GET", "/v1/tasks?topic=a", "").json().size())
                .isEqualTo(1);
        assertThat(send(limitedViewer, "GET", "/v1/tasks?topic=c", "").status()).isEqualTo(403);
        assertThat(send(limitedViewer, "GET", "/v1/tasks/count", "").status()).isEqualTo(403);
        assertThat(send(limitedViewer, "GET", "/v1/tasks/" + a, "").status()).isEqualTo(200);
        assertThat(send(limitedViewer, "GET", "/v1/tasks/" + c, "").status()).isEqualTo(404);
        assertThat(send(limitedViewer, "GET", "/v1/topics/c", "").status()).isEqualTo(403);
        assertThat(send(limitedViewer, "GET", "/v1/topics", "")
                        .json()
                        .at("/topics")
                        .size())
                .isEqualTo(1);
        assertThat(send(limitedAdmin, "DELETE", "/v1/tasks/" + c, "").status()).isEqualTo(404);
        assertThat(send(limitedAdmin, "DELETE", "/v1/tasks/" + a, "").status()).isEqualTo(204);
    }

    @Test
    void beyond_loopback_it_listens_only_with_keys() {
        try (Millrace millrace = Millrace.open("heap:")) {
            ServerOptions open = ServerOptions.builder().host("0.0.0.0").port(0).build();
            assertThatThrownBy(() -> MillraceServer.start(millrace, open))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("access keys");
            ServerOptions closed = ServerOptions.builder()
                    .host("0.0.0.0")
                    .port(0)
                    .keys(List.of(limitedAdmin.key()))
                    .build();
            try (MillraceServer server = MillraceServer.start(millrace, closed)) {
                assertThat(server.port()).isPositive();
            }
            for (String host : List.of("localhost", "::1", "127.0.0.2")) {
                ServerOptions.builder().host(host).build().checkAccess();
            }
        }
    }

    @Test
    void keys_are_kept_hashed_a_line_each() {
        AccessKey key = limitedProducer.key();
        String file =
                "# keys\n\n" + key.toLine() + "\n" + keys.get(Role.ADMIN).key().toLine();

        assertThat(AccessKey.parse(file))
                .containsExactly(key, keys.get(Role.ADMIN).key());
        assertThat(file).doesNotContain(limitedProducer.secret());
        assertThat(limitedProducer.secret()).hasSizeGreaterThan(40);
        for (String bad : List.of("x", "x admin 00", "x boss " + key.sha256(), "x admin " + key.sha256() + " a b")) {
            assertThatThrownBy(() -> AccessKey.parse(bad)).isInstanceOf(InvalidValueException.class);
        }
    }

    @Test
    void a_secret_that_stands_in_the_file_by_mistake_is_not_repeated() {
        String secret = limitedProducer.secret();
        String hash = limitedProducer.key().sha256();

        for (String line : List.of(
                secret,
                "x admin " + secret,
                "x " + secret + " " + hash,
                "x admin " + hash + " " + secret.replace('_', '!'),
                secret.repeat(9) + " admin " + hash)) {
            assertThatThrownBy(() -> AccessKey.parse("# keys\n" + line))
                    .isInstanceOf(InvalidValueException.class)
                    .message()
                    .contains("line 2")
                    .doesNotContain(secret.substring(3, 20));
        }
    }

    @Test
    void no_keys_at_all_are_refused_while_it_runs() {
        assertThatThrownBy(() -> bed.server.setKeys(List.of())).isInstanceOf(InvalidValueException.class);
        assertThat(bed.get("/v1/tasks").status()).isEqualTo(401);
    }

    @Test
    void answers_are_not_cached_and_not_guessed_at() {
        for (Answer answer : List.of(
                bed.get("/v1/tasks"),
                bed.get("/health/live"),
                bed.get("/"),
                send(keys.get(Role.ADMIN), "GET", "/v1/tasks", ""))) {
            assertThat(answer.response().headers().firstValue("X-Content-Type-Options"))
                    .contains("nosniff");
            assertThat(answer.response().headers().firstValue("Cache-Control")).contains("no-store");
        }
    }
}
