package io.millrace.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Attempt;
import io.millrace.Backoff;
import io.millrace.ClaimOrder;
import io.millrace.Enqueued;
import io.millrace.Jitter;
import io.millrace.Leak;
import io.millrace.NewTask;
import io.millrace.OnTimeout;
import io.millrace.Origin;
import io.millrace.Outcome;
import io.millrace.Page;
import io.millrace.Payload;
import io.millrace.Progress;
import io.millrace.Rate;
import io.millrace.Retention;
import io.millrace.Retry;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.Topic;
import io.millrace.TopicPolicy;
import io.millrace.When;
import io.millrace.Worker;
import io.millrace.spi.ClaimRequest.TimeFrom;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.Ending;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Renewal;
import io.millrace.spi.WorkerProtocol.Claim;
import io.millrace.spi.WorkerProtocol.Registration;
import io.millrace.spi.WorkerProtocol.Report;
import io.millrace.spi.WorkerProtocol.Wanted;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.spi.WorkerStanding;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What one side writes, the other side reads as it was. */
class RoundTripTest {
    private static final Instant NOW = Instant.parse("2030-01-02T03:04:05.678Z");
    private static final UUID WORKER = UUID.randomUUID();
    private static final Retry RETRY =
            new Retry(3, Backoff.FIBONACCI, Duration.ofSeconds(5), Duration.ofHours(1), Jitter.HALF);

    private static NewTask.Builder full() {
        return NewTask.builder("a/b:c@1")
                .payload(Payload.json("{\"x\": [1, 2]}"))
                .entityId("e\"1")
                .scope("acme", "/room1")
                .priority(-5)
                .delay(Duration.ofMillis(250))
                .deadline(Duration.ofDays(2))
                .timeout(Duration.ofMinutes(5))
                .onTimeout(OnTimeout.REDELIVER)
                .retry(RETRY)
                .uniqueKey("ключ")
                .retention(new Retention(Duration.ofDays(1), null));
    }

    @Test
    void tasks() {
        NewTask byTime =
                NewTask.builder("t").runAt(NOW).deadline(NOW.plusSeconds(1)).build();
        for (NewTask task : List.of(full().build(), byTime, NewTask.builder("t").build())) {
            JsonOut out = new JsonOut();
            TaskForm.write(task, out);
            byte[] json = out.toBytes();
            assertThat(TaskForm.read(json, 0, json.length, 100)).isEqualTo(task);
            assertThat(TaskForm.readBody(json, 100)).isEqualTo(new TaskForm.Body(List.of(task), false));
        }
    }

    @Test
    void answers_to_an_enqueue() {
        Enqueued plain = new Enqueued(UUID.randomUUID(), false, null);
        Enqueued duplicate = new Enqueued(UUID.randomUUID(), true, null);
        Enqueued leaked = new Enqueued(UUID.randomUUID(), false, "dead");
        EnqueuedForm.Many many = new EnqueuedForm.Many(List.of(plain, duplicate, plain, leaked));
        EnqueuedForm.Many allPlain = new EnqueuedForm.Many(List.of(plain, plain));

        assertThat(EnqueuedForm.readOne(EnqueuedForm.write(duplicate))).isEqualTo(duplicate);
        assertThat(EnqueuedForm.readOne(EnqueuedForm.write(leaked))).isEqualTo(leaked);
        assertThat(EnqueuedForm.readMany(EnqueuedForm.write(many))).isEqualTo(many);
        assertThat(EnqueuedForm.readMany(EnqueuedForm.write(allPlain))).isEqualTo(allPlain);
        assertThat(new String(EnqueuedForm.write(allPlain), StandardCharsets.UTF_8))
                .doesNotContain("special");
        EnqueuedForm.Stream stream = new EnqueuedForm.Stream(1L << 40, 7);
        assertThat(EnqueuedForm.readStream(EnqueuedForm.write(stream))).isEqualTo(stream);
    }

    @Test
    void registrations_and_pings() {
        Introduction introduction = new Introduction("w", "host", Set.of("a", "b"));
        assertThat(RegistrationForm.readRequest(RegistrationForm.writeRequest(introduction)))
                .isEqualTo(introduction);
        assertThat(RegistrationForm.readRequest(new byte[0])).isEqualTo(Introduction.ANONYMOUS);
        Registration registration = new Registration(WORKER, Duration.ofSeconds(10), Duration.ofSeconds(30));
        assertThat(RegistrationForm.readAnswer(RegistrationForm.writeAnswer(registration)))
                .isEqualTo(registration);

        Set<UUID> ids = Set.of(WORKER, UUID.fromString("0190d6a4-93f5-7c1b-8f2e-3a5d7c9b1e42"));
        for (PingForm.Request ping : List.of(
                new PingForm.Request(ids, Set.of(WORKER)),
                new PingForm.Request(null, Set.of()),
                new PingForm.Request(Set.of(), Set.of()))) {
            assertThat(PingForm.readRequest(PingForm.writeRequest(ping))).isEqualTo(ping);
        }
        assertThat(PingForm.readRequest(new byte[0])).isEqualTo(new PingForm.Request(null, Set.of()));
        Renewal alive = new Renewal(WorkerStanding.STOPPING, Set.of(), ids, List.of());
        assertThat(PingForm.readAnswer(PingForm.writeAnswer(alive))).isEqualTo(alive);
        Renewal expired = new Renewal(WorkerStanding.EXPIRED, Set.of(), Set.of(), List.of());
        assertThat(text(PingForm.writeAnswer(expired))).isEqualTo("{\"alive\":false}");
        assertThat(PingForm.readAnswer(PingForm.writeAnswer(expired)).worker().isAlive())
                .isFalse();
    }

    @Test
    void claims() {
        Wanted wanted = new Wanted(Set.of("a"), 10, Duration.ofSeconds(30), TimeFrom.START, ClaimOrder.OLDEST);
        assertThat(ClaimForm.readRequest(ClaimForm.writeRequest(wanted))).isEqualTo(wanted);
        assertThat(ClaimForm.parameters(wanted)).isEqualTo("claim=10&timeFrom=start&order=oldest");
        assertThat(ClaimForm.readRequest(new byte[0]))
                .isEqualTo(new Wanted(Set.of(), 1, Duration.ZERO, TimeFrom.CLAIM, ClaimOrder.SHARE));

        Claim claim = new Claim(WorkerStanding.ALIVE, List.of(leased(3)));
        Claim read = ClaimForm.readAnswer(ClaimForm.writeAnswer(claim), WORKER);

        assertThat(read.worker()).isEqualTo(WorkerStanding.ALIVE);
        LeasedTask task = read.tasks().get(0);
        assertThat(task.lease()).isEqualTo(leased(3).lease());
        assertThat(task.task().payload()).isEqualTo(Payload.json("[1]"));
        assertThat(task.task().given().scope()).containsExactly("s");
        assertThat(task.task().hold()).isEqualTo(leased(3).task().hold());
        assertThat(task.timeToRun()).isEqualTo(Duration.ofMinutes(30));
    }

    private static final UUID TASK = UUID.randomUUID();

    private static LeasedTask leased(int attempt) {
        NewTask given = NewTask.builder("t")
                .id(TASK)
                .payload(Payload.json("[1]"))
                .scope("s")
                .build();
        Task task = new Task(
                given,
                TaskState.RUNNING,
                new Task.Moments(NOW, NOW, null, null, null),
                new Task.Tally(attempt, 0, 0, 0),
                new Task.Hold(WORKER, NOW, NOW.plusSeconds(1_800), false),
                List.of(),
                null,
                null,
                false);
        return new LeasedTask(task, new Lease(TASK, attempt, WORKER, "x.y.12"), Duration.ofMinutes(30));
    }

    @Test
    void outcomes() {
        Lease lease = leased(2).lease();
        List<Report> reports = List.of(
                new Report(lease, new Ending.Succeeded(Payload.json("{}"), List.of(), List.of())),
                new Report(lease, new Ending.Succeeded(Payload.bytes(new byte[] {1, 2}), List.of(), List.of())),
                new Report(lease, Ending.Succeeded.PLAIN),
                new Report(lease, Ending.Succeeded.PLAIN, Duration.ofNanos(1_234_567)),
                new Report(lease, new Ending.Failed("e", true)),
                new Report(lease, new Ending.TimedOut("slow")),
                new Report(lease, new Ending.Snoozed(Duration.ofSeconds(5))),
                new Report(lease, Ending.Released.NOT_STARTED));
        List<OutcomeForm.Outcome> read = OutcomeForm.readRequest(OutcomeForm.writeRequest(reports), WORKER, 100);

        assertThat(read).extracting(OutcomeForm.Outcome::report).isEqualTo(reports);
        List<CompletionResult> results = List.of(
                CompletionResult.applied(TaskState.SUCCEEDED, List.of()),
                CompletionResult.REPEATED,
                CompletionResult.LEASE_LOST,
                CompletionResult.STORE_FULL);
        for (Claim claim : new Claim[] {null, new Claim(WorkerStanding.STOPPING, List.of())}) {
            OutcomeForm.Answer answer = new OutcomeForm.Answer(results, claim);
            byte[] json = OutcomeForm.writeAnswer(read, answer);
            assertThat(OutcomeForm.readAnswer(json, WORKER)).isEqualTo(answer);
        }
    }

    @Test
    void a_text_that_never_was_a_lease_is_one_that_nobody_holds() {
        assertThat(LeaseText.parse(TASK, WORKER, "garbage")).isEqualTo(new Lease(TASK, 0, WORKER, "garbage"));
        assertThat(LeaseText.parse(TASK, WORKER, "")).isEqualTo(new Lease(TASK, 0, WORKER, ""));
        assertThat(LeaseText.parse(TASK, WORKER, "99999999999.x"))
                .isEqualTo(new Lease(TASK, 0, WORKER, "99999999999.x"));
    }

    @Test
    void progress() {
        List<Heartbeat.Report> reports = List.of(
                new Heartbeat.Report(leased(1).lease(), 40, "nearly", Duration.ofSeconds(30)),
                new Heartbeat.Report(leased(1).lease(), null, null, null));
        assertThat(ProgressForm.readRequest(ProgressForm.writeRequest(reports), WORKER))
                .isEqualTo(reports);
        Renewal renewal = new Renewal(WorkerStanding.ALIVE, Set.of(), Set.of(), List.of(true, false));
        assertThat(ProgressForm.readAnswer(ProgressForm.writeAnswer(reports, renewal)))
                .containsExactly(true, false);
    }

    @Test
    void a_view_tells_how_many_attempts_were_dropped() {
        Attempt fourth = new Attempt(4, WORKER, NOW, NOW, Outcome.FAILED, "e");
        Task task = new Task(
                NewTask.builder("t").build(),
                TaskState.FAILED,
                new Task.Moments(NOW, NOW, null, NOW, NOW.plusSeconds(2)),
                new Task.Tally(4, 3, 0, 0),
                null,
                List.of(fourth),
                null,
                null,
                false);

        byte[] json = TaskViewForm.write(new TaskView(task, 0, null));

        assertThat(text(json)).contains("\"attemptsDropped\":3");
        assertThat(TaskViewForm.read(json).task().attemptsDropped()).isEqualTo(3);
        byte[] first = TaskViewForm.write(new TaskView(leased(2).task(), 0, null));
        assertThat(text(first)).doesNotContain("attemptsDropped");
    }

    @Test
    void task_views() {
        NewTask given = full().callback("https://example.org/done?x=1")
                .deadline(NOW.plusSeconds(100))
                .origin(new Origin("o", TASK, "why", "key", List.of("first", "second")))
                .build();
        Attempt attempt = new Attempt(1, WORKER, NOW, NOW.plusMillis(5), Outcome.TIMED_OUT, "e\n\"x\"");
        Task running = new Task(
                given,
                TaskState.RUNNING,
                new Task.Moments(NOW, NOW.plusMillis(1), NOW.plusSeconds(100), null, null),
                new Task.Tally(2, 1, 1, 0),
                new Task.Hold(WORKER, NOW.plusSeconds(1), NOW.plusSeconds(9), true),
                List.of(attempt),
                new Progress(40, "m", NOW),
                null,
                false);
        Task notStarted = new Task(
                given,
                TaskState.RUNNING,
                new Task.Moments(NOW, NOW.plusMillis(1), NOW.plusSeconds(100), null, null),
                new Task.Tally(1, 0, 0, 0),
                new Task.Hold(WORKER, NOW.plusSeconds(1), null, false),
                List.of(),
                null,
                null,
                false);
        Task done = new Task(
                NewTask.builder("t").build(),
                TaskState.SUCCEEDED,
                new Task.Moments(NOW, NOW, null, NOW.plusSeconds(1), NOW.plusSeconds(2)),
                new Task.Tally(0, 0, 0, 0),
                null,
                List.of(),
                null,
                Payload.bytes(new byte[] {0, 1}),
                true);
        for (TaskView view : List.of(
                new TaskView(running, 1, "it runs"),
                new TaskView(notStarted, 1, "it runs"),
                new TaskView(done, 0, null))) {
            assertThat(TaskViewForm.read(TaskViewForm.write(view))).isEqualTo(view);
            Page<TaskView> page = new Page<>(List.of(view, view), "next");
            assertThat(TaskViewForm.readPage(TaskViewForm.writePage(page, true)))
                    .isEqualTo(page);
        }
        JsonOut summary = new JsonOut();
        TaskViewForm.write(new TaskView(done, 0, null), false, summary);
        assertThat(text(summary.toBytes())).doesNotContain("result", "payload");
    }

    @Test
    void policies_topics_and_workers() {
        TopicPolicy policy = TopicPolicy.builder()
                .retry(RETRY)
                .timeout(Duration.ofSeconds(7))
                .onTimeout(OnTimeout.RETRY)
                .retention(new Retention(Duration.ZERO, Duration.ofDays(1)))
                .capacity(10)
                .leak(Leak.FRONT)
                .deadLetter("dead")
                .concurrency(3)
                .rate(new Rate(10, Duration.ofSeconds(1)))
                .weight(5)
                .lossLimit(2)
                .build();
        for (TopicPolicy each : List.of(policy, TopicPolicy.DEFAULT)) {
            assertThat(PolicyForm.read(PolicyForm.write(each))).isEqualTo(each);
            TopicView view = new TopicView(
                    new Topic("t", each, true, Map.of(TaskState.READY, 5L), Duration.ofSeconds(3)),
                    new TopicView.Rates(1.5, 2, 0));
            assertThat(TopicForm.read(TopicForm.write(view))).isEqualTo(view);
            assertThat(TopicForm.readList(TopicForm.writeList(List.of(view, view))))
                    .containsExactly(view, view);
        }
        Worker worker =
                new Worker(WORKER, "n", "h", Set.of("a"), "team", Worker.Status.STOPPING, NOW, NOW.plusSeconds(1), 3);
        assertThat(WorkerForm.readList(WorkerForm.writeList(List.of(worker)))).containsExactly(worker);
    }

    @Test
    void problems_counts_and_times() {
        Problem problem = new Problem(
                "urn:x",
                "t",
                400,
                "d",
                List.of(Problem.FieldError.field("/0/a", "e"), Problem.FieldError.parameter("limit", "f")),
                3,
                7L);
        assertThat(ProblemForm.read(ProblemForm.write(problem))).isEqualTo(problem);
        assertThat(CountForm.read("count", CountForm.write("count", 25))).isEqualTo(25);
        List<TaskCount> counts = List.of(new TaskCount("a", TaskState.TIMED_OUT, 3));
        assertThat(CountForm.readGroups(CountForm.writeGroups(counts, true, true)))
                .isEqualTo(counts);
        for (When when : List.of(When.at(NOW), When.after(Duration.ofSeconds(1)), When.NOW)) {
            assertThat(WhenForm.read(WhenForm.write(when))).isEqualTo(when);
        }
    }

    @Test
    void queries() {
        TaskQuery query = TaskQuery.ALL
                .topic("t")
                .state(TaskState.FAILED, TaskState.READY)
                .scope("a", "/b")
                .entityId("e")
                .heldBy(WORKER)
                .createdAfter(NOW)
                .createdBefore(NOW)
                .text("x");
        assertThat(QueryForm.read(QueryForm.write(query))).isEqualTo(query);
        assertThat(QueryForm.write(TaskQuery.ALL)).isEmpty();
        assertThat(QueryForm.write(query).keySet()).isEqualTo(Set.copyOf(QueryForm.PARAMETERS));
        assertThat(QueryForm.read(Map.of("state", List.of("pending")))).isEqualTo(TaskQuery.ALL.pending());
    }

    @Test
    void fields_that_a_newer_server_adds_are_passed_over() {
        byte[] json = "{\"alive\":true,\"new\":{\"a\":[1]},\"command\":\"continue\"}".getBytes(StandardCharsets.UTF_8);
        assertThat(PingForm.readAnswer(json).worker()).isEqualTo(WorkerStanding.ALIVE);
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }
}
