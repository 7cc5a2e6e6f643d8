package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.ClaimOrder;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.spi.Change;
import io.millrace.spi.ChangeResult;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.TimeFrom;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.Completion;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.Lease;
import io.millrace.spi.Next;
import io.millrace.spi.OverdueLease;
import io.millrace.spi.Selection;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry.Introduction;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Calls a store at random and has the {@link Model} check every answer. The same seed makes the same calls. */
final class RandomOperations {
    private static final int REMEMBERED_CALLS = 25;
    private static final int REMEMBERED_LEASES = 40;
    private static final int CALLS_BETWEEN_COMPARISONS = 10;

    private final StoreFixture fixture;
    private final TaskStore store;
    private final long seed;
    private final RandomInput input;
    private final Model model;
    private final ModelEnqueue enqueues;
    private final ModelClaim claims;
    private final ModelCompletion completions;
    private final ModelLeases leases;
    private final ModelChange changes;

    private final List<UUID> workers = new ArrayList<>();
    private final Deque<Lease> handedOut = new ArrayDeque<>();
    private final Deque<String> journal = new ArrayDeque<>();

    RandomOperations(StoreFixture fixture, long seed) {
        this.fixture = fixture;
        this.seed = seed;
        store = fixture.store();
        input = new RandomInput(seed);
        model = new Model(store.now());
        enqueues = new ModelEnqueue(model);
        claims = new ModelClaim(model);
        completions = new ModelCompletion(model, enqueues);
        leases = new ModelLeases(model);
        changes = new ModelChange(model);
    }

    void run(int calls) {
        int call = 0;
        try {
            register();
            for (call = 1; call <= calls; call++) {
                step();
                if (call % CALLS_BETWEEN_COMPARISONS == 0) {
                    model.compareWith(store);
                }
            }
        } catch (AssertionError | RuntimeException e) {
            String last = String.join("\n", journal);
            throw new AssertionError("seed " + seed + ", call " + call + ", " + e + "\nLast calls:\n" + last, e);
        }
    }

    private void step() {
        int dice = input.between(1, 100);
        if (dice <= 20) {
            enqueue();
        } else if (dice <= 45) {
            claim();
        } else if (dice <= 65) {
            complete();
        } else if (dice <= 73) {
            renew();
        } else if (dice <= 78) {
            reap();
        } else if (dice <= 84) {
            changeByIds();
        } else if (dice <= 87) {
            changeMatching();
        } else if (dice <= 90) {
            removePast();
        } else if (dice <= 93) {
            moveWorkers();
        } else if (dice <= 95) {
            query();
        } else {
            advance();
        }
    }

    private void note(Object... call) {
        StringBuilder line = new StringBuilder(model.now.toString());
        for (Object part : call) {
            line.append(' ').append(String.valueOf(part).replace("\n", " "));
        }
        journal.addLast(line.toString());
        if (journal.size() > REMEMBERED_CALLS) {
            journal.removeFirst();
        }
    }

    private void advance() {
        Duration time = input.seconds(1, 8);
        note("advance", time);
        fixture.advance(time);
        model.now = store.now();
    }

    private void enqueue() {
        List<EnqueueRequest> requests = input.some(1, 2, input::request);
        note("enqueue", requests);
        List<EnqueueResult> results = store.enqueue(requests);
        enqueues.check(requests, results);
        results.forEach(this::expireOverdue);
    }

    private void expireOverdue(EnqueueResult result) {
        if (result instanceof EnqueueResult.Overdue overdue) {
            Map<UUID, Next.Finish> ends = new HashMap<>();
            overdue.tasks().forEach(id -> ends.put(id, Next.Finish.as(TaskState.EXPIRED, input.retention())));
            List<UUID> ids = overdue.tasks().stream().distinct().toList();
            change(ids, new Change.Expire(ends));
        }
    }

    private void claim() {
        List<ClaimRequest> requests = input.some(
                1,
                2,
                () -> new ClaimRequest(
                        input.oneOf(workers),
                        input.topics(),
                        input.between(1, 6),
                        input.oneOf(List.of(TimeFrom.values())),
                        ClaimOrder.SHARE));
        List<ClaimResult> results = store.claim(requests);
        note("claim", requests, results);
        claims.check(requests, results);
        results.forEach(result -> {
            result.tasks().forEach(leased -> remember(leased.lease()));
            result.overdue().forEach(leased -> remember(leased.lease()));
        });
    }

    private void remember(Lease lease) {
        handedOut.addLast(lease);
        if (handedOut.size() > REMEMBERED_LEASES) {
            handedOut.removeFirst();
        }
    }

    /** The leases are those of a while ago, good or not. */
    private void complete() {
        if (handedOut.isEmpty()) {
            return;
        }
        List<Lease> known = List.copyOf(handedOut);
        List<Completion> batch = input.some(1, 4, () -> input.completion(input.perhapsSpoilt(input.oneOf(known))));
        note("complete", batch);
        completions.check(batch, store.complete(batch));
        // whether a stale report is a sign of life too is left open; after this all know the same
        batch.forEach(completion -> heartbeat(Heartbeat.of(completion.lease().worker())));
    }

    private void renew() {
        UUID worker = input.oneOf(workers);
        Set<UUID> holding = new HashSet<>(input.some(0, 2, input::knownOrNewId));
        handedOut.forEach(lease -> {
            if (lease.worker().equals(worker) && input.happens(80)) {
                holding.add(lease.task());
            }
        });
        List<Heartbeat.Report> reports = new ArrayList<>();
        for (Lease lease : handedOut) {
            if (lease.worker().equals(worker) && input.happens(40)) {
                Duration extend = input.happens(30) ? input.seconds(1, 40).plusMillis(500) : null;
                reports.add(new Heartbeat.Report(input.perhapsSpoilt(lease), input.between(0, 100), null, extend));
            }
        }
        Set<UUID> started = new HashSet<>(holding);
        started.removeIf(id -> input.happens(50));
        Duration grace = input.seconds(0, 10).plusMillis(300);
        heartbeat(new Heartbeat(worker, input.happens(50) ? holding : null, grace, started, reports));
    }

    private void heartbeat(Heartbeat heartbeat) {
        note("renew", heartbeat);
        leases.check(heartbeat, store.workers().renew(heartbeat));
    }

    private void reap() {
        UUID reaper = input.oneOf(workers);
        if (!model.isAlive(reaper)) {
            return;
        }
        int limit = input.between(1, 5);
        List<OverdueLease> taken = store.claimExpired(reaper, limit);
        note("claimExpired", reaper, limit, taken);
        leases.check(reaper, limit, taken);
        taken.forEach(overdue -> remember(overdue.leased().lease()));
        heartbeat(Heartbeat.of(reaper));
    }

    private void changeByIds() {
        List<UUID> ids =
                input.some(1, 3, input::knownOrNewId).stream().distinct().toList();
        change(ids, input.change());
    }

    private void change(List<UUID> ids, Change change) {
        note("change", ids, change);
        changes.checkIds(
                ids,
                change,
                store.change(new Selection.Ids(ids), change, ids.size()).items());
    }

    private void changeMatching() {
        TaskQuery query = input.query();
        Change change = input.change();
        int limit = input.between(1, 10);
        note("change", query, change, limit);
        List<ModelTask> matching = model.matching(query);
        List<ChangeResult.Item> items = new ArrayList<>();
        String cursor = null;
        do {
            ChangeResult step = store.change(new Selection.Matching(query, cursor), change, limit);
            items.addAll(step.items());
            cursor = step.next();
        } while (cursor != null);
        changes.checkMatching(matching, change, items);
    }

    private void removePast() {
        int limit = input.between(1, 10);
        note("delete past retention", limit);
        changes.checkPastRetention(
                limit,
                store.change(new Selection.PastRetention(), new Change.Delete(), limit)
                        .items());
    }

    /** Keeps a handful of workers, some of them dead. */
    private void moveWorkers() {
        UUID worker = input.oneOf(workers);
        Model.ModelWorker known = model.workers.get(worker);
        if (workers.size() < 4 || input.happens(40)) {
            register();
        } else if (known != null && input.happens(50)) {
            note("leave", worker);
            assertThat(store.workers().leave(worker)).isEqualTo(model.isAlive(worker));
            known.left |= model.isAlive(worker);
        } else if (known != null) {
            note("stop", worker);
            assertThat(store.workers().requestStop(worker)).isEqualTo(model.isAlive(worker));
            known.stopping |= model.isAlive(worker);
        }
        if (workers.size() > 7) {
            workers.remove(0);
        }
    }

    private void register() {
        Duration expiresAfter = input.seconds(10, 60).plusMillis(250);
        UUID worker = store.workers().register(Introduction.ANONYMOUS, expiresAfter);
        note("register", worker, expiresAfter);
        model.register(worker, expiresAfter);
        workers.add(worker);
    }

    private void query() {
        TaskQuery query = input.query();
        note("list and count", query);
        List<UUID> expected =
                model.matching(query).stream().map(task -> task.given.id()).toList();
        assertThat(StoreInvariants.scan(store, query)).extracting(Task::id).containsExactlyElementsOf(expected);
        assertThat(store.count(query).stream().mapToLong(TaskCount::count).sum())
                .isEqualTo(expected.size());
    }
}
