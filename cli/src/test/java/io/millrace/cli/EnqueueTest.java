package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Millrace;
import io.millrace.OnTimeout;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnqueueTest {
    @TempDir
    private Path directory;

    private final Served served = new Served();
    private final Millrace millrace = served.millrace();

    @AfterEach
    void close() {
        served.close();
    }

    private Task only() {
        List<Task> tasks = millrace.list(TaskQuery.ALL, null, 10).items();
        assertThat(tasks).hasSize(1);
        return tasks.get(0);
    }

    @Test
    void a_task_is_enqueued_with_its_settings() {
        Run run = served.run(
                "enqueue",
                "email",
                "{\"to\": \"a\"}",
                "--priority",
                "3",
                "--delay",
                "1h",
                "--scope",
                "acme",
                "--scope",
                "7",
                "--retries",
                "4",
                "--timeout",
                "5m",
                "--on-timeout",
                "redeliver",
                "--deadline",
                "2h",
                "--entity-id",
                "e",
                "--unique-key",
                "u");

        assertThat(run.err()).isEmpty();
        Task task = millrace.find(UUID.fromString(run.out().strip())).orElseThrow();
        assertThat(task.payload().text()).isEqualTo("{\"to\": \"a\"}");
        assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
        assertThat(task.moments().deadline()).isNotNull();
        assertThat(task.given()).satisfies(given -> {
            assertThat(given.priority()).isEqualTo(3);
            assertThat(given.scope()).containsExactly("acme", "7");
            assertThat(given.retry())
                    .isNotNull()
                    .satisfies(retry -> assertThat(retry.max()).isEqualTo(4));
            assertThat(given.timeout()).isEqualTo(Duration.ofMinutes(5));
            assertThat(given.onTimeout()).isEqualTo(OnTimeout.REDELIVER);
            assertThat(given.entityId()).isEqualTo("e");
            assertThat(given.uniqueKey()).isEqualTo("u");
        });
    }

    @Test
    void an_unknown_choice_names_those_that_there_are() {
        Run run = served.run("enqueue", "email", "--on-timeout", "explode");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("--on-timeout", "explode").containsIgnoringCase("final, retry, redeliver");
        assertThat(run.err().lines()).hasSize(1);
    }

    @Test
    void every_bad_field_of_a_line_is_told_up_to_a_number() {
        String bad = IntStream.range(0, 30)
                .mapToObj(i -> "\"unknown" + i + "\": 1")
                .collect(Collectors.joining(", ", "{\"topic\": \"t\", ", "}\n"));

        Run two = served.runWith(
                "{\"topic\": \"t\"}\n{\"topic\": \"t\", \"delay\": \"soon\", \"dealy\": 1}\n",
                "enqueue",
                "--file",
                "-");
        Run many = served.runWith(bad, "enqueue", "--file", "-");

        assertThat(two.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(two.err().lines())
                .hasSize(2)
                .allMatch(line -> line.startsWith("millrace: line 2: /"))
                .anyMatch(line -> line.contains("/delay: "))
                .anyMatch(line -> line.contains("/dealy: "));
        assertThat(two.err()).containsOnlyOnce("accepted 1, and nothing from that line on");
        assertThat(many.err().lines()).hasSize(21).last().isEqualTo("millrace: line 1: 10 more");
    }

    @Test
    void what_is_no_json_is_not_enqueued() {
        for (String payload : List.of("hello", "1, \"priority\": 5", "{", "")) {
            Run run = served.run("enqueue", "email", payload);

            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).contains("PAYLOAD", "one JSON value");
        }
        assertThat(millrace.count(TaskQuery.ALL)).isEmpty();
    }

    @Test
    void any_text_and_any_bytes_can_be_a_payload() throws IOException {
        assertThat(served.run("enqueue", "a", "--text", "say \"hello\"").exitCode())
                .isZero();
        assertThat(only().payload().text()).isEqualTo("\"say \\\"hello\\\"\"");
        assertThat(millrace.deleteAll(TaskQuery.ALL.topic("a"))).isEqualTo(1);
        byte[] bytes = {0, (byte) 0xff, '\n', 7};
        Path file = Files.write(directory.resolve("bytes"), bytes);

        assertThat(served.run("enqueue", "b", "--bytes", file.toString()).err()).isEmpty();

        assertThat(only().payload().isJson()).isFalse();
        assertThat(only().payload().toBytes()).isEqualTo(bytes);
        assertThat(served.run("enqueue", "b", "1", "--text", "t").exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void a_duplicate_is_told() {
        String id = new UUID(7, 7).toString();

        assertThat(served.run("enqueue", "email", "--id", id).err()).isEmpty();

        Run again = served.run("enqueue", "email", "--id", id);
        assertThat(again).isEqualTo(new Run(0, id + "\n", "It is a duplicate: that task was there already.\n"));
        assertThat(served.run("enqueue", "email", "--id", id, "--json").out()).contains("\"duplicate\":true");
    }

    @Test
    void a_file_or_standard_input_is_enqueued_as_a_whole() throws IOException {
        String lines = "{\"topic\": \"n\", \"payload\": 1}\r\n\n".repeat(2_500);
        Path file = Files.writeString(directory.resolve("tasks.ndjson"), lines);

        assertThat(served.run("enqueue", "--file", file.toString()).out())
                .isEqualTo("2500 accepted, 0 of them duplicates\n");
        assertThat(served.runWith(lines, "enqueue", "--file", "-", "--json").out())
                .isEqualTo("{\"accepted\":2500,\"duplicates\":0}\n");
        assertThat(served.run("tasks", "count", "--json").out())
                .isEqualTo("{\"groups\":[{\"topic\":\"n\",\"state\":\"READY\",\"count\":5000}]}\n");
        assertThat(served.run("enqueue", "--file", "none.ndjson").exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void a_bad_line_is_named_with_how_many_were_accepted() {
        String good = "{\"topic\": \"n\"}\n";
        Run run = served.runWith(
                good.repeat(1_500) + "{\"topic\": \"n\", \"dealy\": 1}\n" + good, "enqueue", "--file", "-");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(run.err()).contains("line 1501", "dealy", "accepted 1500");
        assertThat(run.err().lines()).hasSize(1);
        assertThat(served.run("tasks", "count").out()).containsPattern("n +READY +1500");
    }

    @Test
    void a_line_that_the_server_refuses_is_named_too() {
        String good = "{\"topic\": \"n\"}\n";
        String large = "{\"topic\": \"n\", \"payload\": \"" + "x".repeat(1 << 20) + "\"}\n";

        Run run = served.runWith(good.repeat(6) + large + good.repeat(3), "enqueue", "--file", "-");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(run.err()).contains("line 7: ", "payload", "accepted 6");
        assertThat(served.run("tasks", "count").out()).containsPattern("n +READY +6");
    }

    @Test
    void bytes_that_are_no_text_are_refused_and_not_replaced() throws IOException {
        byte[] line = "{\"topic\": \"n\", \"payload\": \"x\"}\n".getBytes(StandardCharsets.UTF_8);
        line[line.length - 4] = (byte) 0xff;
        Path file = Files.write(directory.resolve("odd"), line);

        Run run = served.run("enqueue", "--file", file.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(run.err()).contains("line 1", "UTF-8");
        assertThat(millrace.count(TaskQuery.ALL)).isEmpty();
    }

    @Test
    void what_is_said_of_one_task_cannot_be_said_of_a_file() {
        Run run = served.runWith("{\"topic\": \"n\"}\n", "enqueue", "--file", "-", "--delay", "1h");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("--delay");
        assertThat(millrace.count(TaskQuery.ALL)).isEmpty();
        assertThat(served.run("enqueue").exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void progress_is_shown_to_those_who_watch() throws IOException {
        Path file = Files.writeString(directory.resolve("tasks.ndjson"), "{\"topic\": \"n\"}\n".repeat(10));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Shell shell = new Shell(
                Map.of("MILLRACE_URL", served.url()),
                new ByteArrayInputStream(new byte[0]),
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                false,
                true,
                StopSignals.deaf());

        assertThat(Main.commandLine(shell).execute("enqueue", "--file", file.toString()))
                .isZero();

        assertThat(err.toString()).contains("100 %", "10 tasks");
        assertThat(out.toString()).isEqualTo("10 accepted, 0 of them duplicates\n");
    }
}
