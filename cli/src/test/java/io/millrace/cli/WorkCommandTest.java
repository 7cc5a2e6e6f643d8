package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.millrace.Attempt;
import io.millrace.Millrace;
import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.Retry;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.server.AccessKey;
import io.millrace.server.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkCommandTest {
    @TempDir
    private Path directory;

    private final Served served = new Served(Duration.ofSeconds(6));
    private final Millrace millrace = served.millrace();
    private final StopSignals signals = StopSignals.deaf();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        signals.ask();
        threads.shutdown();
        served.close();
    }

    /** Starts {@code work} on topic t. */
    private CompletableFuture<Run> work(String command, String... more) {
        List<String> arguments = new ArrayList<>(List.of("work", "--topic", "t", "--threads", "1", "--exec", command));
        arguments.addAll(Arrays.asList(more));
        return CompletableFuture.supplyAsync(
                () -> Run.with(Map.of("MILLRACE_URL", served.url()), "", signals, arguments.toArray(new String[0])),
                threads);
    }

    private Task finished(NewTask.Builder task) throws Exception {
        UUID id = millrace.enqueue(task.build()).id();
        return millrace.finished(id).get(30, TimeUnit.SECONDS);
    }

    private static String result(Task task) {
        Payload result = task.result();
        assertThat(result).isNotNull();
        return result.text();
    }

    private static <T> T soon(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    private static void awaitFile(Path file) {
        await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(file) && Files.size(file) > 0);
    }

    private static void awaitEnd(Path pidFile) throws IOException {
        long pid = Long.parseLong(Files.readString(pidFile).strip());
        await().atMost(Duration.ofSeconds(30))
                .until(() -> ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false), alive -> !alive);
    }

    @Test
    void the_payload_goes_in_and_the_output_is_the_result() throws Exception {
        CompletableFuture<Run> run = work(
                "tr a-z A-Z; echo \" $MILLRACE_TASK_TOPIC $MILLRACE_TASK_ATTEMPT $MILLRACE_TASK_ID\"", "--max", "1");

        Task task = finished(NewTask.builder("t").payload(Payload.json("\"hello\"")));

        assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED);
        assertThat(result(task)).isEqualTo("\"\\\"HELLO\\\" t 1 " + task.id() + "\"");
        assertThat(soon(run).exitCode()).isZero();
        assertThat(soon(run).err()).contains("Works on t").doesNotContain("signal", "Ctrl-C");
        assertThat(millrace.workers().list()).isEmpty();
    }

    @Test
    void output_that_is_json_stays_json_and_none_is_no_result() throws Exception {
        var unused = work("cat", "--max", "3");

        assertThat(result(finished(NewTask.builder("t").payload(Payload.json("{\"a\": [1]}")))))
                .isEqualTo("{\"a\": [1]}");
        assertThat(finished(NewTask.builder("t")).result()).isNull();
        assertThat(finished(NewTask.builder("t").payload(Payload.bytes(new byte[] {'\n'})))
                        .result())
                .isNull();
    }

    @Test
    void odd_bytes_come_back_as_they_went_in() throws Exception {
        var unused = work("cat");
        byte[] odd = {0, (byte) 0xff, '\n', (byte) 0xc3, 0x28, '"', '\\', 0};

        Task task = finished(NewTask.builder("t").payload(Payload.bytes(odd)));

        assertThat(task.result()).isEqualTo(Payload.bytes(odd));
    }

    @Test
    void long_output_is_cut_and_unread_input_does_no_harm() throws Exception {
        var unused = work("head -c 3000000 /dev/zero | tr '\\0' x");

        Task task = finished(NewTask.builder("t").payload(Payload.bytes(new byte[1 << 20])));

        assertThat(result(task)).hasSizeLessThan(200_000).endsWith("… (3000000 bytes in all)\"");
    }

    @Test
    void a_program_that_fails_is_retried_and_its_errors_are_kept() throws Exception {
        CompletableFuture<Run> run = work("echo out; echo oh no >&2; exit 3", "--max", "2");

        Task task = finished(
                NewTask.builder("t").retry(Retry.constant(Duration.ZERO).max(1)));

        assertThat(task.state()).isEqualTo(TaskState.FAILED);
        assertThat(task.attempts())
                .extracting(Attempt::outcome, Attempt::error)
                .containsOnly(tuple(Outcome.FAILED, "exit code 3: oh no"))
                .hasSize(2);
        assertThat(soon(run).err()).contains("Attempt 2 of t/" + task.id() + ": exit code 3: oh no");
    }

    @Test
    void a_program_that_outlives_its_time_to_run_dies_with_its_children() throws Exception {
        Path child = directory.resolve("child");
        Path orphan = directory.resolve("orphan");
        // one child that ignores requests, and one whose parent has gone
        var unused = work("(trap '' TERM; sh -c 'echo $$ > " + child + "; exec sleep 300') & (sh -c 'echo $$ > "
                + orphan + "; exec sleep 300' > /dev/null 2>&1 &) ; echo late >&2; wait");

        Task task = finished(NewTask.builder("t")
                .timeout(Duration.ofSeconds(2))
                .retry(Retry.constant(Duration.ZERO).max(5)));

        assertThat(task.state()).isEqualTo(TaskState.TIMED_OUT);
        assertThat(task.attempts()).hasSize(1);
        awaitEnd(child);
        awaitEnd(orphan);
    }

    @Test
    void a_cancelled_program_is_killed() throws Exception {
        Path pid = directory.resolve("pid");
        var unused = work("echo $$ > " + pid + "; sleep 300; echo survived");
        UUID id = millrace.enqueue(NewTask.builder("t").build()).id();
        awaitFile(pid);

        millrace.cancel(id);

        Task task = millrace.finished(id).get(30, TimeUnit.SECONDS);
        assertThat(task.state()).isEqualTo(TaskState.CANCELLED);
        assertThat(task.lastError()).contains("was killed").doesNotContain("io.millrace");
        awaitEnd(pid);
    }

    @Test
    void what_is_left_in_the_background_ends_with_the_program() throws Exception {
        Path pid = directory.resolve("pid");
        var unused = work("sh -c 'echo $$ > " + pid + "; exec sleep 300' & while [ ! -s " + pid
                + " ]; do sleep 0.01; done; echo '\"done\"'");

        assertThat(result(finished(NewTask.builder("t")))).startsWith("\"done\"");
        awaitEnd(pid);
    }

    @Test
    void a_stop_lets_the_program_finish_and_hands_nothing_more_out() throws Exception {
        Path begun = directory.resolve("begun");
        Path go = directory.resolve("go");
        CompletableFuture<Run> run =
                work("echo > " + begun + "; while [ ! -e " + go + " ]; do sleep 0.01; done; echo 7");
        UUID running = millrace.enqueue(NewTask.builder("t").build()).id();
        UUID next = millrace.enqueue(NewTask.builder("t").build()).id();
        awaitFile(begun);

        signals.ask();
        assertThat(run).isNotDone();
        Files.createFile(go);

        assertThat(soon(run).exitCode()).isZero();
        assertThat(soon(run).err()).contains("Ctrl-C", "The same signal again kills them");
        assertThat(millrace.find(running).orElseThrow().state()).isEqualTo(TaskState.SUCCEEDED);
        assertThat(millrace.find(next).orElseThrow().state()).isEqualTo(TaskState.READY);
        assertThat(millrace.workers().list()).isEmpty();
    }

    @Test
    void the_kill_switch_ends_the_command() throws Exception {
        CompletableFuture<Run> run = work("cat", "--name", "mill");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> !millrace.workers().list().isEmpty());
        assertThat(millrace.workers().list())
                .singleElement()
                .satisfies(worker -> assertThat(worker.name()).isEqualTo("mill"));

        assertThat(served.run(
                                "workers",
                                "stop",
                                millrace.workers().list().get(0).id().toString())
                        .exitCode())
                .isZero();

        assertThat(soon(run).exitCode()).isZero();
        assertThat(millrace.workers().list()).isEmpty();
    }

    private CompletableFuture<Run> workWith(String... more) {
        List<String> arguments = new ArrayList<>(List.of("work", "--threads", "1"));
        arguments.addAll(Arrays.asList(more));
        return CompletableFuture.supplyAsync(
                () -> Run.with(Map.of("MILLRACE_URL", served.url()), "", signals, arguments.toArray(new String[0])),
                threads);
    }

    @Test
    void every_topic_is_served_also_those_that_come_later() throws Exception {
        UUID before = millrace.enqueue(NewTask.builder("before").build()).id();
        CompletableFuture<Run> run = workWith("--topic", "*", "--exec", "cat", "--max", "2");

        assertThat(millrace.finished(before).get(30, TimeUnit.SECONDS).state()).isEqualTo(TaskState.SUCCEEDED);
        assertThat(finished(NewTask.builder("later")).state()).isEqualTo(TaskState.SUCCEEDED);
        assertThat(soon(run).exitCode()).isZero();
        assertThat(soon(run).err()).contains("Works on every topic at");
    }

    @Test
    void the_oldest_task_of_all_topics_comes_first_if_that_is_asked_for() throws Exception {
        List<String> topics = List.of("a", "a", "a", "b", "b", "a", "c");
        for (String topic : topics) {
            var unused = millrace.enqueue(NewTask.builder(topic).build());
        }
        var unused = millrace.enqueue(NewTask.builder("c").priority(1).build());
        Path ran = directory.resolve("ran");

        CompletableFuture<Run> run = workWith(
                "--topic",
                "a",
                "--topic",
                "b",
                "--topic",
                "c",
                "--order",
                "oldest",
                "--max",
                "8",
                "--exec",
                "echo $MILLRACE_TASK_TOPIC >> " + ran);

        assertThat(soon(run).exitCode()).isZero();
        assertThat(Files.readAllLines(ran)).containsExactly("c", "a", "a", "a", "b", "b", "a", "c");
    }

    private UUID enqueued(NewTask.Builder task) {
        return millrace.enqueue(task.build()).id();
    }

    private TaskState state(UUID id) {
        return millrace.find(id).orElseThrow().state();
    }

    @Test
    void a_burst_runs_what_can_be_run_now_and_leaves() throws Exception {
        List<UUID> now = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            now.add(enqueued(NewTask.builder("t")));
        }
        UUID later = enqueued(NewTask.builder("t").delay(Duration.ofHours(1)));
        UUID other = enqueued(NewTask.builder("u"));

        Run run = soon(work("cat", "--burst"));

        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).contains("Works on t at").doesNotContain("Ctrl-C");
        assertThat(now).allSatisfy(id -> assertThat(state(id)).isEqualTo(TaskState.SUCCEEDED));
        assertThat(state(later)).isEqualTo(TaskState.SCHEDULED);
        assertThat(state(other)).isEqualTo(TaskState.READY);
        assertThat(millrace.workers().list()).isEmpty();
    }

    @Test
    void a_burst_with_nothing_to_run_leaves_at_once() throws Exception {
        assertThat(soon(work("cat", "--burst")).exitCode()).isZero();
    }

    @Test
    void a_burst_waits_for_programs_that_run() throws Exception {
        Path begun = directory.resolve("begun");
        Path go = directory.resolve("go");
        UUID slow = enqueued(NewTask.builder("t"));
        CompletableFuture<Run> run =
                work("echo > " + begun + "; while [ ! -e " + go + " ]; do sleep 0.01; done", "--burst");
        awaitFile(begun);
        UUID meanwhile = enqueued(NewTask.builder("t"));

        assertThat(run).isNotDone();
        Files.createFile(go);

        assertThat(soon(run).exitCode()).isZero();
        assertThat(List.of(slow, meanwhile))
                .allSatisfy(id -> assertThat(state(id)).isEqualTo(TaskState.SUCCEEDED));
    }

    @Test
    void a_burst_ends_with_its_last_task() throws Exception {
        for (int i = 0; i < 5; i++) {
            var unused = enqueued(NewTask.builder("t"));
        }

        assertThat(soon(work("cat", "--burst", "--max", "3")).exitCode()).isZero();

        assertThat(millrace.count(TaskQuery.ALL))
                .containsExactlyInAnyOrder(
                        new TaskCount("t", TaskState.SUCCEEDED, 3), new TaskCount("t", TaskState.READY, 2));
        assertThat(millrace.stream(TaskQuery.ALL.state(TaskState.READY)))
                .allSatisfy(task -> assertThat(task.tally().attempts()).isZero());
    }

    @Test
    void a_signal_ends_a_burst() throws Exception {
        Path begun = directory.resolve("begun");
        Path go = directory.resolve("go");
        List<NewTask> tasks = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            tasks.add(NewTask.builder("t").build());
        }
        millrace.enqueue(tasks);
        CompletableFuture<Run> run =
                work("echo > " + begun + "; while [ ! -e " + go + " ]; do sleep 0.01; done", "--burst");
        awaitFile(begun);

        signals.ask();
        Files.createFile(go);

        assertThat(soon(run).exitCode()).isZero();
        assertThat(soon(run).err()).contains("Stopping");
        // another may have begun before the signal was heard
        assertThat(state(tasks.get(tasks.size() - 1).id())).isEqualTo(TaskState.READY);
    }

    @Test
    void a_workers_key_is_enough_for_a_burst() throws Exception {
        AccessKey.Generated key = AccessKey.generate("w", Role.WORKER, Set.of());
        try (Served locked = new Served(List.of(key.key()))) {
            UUID id = locked.millrace().enqueue(NewTask.builder("t").build()).id();

            Run run = Run.with(
                    Map.of("MILLRACE_URL", locked.url(), "MILLRACE_KEY", key.secret()),
                    "",
                    "work",
                    "--topic",
                    "t",
                    "--burst",
                    "--exec",
                    "cat");

            assertThat(run.err()).contains("Works on t at").doesNotContain("key");
            assertThat(run.exitCode()).isZero();
            assertThat(locked.millrace().find(id).orElseThrow().state()).isEqualTo(TaskState.SUCCEEDED);
        }
    }

    @Test
    void bad_arguments_are_told() {
        assertThat(served.run("work", "--topic", "t", "--exec", "true", "--max", "0"))
                .satisfies(run -> {
                    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
                    assertThat(run.err()).contains("--max: 0 must be 1 or more");
                });
        assertThat(served.run("work", "--topic", "t", "--exec", "true", "--order", "newest"))
                .satisfies(run -> {
                    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
                    assertThat(run.err()).contains("--order", "newest").containsIgnoringCase("share, oldest");
                });
        assertThat(served.run("work", "--topic", "t").err()).contains("--exec");
        assertThat(served.run("work", "--topic", "t t", "--exec", "true").exitCode())
                .isEqualTo(ExitCode.USAGE);
        assertThat(served.run("work", "--topic", "t", "--exec", "true", "--threads", "0")
                        .exitCode())
                .isEqualTo(ExitCode.USAGE);
    }
}
