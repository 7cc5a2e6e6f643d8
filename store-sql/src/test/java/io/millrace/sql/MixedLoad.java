package io.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.ClaimOrder;
import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Page;
import io.millrace.Payload;
import io.millrace.Retention;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.When;
import io.millrace.spi.Change;
import io.millrace.spi.ChangeResult;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.TimeFrom;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.OverdueLease;
import io.millrace.spi.Selection;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry.Introduction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/** Everything that nodes do to a store, by chance; each method is one step of somebody. */
final class MixedLoad {
    private static final Duration KEPT = Duration.ofDays(1);
    private static final Duration ALIVE = Duration.ofMinutes(5);
    private static final List<String> TOPICS = List.of("a", "b", "c");
    private static final Change.Cancel CANCEL = new Change.Cancel(Map.of());
    /** Less than a millisecond, too: stores count in those. */
    private static final List<Duration> DELAYS =
            List.of(Duration.ZERO, Duration.ofNanos(300_000), Duration.ofMillis(1), Duration.ofMillis(15));

    private final Ledger ledger;
    private final Queue<UUID> waiting = new ConcurrentLinkedQueue<>();
    private final Queue<Lease> recent = new ConcurrentLinkedQueue<>();

    MixedLoad(Ledger ledger) {
        this.ledger = ledger;
    }

    // producers

    void produce(TaskStore store, Random chance) {
        List<EnqueueRequest> requests = new ArrayList<>();
        int count = chance.nextInt(3) == 0 ? 1 + chance.nextInt(4) : 1;
        for (int i = 0; i < count; i++) {
            List<NewTask> tasks = new ArrayList<>();
            int size = chance.nextInt(3) == 0 ? 1 + chance.nextInt(30) : 1;
            for (int j = 0; j < size; j++) {
                tasks.add(task(chance));
            }
            requests.add(new EnqueueRequest(tasks, chance.nextInt(5) == 0 ? Map.of("a", 100_000) : Map.of()));
        }
        List<EnqueueResult> results = store.enqueue(requests);
        for (int i = 0; i < count; i++) {
            if (results.get(i) instanceof EnqueueResult.Overdue overdue) {
                expire(store, overdue.tasks());
                continue;
            }
            List<EnqueueResult.Item> items = ((EnqueueResult.Stored) results.get(i)).items();
            for (int j = 0; j < items.size(); j++) {
                if (!items.get(j).duplicate()) {
                    accepted(requests.get(i).tasks().get(j));
                }
            }
        }
    }

    private void expire(TaskStore store, List<UUID> overdue) {
        Map<UUID, Next.Finish> ends = new HashMap<>();
        overdue.forEach(id -> ends.put(id, Next.Finish.as(TaskState.EXPIRED, Duration.ofDays(1))));
        for (ChangeResult.Item item : store.change(new Selection.Ids(overdue), new Change.Expire(ends), overdue.size())
                .items()) {
            if (item.status() == ChangeResult.Status.CHANGED) {
                ledger.end(item.id());
            }
        }
    }

    private void accepted(NewTask task) {
        ledger.accept(task);
        for (int i = 0; i < task.waitFor(); i++) {
            waiting.add(task.id());
        }
    }

    private static NewTask task(Random chance) {
        NewTask.Builder task = NewTask.builder(TOPICS.get(chance.nextInt(TOPICS.size())))
                .priority(chance.nextInt(3))
                .payload(Payload.bytes(new byte[chance.nextInt(300)]));
        switch (chance.nextInt(12)) {
            case 0, 1 -> task.uniqueKey("key " + chance.nextInt(8));
            case 2, 3 -> task.delay(DELAYS.get(chance.nextInt(DELAYS.size())));
            case 4 -> task.waitFor(1 + chance.nextInt(2));
            case 5 -> task.timeout(Duration.ofMillis(1 + chance.nextInt(30)));
            case 6 -> task.retention(new Retention(Duration.ZERO, Duration.ZERO));
            case 7 -> task.deadline(Duration.ofMillis(1 + chance.nextInt(30)));
            case 8 -> task.uniqueKey("key " + chance.nextInt(8)).deadline(Duration.ofMillis(1 + chance.nextInt(30)));
            default -> {}
        }
        return task.build();
    }

    // workers

    UUID register(TaskStore store) {
        return store.workers().register(Introduction.ANONYMOUS, ALIVE);
    }

    /** @return how many tasks it got */
    int work(TaskStore store, UUID worker, Random chance) {
        List<LeasedTask> tasks = claim(store, worker, 1 + chance.nextInt(25));
        if (tasks.isEmpty()) {
            return 0;
        }
        List<Completion> completions = new ArrayList<>();
        Set<UUID> forgotten = new HashSet<>();
        for (LeasedTask task : tasks) {
            recent.add(task.lease());
            if (chance.nextInt(20) == 0) {
                forgotten.add(task.task().id());
            } else {
                completions.add(completion(task, chance));
            }
        }
        if (chance.nextInt(3) == 0) {
            Set<UUID> holding =
                    tasks.stream().map(task -> task.task().id()).collect(Collectors.toCollection(HashSet::new));
            holding.removeAll(forgotten);
            // what was claimed in the same millisecond is not old enough to be given up
            Set<UUID> started = chance.nextBoolean() ? holding : Set.of();
            var unused = store.workers().renew(new Heartbeat(worker, holding, Duration.ZERO, started, List.of()));
        }
        int middle = chance.nextInt(completions.size() + 1);
        complete(store, completions.subList(0, middle));
        complete(store, completions.subList(middle, completions.size()));
        if (chance.nextInt(4) == 0) {
            repeat(store, completions);
        }
        recent.removeAll(tasks.stream().map(LeasedTask::lease).toList());
        return tasks.size();
    }

    List<LeasedTask> claim(TaskStore store, UUID worker, int max) {
        List<ClaimRequest.FromTopic> from = TOPICS.stream()
                .map(topic -> new ClaimRequest.FromTopic(topic, max / 3, TopicPolicy.DEFAULT))
                .toList();
        ClaimOrder order = max % 4 == 0 ? ClaimOrder.OLDEST : ClaimOrder.SHARE;
        ClaimResult result = store.claim(List.of(new ClaimRequest(worker, from, max, TimeFrom.START, order)))
                .get(0);
        result.tasks().forEach(task -> ledger.claim(task.lease()));
        Next expired = Next.Finish.as(TaskState.EXPIRED, Duration.ofDays(1));
        complete(
                store,
                result.overdue().stream()
                        .map(late -> new Completion(late.lease(), false, Outcome.RELEASED, null, expired, expired))
                        .toList());
        return result.tasks();
    }

    void complete(TaskStore store, List<Completion> completions) {
        List<CompletionResult> results = store.complete(completions);
        for (int i = 0; i < results.size(); i++) {
            CompletionResult result = results.get(i);
            TaskState state = result.state();
            if (result.status() == CompletionResult.Status.APPLIED && state != null) {
                applied(completions.get(i), state, result.released());
            }
        }
    }

    private void applied(Completion completion, TaskState state, List<UUID> released) {
        if (state.isFinal()) {
            ledger.end(completion.lease().task());
        }
        ledger.release(released);
        if (completion.next() instanceof Next.Finish finish && state == finish.state()) {
            finish.spawned().forEach(task -> {
                ledger.accept(task);
                if (task.waitFor() > 0 && !finish.arrivals().contains(task.id())) {
                    waiting.add(task.id());
                }
            });
        }
    }

    private static void repeat(TaskStore store, List<Completion> completions) {
        assertThat(store.complete(completions))
                .extracting(CompletionResult::status)
                .doesNotContain(CompletionResult.Status.APPLIED);
    }

    private Completion completion(LeasedTask task, Random chance) {
        Lease lease = task.lease();
        if (task.task().tally().attempts() > 6) {
            return success(task, List.of(), List.of());
        }
        Duration delay = DELAYS.get(chance.nextInt(DELAYS.size()));
        return switch (chance.nextInt(14)) {
            case 0, 1 -> requeue(lease, Outcome.FAILED, Next.Reason.RETRY, delay);
            case 2 -> requeue(lease, Outcome.RELEASED, Next.Reason.RELEASE, Duration.ZERO);
            case 3 -> requeue(lease, Outcome.SNOOZED, Next.Reason.SNOOZE, delay);
            case 4 -> success(task, List.of(spawned(chance, 0), spawned(chance, 1)), List.of());
            case 5 -> {
                NewTask spawned = spawned(chance, 1);
                yield success(task, List.of(spawned), List.of(spawned.id()));
            }
            case 6, 7 -> {
                UUID waits = waiting.poll();
                yield success(task, List.of(), waits == null ? List.of() : List.of(waits));
            }
            default -> success(task, List.of(), List.of());
        };
    }

    private static NewTask spawned(Random chance, int waitFor) {
        return NewTask.builder(TOPICS.get(chance.nextInt(TOPICS.size())))
                .priority(chance.nextInt(3))
                .waitFor(waitFor)
                .build();
    }

    static Completion success(LeasedTask task, List<NewTask> spawned, List<UUID> arrivals) {
        Duration own = task.task().given().retention().succeeded();
        Duration kept = own == null ? KEPT : own;
        Next next = new Next.Finish(TaskState.SUCCEEDED, kept, null, spawned, arrivals);
        Next ifCancelled = new Next.Finish(TaskState.CANCELLED, kept, null, List.of(), List.of());
        return new Completion(task.lease(), Outcome.SUCCEEDED, null, next, ifCancelled);
    }

    private static Completion requeue(Lease lease, Outcome outcome, Next.Reason reason, Duration delay) {
        return new Completion(
                lease, outcome, "again", new Next.Requeue(delay, reason), Next.Finish.as(TaskState.CANCELLED, KEPT));
    }

    // others

    /** Says something about tasks that others run. */
    void tell(TaskStore store, Random chance) {
        Lease lease = recent.peek();
        if (lease != null) {
            Heartbeat.Report report =
                    new Heartbeat.Report(lease, chance.nextInt(100), "on the way", Duration.ofMinutes(1));
            var unused = store.workers().renew(new Heartbeat(lease.worker(), null, Duration.ZERO, List.of(report)));
        }
    }

    /** @return how many it took over */
    int reap(TaskStore store, UUID reaper) {
        List<OverdueLease> overdue = store.claimExpired(reaper, 50);
        complete(
                store,
                overdue.stream()
                        .map(each -> requeue(each.leased().lease(), Outcome.LOST, Next.Reason.LOSS, Duration.ZERO))
                        .toList());
        return overdue.size();
    }

    void operate(TaskStore store, Random chance) {
        Selection some = new Selection.Ids(List.of(ledger.any(), ledger.any(), ledger.any()));
        Selection matching =
                new Selection.Matching(TaskQuery.ALL.topic("b").state(TaskState.SCHEDULED, TaskState.READY), null);
        switch (chance.nextInt(8)) {
            case 0, 1 -> change(store, some, CANCEL);
            case 2 -> change(store, some, new Change.Reschedule(When.NOW));
            case 3 -> change(store, some, new Change.Reschedule(When.after(Duration.ofMillis(5))));
            case 4 -> change(store, some, new Change.Retry());
            case 5 -> change(store, some, new Change.Delete());
            case 6 -> change(store, matching, chance.nextBoolean() ? CANCEL : new Change.Reschedule(When.NOW));
            default -> change(store, new Selection.PastRetention(), new Change.Delete());
        }
    }

    private void change(TaskStore store, Selection selection, Change change) {
        ChangeResult result = store.change(selection, change, 5);
        Set<UUID> seen = new HashSet<>();
        for (ChangeResult.Item item : result.items()) {
            if (seen.add(item.id())) {
                ledger.change(
                        item,
                        change instanceof Change.Cancel,
                        change instanceof Change.Retry,
                        change instanceof Change.Delete);
            }
        }
    }

    void look(TaskStore store, Random chance) {
        TaskQuery query = chance.nextBoolean() ? TaskQuery.ALL.pending() : TaskQuery.ALL.topic("a");
        Page<Task> page = store.list(query, null, 20);
        assertThat(page.items()).extracting(Task::id).doesNotHaveDuplicates();
        assertThat(store.count(query)).allMatch(count -> count.count() > 0);
        assertThat(store.get(Set.of(ledger.any()))).hasSizeLessThanOrEqualTo(1);
        assertThat(store.workers().list()).allMatch(worker -> worker.running() >= 0);
    }

    /** Runs what is left, one step. @return whether nothing is left */
    boolean drain(TaskStore store, UUID worker) {
        complete(
                store,
                claim(store, worker, 500).stream()
                        .map(task -> success(task, List.of(), List.of()))
                        .toList());
        var unused = reap(store, worker);
        List<Task> stuck =
                store.list(TaskQuery.ALL.state(TaskState.WAITING), null, 500).items();
        if (!stuck.isEmpty()) {
            change(store, new Selection.Ids(stuck.stream().map(Task::id).toList()), CANCEL);
        }
        return store.count(TaskQuery.ALL.pending()).isEmpty();
    }
}
