package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Millrace;
import io.millrace.NewTask;
import io.millrace.Origin;
import io.millrace.Payload;
import io.millrace.Retry;
import io.millrace.StopException;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.server.AccessKey;
import io.millrace.server.Role;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that look at a real server and manage it. */
class ServedTest {
    @TempDir
    private Path directory;

    private final Served served = new Served();
    private final Millrace millrace = served.millrace();

    @AfterEach
    void close() {
        served.close();
    }

    private UUID enqueued(String topic) {
        return millrace.enqueue(NewTask.builder(topic).build()).id();
    }

    @Test
    void show_tells_how_many_attempts_are_not_kept() throws Exception {
        String id = millrace.enqueue(NewTask.builder("often")
                        .retry(Retry.constant(Duration.ZERO).max(Task.ATTEMPTS_KEPT + 1))
                        .build())
                .id()
                .toString();
        millrace.handle("often", (payload, context) -> {
            throw new IllegalStateException("it broke");
        });
        millrace.drain();

        assertThat(served.run("tasks", "show", id).out()).contains("Earlier attempts that are not kept: 2");
        assertThat(served.run("tasks", "show", id, "--json").out()).contains("\"attemptsDropped\":2");
    }

    @Test
    void tasks_are_listed_shown_cancelled_retried_and_deleted() {
        String id = enqueued("email").toString();

        assertThat(served.run("tasks", "list", "--state", "ready").out()).contains(id, "email", "READY");
        assertThat(served.run("tasks", "list", "--topic", "other").out()).doesNotContain(id);
        assertThat(served.run("tasks", "list", "--json").out()).startsWith("{\"id\":\"" + id);
        assertThat(served.run("tasks", "show", id).out())
                .containsPattern("why +\\w+")
                .containsPattern("state +READY");
        assertThat(served.run("tasks", "show", id, "--json").out()).contains("\"why\":", "\"retriesLeft\":0");
        assertThat(served.run("tasks", "cancel", id).out()).isEqualTo("1 cancelled\n");
        assertThat(served.run("tasks", "retry", "--state", "CANCELLED", "--json")
                        .out())
                .isEqualTo("{\"retried\":1}\n");
        assertThat(served.run("tasks", "delete", id).exitCode()).isZero();
        Run gone = served.run("tasks", "show", id);
        assertThat(gone.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(gone.err()).startsWith("millrace: there is no task " + id);
        assertThat(gone.err().lines()).hasSize(1);
    }

    @Test
    void a_task_that_cannot_be_changed_does_not_keep_others_from_it() {
        String there = enqueued("email").toString();
        String missing = new UUID(1, 1).toString();

        Run run = served.run("tasks", "cancel", missing, there);

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(run.out()).isEqualTo("1 cancelled\n");
        assertThat(run.err()).contains("there is no task " + missing);
        assertThat(served.run("tasks", "cancel", there))
                .matches(again -> again.exitCode() == ExitCode.FAILED
                        && again.err().contains("cancelled")
                        && again.out().equals("0 cancelled\n"));
    }

    @Test
    void what_is_no_id_is_told_without_a_word_of_java() {
        Run run = served.run("tasks", "show", "nonsense");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("'nonsense' is no id").doesNotContain("java.");
    }

    @Test
    void long_lists_come_page_by_page_up_to_the_limit() {
        var unused = millrace.enqueue(IntStream.range(0, 1_200)
                .mapToObj(i -> NewTask.builder("n")
                        .payload(Payload.json("{\n\"i\": " + i + "}"))
                        .build())
                .toList());

        assertThat(served.run("tasks", "list", "--json").out().lines())
                .hasSize(1_200)
                .allMatch(line -> line.startsWith("{\"id\"") && line.endsWith("}"));
        assertThat(served.run("tasks", "list").out().lines()).hasSize(1_201);
        assertThat(served.run("tasks", "list", "--limit", "700").out().lines()).hasSize(701);
        assertThat(served.run("tasks", "list", "--limit", "0").exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(served.run("tasks", "count").out()).containsPattern("n +READY +1200");
    }

    @Test
    void nothing_is_deleted_without_ids_or_filters() {
        var unused = enqueued("email");

        assertThat(served.run("tasks", "delete").exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(millrace.count(TaskQuery.ALL)).hasSize(1);
    }

    @Test
    void a_bad_filter_names_what_is_allowed() {
        Run run = served.run("tasks", "list", "--state", "redy");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("state", "redy", "READY", "pending", "failed in lower case");
        assertThat(run.err().lines()).hasSize(1);
    }

    @Test
    void every_bad_filter_is_a_line() {
        Run run = served.run("tasks", "list", "--state", "redy", "--worker", "me", "--created-after", "noon");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err().lines())
                .hasSize(3)
                .allMatch(line -> line.startsWith("millrace: "))
                .anyMatch(line -> line.contains("redy"))
                .anyMatch(line -> line.contains("me"))
                .anyMatch(line -> line.contains("noon"));
    }

    @Test
    void every_bad_field_of_a_policy_is_a_line() {
        Run run = served.run(
                "topics", "set", "email", "{\"weight\": 0, \"timeout\": \"soon\", \"retry\": {\"max\": -1}}");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err().lines())
                .hasSize(3)
                .allMatch(line -> line.startsWith("millrace: POLICY: /"))
                .anyMatch(line -> line.contains("/weight: "))
                .anyMatch(line -> line.contains("/timeout: "))
                .anyMatch(line -> line.contains("/retry/max: "));
    }

    @Test
    void what_the_server_names_is_a_line_each() throws Exception {
        String problem = """
                {"type": "urn:millrace:problem:bad-input", "title": "t", "status": 400, "detail": "d",
                 "errors": [{"pointer": "/0/delay", "detail": "delay: x is not allowed"},
                            {"pointer": "/0/priority", "detail": "priority: y is not allowed"}], "more": 7}
                """;
        try (FakeServer server = new FakeServer(400, problem)) {
            Run run = Run.with(Map.of("MILLRACE_URL", server.url()), "", "topics", "pause", "t");

            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err().lines())
                    .containsExactly(
                            "millrace: delay: x is not allowed",
                            "millrace: /0/priority: y is not allowed",
                            "millrace: 7 more");
        }
    }

    @Test
    void failed_in_lower_case_is_every_end_but_success() throws Exception {
        String cancelled = enqueued("t").toString();
        assertThat(served.run("tasks", "cancel", cancelled).exitCode()).isZero();
        millrace.handle("t", (payload, context) -> {
            throw new StopException("no");
        });
        String failed =
                millrace.finished(enqueued("t")).get(30, TimeUnit.SECONDS).id().toString();

        assertThat(served.run("tasks", "list", "--state", "failed").out()).contains(cancelled, failed);
        assertThat(served.run("tasks", "list", "--state", "FAILED").out())
                .contains(failed)
                .doesNotContain(cancelled);
        assertThat(served.run("tasks", "list", "--state", "Cancelled,PENDING").out())
                .contains(cancelled)
                .doesNotContain(failed);
        assertThat(served.run("tasks", "count", "--state", "failed").out())
                .containsPattern("t +CANCELLED +1")
                .containsPattern("t +FAILED +1");
        assertThat(served.run("tasks", "delete", "--state", "failed").out()).isEqualTo("2 deleted\n");
    }

    @Test
    void topics_are_listed_set_paused_and_resumed() {
        var unused = enqueued("email");

        assertThat(served.run("topics", "set", "email", "{\"concurrency\": 2}").err())
                .isEmpty();
        assertThat(served.run("topics", "show", "email", "--json").out())
                .contains("\"concurrency\":2", "\"READY\":1", "\"rates\":");
        assertThat(served.run("topics", "show", "email").out()).containsPattern("READY +1");
        assertThat(served.run("topics", "pause", "email").out()).containsPattern("paused +yes");
        assertThat(served.run("topics", "list").out()).containsPattern("email +yes");
        assertThat(served.run("topics", "resume", "email").out()).containsPattern("paused +no");
        assertThat(served.run("topics", "redrive", "email", "--json").out()).isEqualTo("{\"redriven\":0}\n");
        assertThat(served.run("topics", "list", "--json").out()).startsWith("{\"topic\":\"email\"");
        Run bad = served.run("topics", "set", "email", "{\"concurency\": 2}");
        assertThat(bad.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(bad.err()).contains("concurency", "concurrency");
    }

    @Test
    void workers_are_listed_and_stopped() throws Exception {
        String answer = Http.post(served.url() + "/v1/workers", "{\"name\": \"mill\", \"topics\": [\"email\"]}");
        String id = answer.replaceAll(".*\"id\":\"([^\"]*)\".*", "$1");

        assertThat(served.run("workers", "list").out()).contains(id, "mill", "ACTIVE", "email");
        assertThat(served.run("workers", "stop", id).out()).isEqualTo("1 stopping\n");
        assertThat(served.run("workers", "list", "--json").out())
                .startsWith("{\"id\":\"" + id)
                .contains("\"stopping\"");
        assertThat(served.run("workers", "stop", new UUID(1, 1).toString()).exitCode())
                .isEqualTo(ExitCode.FAILED);
    }

    @Test
    void control_characters_of_tasks_do_not_reach_the_terminal() {
        var unused = millrace.enqueue(NewTask.builder("email")
                .payload(Payload.json("\"a\""))
                .entityId("\u001b[2Jgone")
                .build());
        String id = millrace.list(TaskQuery.ALL, null, 1).items().get(0).id().toString();

        assertThat(served.run("tasks", "show", id).out()).contains("gone").doesNotContain("\u001b");
    }

    @Test
    void a_server_that_is_not_there_is_exit_code_3() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }

        Run run = Run.of("tasks", "count", "--url", "http://127.0.0.1:" + free);

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(run.err()).startsWith("millrace: ");
        assertThat(run.err().lines()).hasSize(1);
    }

    @Test
    void only_servers_are_talked_to() {
        for (String url : List.of("heap:", "embedded:" + directory.resolve("data"), "127.0.0.1:7070")) {
            Run run = Run.of("tasks", "count", "--url", url);

            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).contains("--url", "http://");
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void the_key_comes_from_the_environment_or_a_file_and_is_never_shown() throws IOException {
        AccessKey.Generated key = AccessKey.generate("me", Role.ADMIN, Set.of());
        AccessKey.Generated wrong = AccessKey.generate("other", Role.ADMIN, Set.of());
        Path file = Files.writeString(directory.resolve("key"), key.secret() + "\n");
        try (Served locked = new Served(List.of(key.key()))) {
            assertThat(locked.run("tasks", "count", "--key-file", file.toString())
                            .exitCode())
                    .isZero();
            Map<String, String> environment = Map.of("MILLRACE_URL", locked.url(), "MILLRACE_KEY", key.secret());
            assertThat(Run.with(environment, "", "topics", "list").exitCode()).isZero();
            Run denied = Run.with(
                    Map.of("MILLRACE_URL", locked.url(), "MILLRACE_KEY", wrong.secret()), "", "topics", "list");
            assertThat(denied.exitCode()).isEqualTo(ExitCode.FAILED);
            assertThat(denied.err()).doesNotContain(wrong.secret());
            assertThat(denied.err().lines()).hasSize(1);
        }
        assertThat(served.run("tasks", "count", "--key-file", "none").exitCode())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void a_key_error_says_where_a_key_is_given() {
        AccessKey.Generated viewer = AccessKey.generate("me", Role.VIEWER, Set.of());
        try (Served locked = new Served(List.of(viewer.key()))) {
            Run none = locked.run("topics", "list");
            Run wrong = Run.with(Map.of("MILLRACE_URL", locked.url(), "MILLRACE_KEY", "wrong"), "", "tasks", "count");
            Run weak = Run.with(
                    Map.of("MILLRACE_URL", locked.url(), "MILLRACE_KEY", viewer.secret()), "", "topics", "pause", "t");

            assertThat(List.of(none, wrong, weak)).allSatisfy(run -> {
                assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
                assertThat(run.err()).contains("MILLRACE_KEY", "--key-file");
                assertThat(run.err().lines()).hasSize(1);
            });
            assertThat(weak.err()).contains("the key \"me\" has the role viewer");
        }
    }

    @Test
    void https_to_a_server_without_tls_says_so() {
        Run run = served.run("topics", "list", "--url", served.url().replace("http:", "https:"));

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(run.err()).contains("without TLS", "use " + served.url());
        assertThat(run.err().lines()).hasSize(1);
    }

    @Test
    void a_topic_that_is_not_there_is_paused_with_a_warning_and_a_suggestion() {
        var unused = enqueued("email");
        unused = enqueued("emil");
        unused = enqueued("report");

        Run run = served.run("topics", "pause", "emial");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).containsPattern("topic +emial").containsPattern("paused +yes");
        assertThat(run.err())
                .startsWith("millrace: topic emial has neither tasks nor a policy")
                .contains("did you mean emil or email?");
        assertThat(run.err().lines()).hasSize(1);
        assertThat(served.run("topics", "resume", "nothing-like-it").err())
                .contains("has neither tasks nor a policy")
                .doesNotContain("did you mean");
        assertThat(served.run("topics", "pause", "email").err()).isEmpty();
        assertThat(served.run("topics", "resume", "emial").err()).isEmpty();
    }

    @Test
    void a_topics_policy_is_deleted_and_its_tasks_stay() {
        var unused = enqueued("email");
        assertThat(served.run("topics", "set", "email", "{\"concurrency\": 2}").exitCode())
                .isZero();

        Run run = served.run("topics", "delete", "email");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).containsPattern("READY +1").doesNotContain("concurrency");
        assertThat(millrace.topics().get("email").policy()).isEqualTo(TopicPolicy.DEFAULT);
    }

    @Test
    void tasks_are_rescheduled() {
        UUID first = enqueued("email");
        UUID second = enqueued("email");
        String missing = new UUID(1, 1).toString();

        assertThat(served.run(
                                "tasks",
                                "reschedule",
                                first.toString(),
                                second.toString(),
                                "--run-at",
                                "2040-01-02T03:04:05Z")
                        .out())
                .isEqualTo("2 rescheduled\n");
        assertThat(millrace.find(first).orElseThrow().moments().due()).isEqualTo("2040-01-02T03:04:05Z");
        Run run = served.run("tasks", "reschedule", missing, second.toString(), "--delay", "0s", "--json");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(run.out()).isEqualTo("{\"rescheduled\":1}\n");
        assertThat(run.err()).contains("there is no task " + missing);
        assertThat(millrace.find(second).orElseThrow().moments().due()).isBefore(Instant.now());
        assertThat(served.run("tasks", "reschedule", first.toString())).satisfies(neither -> {
            assertThat(neither.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(neither.err()).contains("--delay", "--run-at");
        });
        assertThat(served.run(
                                "tasks",
                                "reschedule",
                                first.toString(),
                                "--delay",
                                "1s",
                                "--run-at",
                                "2040-01-02T03:04:05Z")
                        .exitCode())
                .isEqualTo(ExitCode.USAGE);
        assertThat(served.run("tasks", "reschedule", "--delay", "1s").exitCode())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void a_dead_letter_tells_where_it_comes_from_and_what_to_do() {
        UUID original = UUID.randomUUID();
        String letter = millrace.enqueue(NewTask.builder("email-dead")
                        .origin(new Origin("email", original, "smtp is down\nat line 1", null))
                        .build())
                .id()
                .toString();

        assertThat(served.run("tasks", "list").out()).containsPattern(letter + ".*email +smtp is down");
        assertThat(served.run("tasks", "show", letter).out())
                .containsPattern("origin +email/" + original)
                .containsPattern("error +smtp is down at line 1")
                .containsPattern("why +.*dead letter.*Redrive topic email-dead");
    }

    @Test
    void a_task_whose_letter_was_redriven_says_so() throws Exception {
        millrace.topics()
                .setPolicy("mail", TopicPolicy.builder().deadLetter("mail-dead").build());
        UUID id = millrace.enqueue(NewTask.builder("mail").build()).id();
        millrace.handle("mail", (payload, context) -> {
            throw new StopException("smtp is down");
        });
        assertThat(millrace.finished(id).get(20, TimeUnit.SECONDS).state()).isEqualTo(TaskState.FAILED);
        millrace.topics().pause("mail");
        assertThat(served.run("topics", "redrive", "mail-dead").exitCode()).isZero();

        assertThat(served.run("tasks", "show", id.toString()).out())
                .containsPattern("redriven +its dead letter runs instead");
    }

    /** Makes tasks of a topic run, at a worker that never says anything again. */
    private void claimed(String topic, int count) throws Exception {
        String worker = Http.post(served.url() + "/v1/workers", "{}").replaceAll(".*\"id\":\"([^\"]*)\".*", "$1");
        assertThat(Http.post(
                        served.url() + "/v1/workers/" + worker + "/claim",
                        "{\"topics\": [\"" + topic + "\"], \"max\": " + count + "}"))
                .contains("\"lease\"");
    }

    @Test
    void a_running_task_is_asked_to_stop_and_others_are_cancelled() throws Exception {
        String first = enqueued("slow").toString();
        String second = enqueued("slow").toString();
        String ready = enqueued("email").toString();
        claimed("slow", 2);

        assertThat(served.run("tasks", "cancel", first).out()).isEqualTo("1 asked to stop\n");
        assertThat(served.run("tasks", "cancel", second, ready).out()).isEqualTo("1 cancelled, 1 asked to stop\n");
    }

    @Test
    void running_tasks_that_filters_match_are_asked_to_stop() throws Exception {
        var unused = enqueued("slow");
        unused = enqueued("email");
        claimed("slow", 1);

        assertThat(served.run("tasks", "cancel", "--state", "pending", "--json").out())
                .isEqualTo("{\"cancelled\":1,\"askedToStop\":1}\n");
        assertThat(served.run("tasks", "cancel", "--topic", "email").out()).isEqualTo("0 cancelled\n");
        assertThat(served.run("tasks", "cancel", "--state", "succeeded").out()).isEqualTo("0 cancelled\n");
    }
}
