package io.millrace.engine.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.ClaimOrder;
import io.millrace.Event;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.OnTimeout;
import io.millrace.Outcome;
import io.millrace.Retry;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.WrongStateException;
import io.millrace.heap.HeapStore;
import io.millrace.internal.Events;
import io.millrace.internal.engine.Engine;
import io.millrace.spi.ClaimRequest.TimeFrom;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.CompletionResult.Status;
import io.millrace.spi.Ending;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.WorkerProtocol;
import io.millrace.spi.WorkerProtocol.Claim;
import io.millrace.spi.WorkerProtocol.LeaseListener;
import io.millrace.spi.WorkerProtocol.Report;
import io.millrace.spi.WorkerProtocol.Wanted;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * One random history of an engine with workers that die, stall, lose answers, report late and report twice. All is
 * driven by one thread and one seed: a history that fails, fails again.
 */
final class History implements AutoCloseable {
    private static final Duration EXPIRY = Duration.ofSeconds(30);
    private static final Duration TIME_TO_RUN = Duration.ofSeconds(45);
    private static final String DEAD = "dead";
    private static final List<String> TOPICS = List.of("a", "b", "c");

    private final Random random;
    private final SettableClock clock = new SettableClock();
    private final Engine engine;
    private final WorkerProtocol protocol;
    private final Map<String, TopicPolicy> policies = new HashMap<>();
    private final Map<UUID, TaskModel> tasks = new LinkedHashMap<>();
    private final List<WorkerModel> workers = new ArrayList<>();
    private final Map<UUID, Instant> claimedAt = new HashMap<>();
    private final Map<UUID, WorkerModel> runner = new HashMap<>();
    /** The report that is being made, so that an ending is known to be its own and not the reaper's. */
    private Report reporting;

    private boolean applied;

    History(long seed) {
        random = new Random(seed);
        MillraceOptions options = MillraceOptions.builder()
                .clock(clock)
                .workerExpiry(EXPIRY)
                .observer(this::observe)
                .build();
        engine = new Engine(new HeapStore(clock), options, new Events(options.observers()), Runnable::run);
        protocol = engine.protocol();
        TOPICS.forEach(this::configure);
        addWorker();
    }

    private void configure(String topic) {
        TopicPolicy.Builder policy = TopicPolicy.builder()
                .timeout(TIME_TO_RUN)
                .retry(Retry.constant(Duration.ofSeconds(3)).max(random.nextInt(3)))
                .onTimeout(random.nextBoolean() ? OnTimeout.FINAL : OnTimeout.RETRY)
                .lossLimit(1 + random.nextInt(3));
        if (random.nextBoolean()) {
            policy.deadLetter(DEAD);
        }
        if (random.nextInt(3) == 0) {
            policy.concurrency(1 + random.nextInt(2));
        }
        policies.put(topic, policy.build());
        engine.topics().setPolicy(topic, policies.get(topic));
    }

    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step();
        }
        heal();
        check();
    }

    private void step() {
        switch (random.nextInt(16)) {
            case 0, 1, 2 -> enqueue();
            case 3, 4, 5 -> claim(anyWorker(), random.nextInt(8) == 0);
            case 6, 7, 8 -> reportAny(anyWorker());
            case 9 -> reportAgain(anyWorker());
            case 10, 11 -> pass(Duration.ofMillis(random.nextInt(12_000)));
            case 12 -> anyWorker().silent = random.nextInt(3) > 0;
            case 13 -> ping(anyWorker());
            case 14 -> cancelAny();
            default -> comeOrGo();
        }
    }

    private WorkerModel anyWorker() {
        return workers.get(random.nextInt(workers.size()));
    }

    private void addWorker() {
        UUID id = protocol.register(Introduction.ANONYMOUS, LeaseListener.NONE).id();
        workers.add(new WorkerModel(id, clock.instant()));
    }

    private void comeOrGo() {
        WorkerModel worker = anyWorker();
        if (random.nextBoolean() || worker.silent) {
            addWorker();
        } else {
            worker.left = true;
            protocol.leave(worker.id);
        }
    }

    private void enqueue() {
        NewTask.Builder builder =
                NewTask.builder(TOPICS.get(random.nextInt(TOPICS.size()))).priority(random.nextInt(2));
        boolean delayed = random.nextInt(4) == 0;
        if (delayed) {
            builder.delay(Duration.ofMillis(1 + random.nextInt(20_000)));
        }
        NewTask task = builder.build();
        assertThat(engine.tasks().enqueue(task).duplicate()).isFalse();
        TaskState state = delayed ? TaskState.SCHEDULED : TaskState.READY;
        tasks.put(task.id(), new TaskModel(task, policies.get(task.topic()), state));
        if (random.nextInt(5) == 0) {
            assertThat(engine.tasks().enqueue(task).duplicate())
                    .as("sent again")
                    .isTrue();
        }
    }

    private void claim(WorkerModel worker, boolean answerLost) {
        if (worker.silent) {
            return;
        }
        Claim claim = protocol.claim(
                        worker.id,
                        new Wanted(TOPICS, 1 + random.nextInt(3), Duration.ZERO, TimeFrom.CLAIM, ClaimOrder.SHARE),
                        Runnable::run)
                .join();
        boolean mayWork = !worker.left && !worker.isExpired(clock.instant(), EXPIRY);
        assertThat(claim.worker().isAlive()).isEqualTo(mayWork);
        worker.seen(clock.instant(), EXPIRY);
        for (LeasedTask leased : claim.tasks()) {
            UUID id = leased.task().id();
            claimedAt.put(id, clock.instant());
            runner.put(id, worker);
            if (answerLost) {
                worker.unseen.add(id);
            } else {
                worker.held.add(leased);
            }
        }
    }

    private void reportAny(WorkerModel worker) {
        if (worker.held.isEmpty() || (worker.silent && random.nextInt(4) > 0)) {
            return;
        }
        LeasedTask leased = worker.held.remove(random.nextInt(worker.held.size()));
        Report report = new Report(leased.lease(), ending());
        worker.sent.add(report);
        report(worker, report);
    }

    private Ending ending() {
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> Ending.Succeeded.PLAIN;
            case 3, 4 -> new Ending.Failed("no luck", false);
            case 5 -> new Ending.Failed("hopeless", true);
            case 6 -> new Ending.Snoozed(Duration.ofSeconds(2));
            default -> new Ending.TimedOut("too slow");
        };
    }

    /** The same report once more, as if its answer had been lost; it must change nothing. */
    private void reportAgain(WorkerModel worker) {
        if (worker.sent.isEmpty()) {
            return;
        }
        CompletionResult result = report(worker, worker.sent.get(random.nextInt(worker.sent.size())));
        assertThat(result.status()).isNotEqualTo(Status.APPLIED);
    }

    private CompletionResult report(WorkerModel worker, Report report) {
        reporting = report;
        applied = false;
        CompletionResult result = protocol.report(worker.id, report).join();
        reporting = null;
        worker.seen(clock.instant(), EXPIRY);
        assertThat(result.status() == Status.APPLIED).isEqualTo(applied);
        return result;
    }

    private void ping(WorkerModel worker) {
        if (worker.silent) {
            return;
        }
        Set<UUID> holding =
                worker.held.stream().map(leased -> leased.task().id()).collect(Collectors.toSet());
        boolean alive = !worker.left && !worker.isExpired(clock.instant(), EXPIRY);
        assertThat(protocol.ping(worker.id, holding, Set.of(), List.of())
                        .worker()
                        .isAlive())
                .isEqualTo(alive);
        worker.seen(clock.instant(), EXPIRY);
    }

    /** Time passes; who is not silent pings as it should. */
    private void pass(Duration time) {
        Duration left = time;
        while (!left.isZero()) {
            Duration slice = left.compareTo(Duration.ofSeconds(5)) > 0 ? Duration.ofSeconds(5) : left;
            clock.advance(slice);
            left = left.minus(slice);
            workers.forEach(this::ping);
        }
    }

    private void cancelAny() {
        if (tasks.isEmpty() || random.nextInt(3) > 0) {
            return;
        }
        TaskModel task = List.copyOf(tasks.values()).get(random.nextInt(tasks.size()));
        try {
            engine.tasks().cancel(task.id());
            task.cancelled();
        } catch (WrongStateException e) {
            assertThat(task.isFinal()).isTrue();
        }
    }

    private void observe(Event event) {
        if (event instanceof Event.TaskClaimed claimed
                && tasks.containsKey(claimed.task().id())) {
            tasks.get(claimed.task().id()).claimed(claimed.task());
        } else if (event instanceof Event.TaskGivenBack givenBack) {
            givenBack(givenBack);
        } else if (event instanceof Event.AttemptEnded ended) {
            boolean own = reporting != null
                    && reporting.lease().task().equals(ended.task().id())
                    && reporting.ending().outcome() == ended.outcome();
            if (own) {
                applied = true;
            } else {
                checkReaped(ended);
            }
            boolean stop = own && reporting.ending() instanceof Ending.Failed failed && failed.stop();
            TaskModel model = tasks.get(ended.task().id());
            assertThat(ended.state())
                    .as("after %s of %s", ended.outcome(), ended.task())
                    .isEqualTo(model.ended(ended.task().tally().attempts(), ended.outcome(), stop));
        }
    }

    private void givenBack(Event.TaskGivenBack event) {
        UUID id = event.task().id();
        assertThat(runner.get(id).unseen.remove(id))
                .as("its worker never saw it")
                .isTrue();
        assertThat(event.state()).isEqualTo(tasks.get(id).givenBack());
    }

    /** The reaper may take a task only for a reason that holds. */
    private void checkReaped(Event.AttemptEnded ended) {
        UUID id = ended.task().id();
        WorkerModel worker = runner.get(id);
        Instant now = clock.instant();
        if (ended.outcome() == Outcome.LOST) {
            assertThat(worker.isExpired(now, EXPIRY)).as("the worker is dead").isTrue();
        } else if (ended.outcome() == Outcome.TIMED_OUT) {
            assertThat(worker.isExpired(now, EXPIRY)).as("the worker lives").isFalse();
            assertThat(Duration.between(claimedAt.get(id), now)).isGreaterThanOrEqualTo(TIME_TO_RUN);
        } else {
            assertThat(ended.outcome()).isEqualTo(Outcome.RELEASED);
            assertThat(worker.left).as("it was given up").isTrue();
        }
    }

    /** Everybody is well again: whatever is pending must come to its end. */
    private void heal() {
        workers.forEach(worker -> worker.silent = true);
        addWorker();
        WorkerModel good = workers.get(workers.size() - 1);
        Set<UUID> pending = new HashSet<>(tasks.keySet());
        for (int round = 0; !pending.isEmpty() && round < 200; round++) {
            claim(good, false);
            while (!good.held.isEmpty()) {
                LeasedTask leased = good.held.remove(0);
                assertThat(report(good, new Report(leased.lease(), Ending.Succeeded.PLAIN))
                                .status())
                        .isEqualTo(Status.APPLIED);
            }
            pass(Duration.ofSeconds(2));
            pending.removeIf(id -> tasks.get(id).isFinal());
        }
        assertThat(pending).as("tasks that never ended").isEmpty();
    }

    private void check() {
        for (TaskModel model : tasks.values()) {
            Task task = engine.tasks().find(model.id()).orElseThrow();
            model.check(task);
        }
        long letters = engine.tasks().count(TaskQuery.ALL.topic(DEAD)).stream()
                .mapToLong(TaskCount::count)
                .sum();
        assertThat(letters)
                .as("dead letters")
                .isEqualTo(tasks.values().stream()
                        .filter(TaskModel::leavesDeadLetter)
                        .count());
    }

    @Override
    public void close() {
        engine.close();
    }
}
