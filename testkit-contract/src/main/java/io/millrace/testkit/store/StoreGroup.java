package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.ClaimOrder;
import io.millrace.NewTask;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.Worker;
import io.millrace.spi.Change;
import io.millrace.spi.ChangeResult;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.FromTopic;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Selection;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry.Introduction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the groups of the contract share: a new store for each test, words to use it with, and the check afterwards. */
abstract class StoreGroup {
    static final String TOPIC = "topic";
    static final String OTHER = "other";
    static final Duration MINUTE = Duration.ofMinutes(1);

    /** How long a worker lives that is not to die in a test. */
    static final Duration FOREVER = Duration.ofDays(1_000);

    static final int ALL_OF_THEM = 1_000;

    StoreFixture fixture;
    TaskStore store;

    abstract StoreFixture newFixture();

    @BeforeEach
    final void openStore() {
        fixture = newFixture();
        store = fixture.store();
    }

    @AfterEach
    final void checkInvariantsAndClose() {
        try {
            StoreInvariants.check(fixture.store());
        } finally {
            fixture.close();
        }
    }

    final Instant now() {
        return store.now();
    }

    final void advance(Duration time) {
        fixture.advance(time);
    }

    static NewTask.Builder task() {
        return NewTask.builder(TOPIC);
    }

    static NewTask.Builder task(String topic) {
        return NewTask.builder(topic);
    }

    /** Enqueues a task that is no duplicate. */
    final UUID add(NewTask.Builder builder) {
        NewTask task = builder.build();
        assertThat(enqueue(EnqueueRequest.of(task))).isEqualTo(storedAsNew(task));
        return task.id();
    }

    final UUID add() {
        return add(task());
    }

    final List<UUID> addSome(int number) {
        return Stream.generate(this::add).limit(number).toList();
    }

    final EnqueueResult enqueue(EnqueueRequest request) {
        return onlyOne(store.enqueue(List.of(request)));
    }

    static EnqueueResult storedAsNew(NewTask... tasks) {
        return new EnqueueResult.Stored(Stream.of(tasks)
                .map(task -> new EnqueueResult.Item(task.id(), false))
                .toList());
    }

    /** Registers a worker that outlives the test. */
    final UUID worker() {
        return mortal(FOREVER);
    }

    final UUID mortal(Duration expiresAfter) {
        return store.workers().register(Introduction.ANONYMOUS, expiresAfter);
    }

    final ClaimResult claim(UUID worker, int max, FromTopic... topics) {
        return onlyOne(store.claim(List.of(new ClaimRequest(worker, List.of(topics), max))));
    }

    final ClaimResult claim(UUID worker, int max) {
        return claim(worker, max, from(TOPIC));
    }

    /** Claims the next task of the usual topic, which must have one. */
    final LeasedTask claimOne(UUID worker) {
        return claimOne(worker, from(TOPIC));
    }

    final LeasedTask claimOne(UUID worker, FromTopic topic) {
        return onlyOne(claim(worker, 1, topic).tasks());
    }

    /** Claims as a worker that says when it starts a task. */
    final LeasedTask claimForStart(UUID worker, String topic) {
        ClaimRequest request =
                new ClaimRequest(worker, List.of(from(topic)), 1, ClaimRequest.TimeFrom.START, ClaimOrder.SHARE);
        return onlyOne(onlyOne(store.claim(List.of(request))).tasks());
    }

    final void start(UUID worker, UUID... tasks) {
        store.workers().renew(new Heartbeat(worker, null, Duration.ZERO, Set.of(tasks), List.of()));
    }

    /** Has the only task that is past its deadline end as EXPIRED. */
    final UUID expireOne() {
        LeasedTask overdue = onlyOne(claim(worker(), 1).overdue());
        apply(Reports.expired(overdue.lease()));
        return overdue.task().id();
    }

    /** Enqueues a task and claims it. */
    final LeasedTask running(UUID worker) {
        return running(worker, task("t-" + UUID.randomUUID()));
    }

    final LeasedTask running(UUID worker, NewTask.Builder builder) {
        UUID id = add(builder);
        LeasedTask leased = claimOne(worker, from(read(id).topic()));
        assertThat(leased.task().id()).isEqualTo(id);
        return leased;
    }

    /** Brings a task into a state in which it is pending. */
    final UUID pending(TaskState state, NewTask.Builder builder) {
        return switch (state) {
            case WAITING -> add(builder.waitFor(1));
            case SCHEDULED -> add(builder.delay(MINUTE));
            case READY -> add(builder);
            case RUNNING -> running(worker(), builder).task().id();
            default -> throw new IllegalArgumentException(state + " is not pending");
        };
    }

    static FromTopic from(String topic) {
        return from(topic, TopicPolicy.DEFAULT);
    }

    static FromTopic from(String topic, TopicPolicy policy) {
        return new FromTopic(topic, ALL_OF_THEM, policy);
    }

    static List<UUID> ids(ClaimResult claimed) {
        return claimed.tasks().stream().map(leased -> leased.task().id()).toList();
    }

    final CompletionResult complete(Completion completion) {
        return onlyOne(store.complete(List.of(completion)));
    }

    final void apply(Completion completion) {
        assertThat(complete(completion).status()).isEqualTo(CompletionResult.Status.APPLIED);
    }

    final void succeed(LeasedTask leased) {
        apply(Reports.success(leased.lease()));
    }

    /** Enqueues a task and has it succeed. */
    final UUID finished(NewTask.Builder builder) {
        LeasedTask leased = running(worker(), builder);
        succeed(leased);
        return leased.task().id();
    }

    final ChangeResult change(Change change, UUID... ids) {
        return store.change(new Selection.Ids(List.of(ids)), change, ALL_OF_THEM);
    }

    final ChangeResult.Status changeOne(Change change, UUID id) {
        return onlyOne(change(change, id).items()).status();
    }

    final void report(LeasedTask leased, int percent) {
        report(new Heartbeat.Report(leased.lease(), percent, null, null));
    }

    final boolean report(Heartbeat.Report report) {
        Lease lease = report.lease();
        Heartbeat heartbeat = new Heartbeat(lease.worker(), null, Duration.ZERO, List.of(report));
        return onlyOne(store.workers().renew(heartbeat).applied());
    }

    /** Its worker is heard of. */
    final void showAlive(LeasedTask leased) {
        store.workers().renew(Heartbeat.of(leased.lease().worker()));
    }

    final Optional<Task> find(UUID id) {
        return store.get(List.of(id)).stream().findFirst();
    }

    final Task read(UUID id) {
        return find(id).orElseThrow(() -> new AssertionError("there is no task " + id));
    }

    final Worker readWorker(UUID id) {
        return onlyOne(store.workers().list().stream()
                .filter(worker -> worker.id().equals(id))
                .toList());
    }

    static Task.Hold hold(Task task) {
        return Objects.requireNonNull(task.hold(), () -> task + " has no hold");
    }

    final List<UUID> listed(TaskQuery query) {
        return StoreInvariants.scan(store, query).stream().map(Task::id).toList();
    }

    static <T> T onlyOne(List<T> items) {
        assertThat(items).hasSize(1);
        return items.get(0);
    }
}
