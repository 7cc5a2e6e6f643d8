package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The one jar, talking to itself. */
class CommandsIT {
    @TempDir
    private Path directory;

    private static String run(String url, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(List.of("--url", url));
        try (JarProcess process = JarProcess.start(all.toArray(new String[0]))) {
            String output = process.restOfOutput();
            assertThat(process.exitCode()).as(output).isZero();
            return output;
        }
    }

    @Test
    void what_is_enqueued_is_listed_and_worked_on() throws Exception {
        try (JarProcess server = JarProcess.serve("embedded:" + directory.resolve("data"))) {
            String url = server.address();

            String id = run(url, "enqueue", "shout", "\"hello\"").strip();
            assertThat(run(url, "tasks", "list")).contains(id, "READY");
            assertThat(run(url, "work", "--topic", "shout", "--exec", "tr a-z A-Z", "--max", "1"))
                    .contains("Works on shout");
            assertThat(run(url, "tasks", "show", id, "--json")).contains("SUCCEEDED", "\"result\":\"HELLO\"");
            String burst = run(url, "enqueue", "whisper", "\"HELLO\"").strip();
            var unused = run(url, "enqueue", "whisper", "--delay", "1h");
            assertThat(run(url, "work", "--topic", "*", "--burst", "--exec", "tr A-Z a-z"))
                    .contains("Works on every topic");
            assertThat(run(url, "tasks", "show", burst, "--json")).contains("SUCCEEDED", "\"result\":\"hello\"");
            assertThat(run(url, "tasks", "count", "--state", "scheduled")).containsPattern("whisper +SCHEDULED +1");
            assertThat(run(url, "bench", "--tasks", "20", "--work")).contains("20 tasks in");
            assertThat(run(url, "top", "--once")).contains("shout");
        }
    }

    @Test
    void a_signal_lets_work_finish_and_a_second_one_kills_its_programs() throws Exception {
        Path begun = directory.resolve("begun");
        Path go = directory.resolve("go");
        try (JarProcess server = JarProcess.serve("heap:")) {
            String url = server.address();
            String command = "echo $$ > " + begun + "; while [ ! -e " + go + " ]; do sleep 0.01; done";
            try (JarProcess work = JarProcess.start("work", "--topic", "t", "--exec", command, "--url", url)) {
                String id = run(url, "enqueue", "t").strip();
                awaitContent(begun);

                work.askToStop();
                Files.createFile(go);

                assertThat(work.exitCode()).isZero();
                assertThat(run(url, "tasks", "show", id)).contains("SUCCEEDED");
            }
            Files.delete(begun);
            String stubborn = "trap '' TERM INT; echo $$ > " + begun + "; while :; do sleep 0.1; done";
            try (JarProcess work = JarProcess.start("work", "--topic", "t", "--exec", stubborn, "--url", url)) {
                var unused = run(url, "enqueue", "t");
                awaitContent(begun);

                work.askToStop();
                assertThat(work.lineWith("Stopping")).contains("again");
                work.askToStop();

                assertThat(work.exitCode()).isEqualTo(128 + 15);
                long pid = Long.parseLong(Files.readString(begun).strip());
                ProcessHandle.of(pid)
                        .ifPresent(program -> assertThat(program.onExit()).succeedsWithin(Duration.ofSeconds(30)));
            }
        }
    }

    private static void awaitContent(Path file) {
        await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(file) && Files.size(file) > 0);
    }
}
