package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The workers in other languages, while the server under them is killed, forgets them or tells them to stop. */
class ForeignWorkersIT {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    /** A worker of the examples, with a handler that says that it has begun and goes on when it may. */
    private record Language(String interpreter, String program, String line, String slow) {
        @Override
        public String toString() {
            return interpreter;
        }
    }

    static Stream<Language> languages() {
        return Stream.of(
                new Language("python3", "worker.py", "    return {\"upper\": str(payload).upper()}", """
                            if payload["slow"]:
                                open("begun", "a").write("x")
                                while not os.path.exists("go") and not cancelled.is_set():
                                    time.sleep(0.01)
                            return "done"
                        """),
                new Language("node", "worker.mjs", "  return { upper: String(payload).toUpperCase() };", """
                          const fs = await import("node:fs");
                          if (payload.slow) {
                            fs.appendFileSync("begun", "x");
                            while (!fs.existsSync("go") && !cancelled.aborted) await sleep(10);
                          }
                          return "done";
                        """));
    }

    private Process start(Language language, String url) throws Exception {
        assumeTrue(ForeignWorkersTest.isThere(language.interpreter()), language + " is not installed here");
        String program = Files.readString(Path.of("../examples/workers", language.program()));
        assertThat(program).contains(language.line());
        Path slow = directory.resolve(language.program());
        Files.writeString(slow, program.replace(language.line(), language.slow()));
        return new ProcessBuilder(language.interpreter(), slow.toString(), url, "t")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("worker.log").toFile())
                .start();
    }

    private JarProcess serve(String port) throws IOException {
        String store = "embedded:" + directory.resolve("data");
        return JarProcess.start("serve", "--port", port, "--store", store, "--worker-expiry", "3s");
    }

    private static String enqueue(String url, boolean slow) throws Exception {
        String answer = Http.post(url + "/v1/tasks", "{\"topic\": \"t\", \"payload\": {\"slow\": " + slow + "}}");
        return answer.replaceAll(".*\"id\":\"([^\"]*)\".*", "$1");
    }

    private static String finished(String url, String id) throws Exception {
        String task = Http.get(url + "/v1/tasks/" + id + "?wait=20s");
        assertThat(task).contains("\"finishedAt\"");
        return task;
    }

    private void awaitBegun(int times) {
        Path begun = directory.resolve("begun");
        await().atMost(LONG).until(() -> Files.exists(begun) && Files.size(begun) >= times);
    }

    private void go() throws IOException {
        Files.createFile(directory.resolve("go"));
    }

    private static void signal(String name, Process process) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    private void assertLeft(Process worker, String url) throws Exception {
        assertThat(worker.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(worker.exitValue())
                .as(Files.readString(directory.resolve("worker.log")))
                .isZero();
        assertThat(Http.get(url + "/v1/workers")).doesNotContain("\"active\"", "\"stopping\"");
    }

    @ParameterizedTest
    @MethodSource("languages")
    void a_killed_server_is_waited_for_and_the_outcome_arrives(Language language) throws Exception {
        JarProcess server = serve("0");
        String url = server.address();
        Process worker = start(language, url);
        try {
            String running = enqueue(url, true);
            awaitBegun(1);

            server.close(); // SIGKILL
            assertThat(server.exitCode()).isEqualTo(128 + 9);
            go();
            await().atMost(LONG)
                    .until(() ->
                            Files.readString(directory.resolve("worker.log")).contains("trying again"));
            server = serve(url.substring(url.lastIndexOf(':') + 1));

            assertThat(server.address()).isEqualTo(url);
            assertThat(finished(url, running)).contains("\"SUCCEEDED\"");
            assertThat(finished(url, enqueue(url, false))).contains("\"SUCCEEDED\"");
            signal("TERM", worker);
            assertLeft(worker, url);
        } finally {
            worker.destroyForcibly();
            server.close();
        }
    }

    @ParameterizedTest
    @MethodSource("languages")
    void a_worker_that_was_taken_for_dead_registers_again(Language language) throws Exception {
        try (JarProcess server = serve("0")) {
            String url = server.address();
            Process worker = start(language, url);
            try {
                assertThat(finished(url, enqueue(url, false))).contains("\"SUCCEEDED\"");
                signal("STOP", worker);
                await().atMost(LONG).until(() -> !Http.get(url + "/v1/workers").contains("\"active\""));
                signal("CONT", worker);
                assertThat(finished(url, enqueue(url, false))).contains("\"SUCCEEDED\"");

                // and once more, with a task in hand: it runs again, and the first run's result is dropped
                String running = enqueue(url, true);
                awaitBegun(1);
                signal("STOP", worker);
                await().atMost(LONG).until(() -> !Http.get(url + "/v1/workers").contains("\"active\""));
                signal("CONT", worker);
                awaitBegun(2);
                go();

                assertThat(finished(url, running)).contains("\"SUCCEEDED\"", "\"attempt\":2", "\"losses\":1");
            } finally {
                worker.destroyForcibly();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("languages")
    void a_cancelled_task_is_stopped_and_its_result_dropped(Language language) throws Exception {
        try (JarProcess server = serve("0")) {
            String url = server.address();
            Process worker = start(language, url);
            try {
                String running = enqueue(url, true);
                awaitBegun(1);

                var unused = Http.post(url + "/v1/tasks/" + running + "/cancel", "");

                assertThat(finished(url, running)).contains("\"CANCELLED\"").doesNotContain("done");
                assertThat(finished(url, enqueue(url, false))).contains("\"SUCCEEDED\"");
            } finally {
                worker.destroyForcibly();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("languages")
    void a_signal_lets_it_finish_and_leave(Language language) throws Exception {
        try (JarProcess server = serve("0")) {
            String url = server.address();
            Process worker = start(language, url);
            try {
                String running = enqueue(url, true);
                awaitBegun(1);
                String next = enqueue(url, false);

                signal("TERM", worker);
                go();

                assertThat(finished(url, running)).contains("\"SUCCEEDED\"");
                assertLeft(worker, url);
                assertThat(Http.get(url + "/v1/tasks/" + next)).contains("\"READY\"");
            } finally {
                worker.destroyForcibly();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("languages")
    void a_task_that_takes_longer_than_the_expiry_keeps_its_worker(Language language) throws Exception {
        try (JarProcess server = serve("0")) {
            String url = server.address();
            Process worker = start(language, url);
            try {
                String running = enqueue(url, true);
                awaitBegun(1);
                // the expiry is 3 s
                await().during(Duration.ofSeconds(5))
                        .atMost(LONG)
                        .until(() -> Http.get(url + "/v1/workers").contains("\"active\""));
                go();

                assertThat(finished(url, running))
                        .contains("\"SUCCEEDED\"")
                        .doesNotContain("\"losses\"", "\"attempt\":2");
            } finally {
                worker.destroyForcibly();
            }
        }
    }
}
