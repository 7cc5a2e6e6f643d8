package io.millrace.sql;

import io.millrace.InvalidValueException;
import io.millrace.NewTask;
import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.spi.Change;
import io.millrace.spi.ChangeResult;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.OverdueLease;
import io.millrace.spi.Records;
import io.millrace.spi.Selection;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WakeUpListener;
import io.millrace.spi.WorkerRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Tasks in a database, shared by any number of nodes. Each call is one transaction. */
final class SqlStore implements TaskStore {
    /** How many tasks one step of a walk looks at, for each that it may give or change. */
    private static final int LOOKS = 10;

    private final Database database;
    private final InstantSource clock;
    private final Lanes lanes;
    private final Snapshots snapshots;
    private final SqlRecords records;
    private final SqlWorkers workers;
    private final TallyWatch watch;
    private final Signals signals;
    /** For so many more calls. */
    private final AtomicInteger knownIdsExpected = new AtomicInteger();

    private volatile @Nullable WakeUpListener listener;

    /** @param url for connections beside the pool */
    SqlStore(Database database, InstantSource clock, String url) {
        this.database = database;
        this.clock = clock;
        lanes = new Lanes(database);
        snapshots = new Snapshots(lanes);
        records = new SqlRecords(database, this::tellRecordsChanged);
        workers = new SqlWorkers(database, lanes, clock::millis);
        watch = new TallyWatch(database, lanes, () -> listener);
        signals = database.dialect() instanceof PostgresDialect
                ? new PostgresSignals(url, database, () -> listener)
                : Signals.NONE;
    }

    /** What is done to tasks in a transaction. */
    private interface Action<T> {
        T run(Work work) throws SQLException;
    }

    private record Done<T>(T result, Set<String> ready) {}

    private <T> Done<T> run(Tx tx, long now, Action<T> action) throws SQLException {
        Work work = new Work(tx, lanes, now);
        T result = action.run(work);
        work.write();
        return new Done<>(result, work.newlyReady());
    }

    private <T> T change(Action<T> action) {
        long now = clock.millis();
        return told(database.change(tx -> run(tx, now, action)));
    }

    private <T> T told(Done<T> done) {
        WakeUpListener told = listener;
        if (told != null) {
            done.ready.forEach(told::ready);
        }
        signals.send(done.ready);
        return done.result;
    }

    @Override
    public Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }

    @Override
    public List<EnqueueResult> enqueue(List<EnqueueRequest> requests) {
        if (requests.isEmpty()) {
            return List.of();
        }
        lanes.prepare(Enqueuing.priorities(Enqueuing.tasks(requests)));
        Optional<List<EnqueueResult>> taken = knownIdsExpected.get() == 0 ? take(requests) : Optional.empty();
        return taken.orElseGet(() -> enqueueStepByStep(requests));
    }

    private List<EnqueueResult> enqueueStepByStep(List<EnqueueRequest> requests) {
        return change(work -> {
            Set<Integer> locked = Enqueuing.lanesToLock(lanes, requests, work.now);
            Lanes.lock(work.tx, locked);
            boolean expectsNewIds = !work.tx.isTriedAgain()
                    && knownIdsExpected.get() == 0
                    // what is there already takes no room
                    && requests.stream()
                            .allMatch(request -> request.capacities().isEmpty());
            List<EnqueueResult> results = new Enqueuing(work).enqueue(requests, locked, expectsNewIds);
            expect(results);
            return results;
        });
    }

    /** Tries the quick way. */
    private Optional<List<EnqueueResult>> take(List<EnqueueRequest> requests) {
        Taking taking = new Taking(lanes, requests);
        if (!taking.isPossible(database.dialect())) {
            return Optional.empty();
        }
        long now = clock.millis();
        Optional<List<EnqueueResult>> taken = database.change(tx -> {
            if (tx.isTriedAgain()) {
                // most likely a task is there already
                knownIdsExpected.compareAndSet(0, 1);
                return Optional.empty();
            }
            return taking.take(tx, now);
        });
        return taken.map(results -> told(new Done<>(results, taking.topics())));
    }

    @Override
    public EnqueueResult enqueueIn(Connection transaction, EnqueueRequest request) {
        checkTransaction(transaction);
        for (NewTask task : request.tasks()) {
            if (task.uniqueKey() != null) {
                throw new InvalidValueException(
                        "uniqueKey",
                        task.uniqueKey(),
                        "a task that is part of a transaction can have none: others with the same key would wait for it");
            }
        }
        lanes.prepare(Enqueuing.priorities(request.tasks()));
        return database.changeIn(
                        transaction, tx -> run(tx, clock.millis(), work -> new Enqueuing(work).enqueueAside(request)))
                .result;
    }

    private static void checkTransaction(Connection transaction) {
        try {
            if (transaction.getAutoCommit()) {
                throw new InvalidValueException(
                        "transaction", "autoCommit=true", "the connection must not commit by itself");
            }
        } catch (SQLException e) {
            throw new InvalidValueException("transaction", "a closed connection", "it must be open: " + e.getMessage());
        }
    }

    /** Whoever sends tasks again that are there already will do so more than once. */
    private void expect(List<EnqueueResult> results) {
        for (EnqueueResult result : results) {
            if (result instanceof EnqueueResult.Stored stored
                    && stored.items().stream().anyMatch(EnqueueResult.Item::duplicate)) {
                knownIdsExpected.set(100);
                return;
            }
        }
        knownIdsExpected.updateAndGet(calls -> Math.max(0, calls - 1));
    }

    @Override
    public List<ClaimResult> claim(List<ClaimRequest> requests) {
        long now = clock.millis();
        // a claim that is lost with the database's machine is as good as one that was never made
        return told(database.changeSoon(tx ->
                run(tx, now, work -> new Claiming(work, new Workers(tx, work.now), snapshots).claim(requests))));
    }

    @Override
    public List<CompletionResult> complete(List<Completion> completions) {
        if (completions.isEmpty()) {
            return List.of();
        }
        List<NewTask> spawned = Completing.spawned(completions);
        lanes.prepare(Enqueuing.priorities(spawned));
        return change(work -> new Completing(work, new Workers(work.tx, work.now)).complete(completions));
    }

    @Override
    public List<OverdueLease> claimExpired(UUID reaper, int limit) {
        return change(
                work -> new Reaping(work, new Workers(work.tx, work.now), snapshots, reaper, limit).claimExpired());
    }

    @Override
    public List<Task> get(Collection<UUID> ids) {
        long now = clock.millis();
        return database.read(tx -> {
            List<Long> nums = ids.isEmpty() ? List.of() : tx.query(Sql.NUMS_BY_ID, Row::number, new TreeSet<>(ids));
            return List.copyOf(snapshots.load(tx, nums, now).values());
        });
    }

    @Override
    public Page<Task> list(TaskQuery query, @Nullable String cursor, int limit) {
        Querying querying = new Querying(lanes, snapshots, query);
        long after = Querying.parse(cursor);
        SortedMap<Long, Task> found = new TreeMap<>();
        boolean more = true;
        while (more && found.size() <= limit) {
            long from = after;
            long now = clock.millis();
            int step = Math.max(limit + 1, 100);
            record Step(List<Long> nums, SortedMap<Long, Task> tasks) {}
            Step done = database.read(tx -> {
                List<Long> nums = querying.candidates(tx, from, step);
                return new Step(nums, querying.matching(tx, nums, now));
            });
            found.putAll(done.tasks);
            more = done.nums.size() == step;
            after = done.nums.isEmpty() ? after : done.nums.get(done.nums.size() - 1);
        }
        List<Task> items = new ArrayList<>(found.values());
        if (items.size() <= limit) {
            return new Page<>(items, null);
        }
        long last = new ArrayList<>(found.keySet()).get(limit - 1);
        return new Page<>(List.copyOf(items.subList(0, limit)), Querying.cursor(last));
    }

    @Override
    public List<TaskCount> count(TaskQuery query) {
        promoteDue();
        if (query.isByTopicAndStateOnly()) {
            return database.read(tx -> countByTally(tx, query));
        }
        Map<String, Map<TaskState, Long>> counts = new TreeMap<>();
        String cursor = null;
        do {
            Page<Task> page = list(query, cursor, 1_000);
            page.items()
                    .forEach(task -> counts.computeIfAbsent(task.topic(), any -> new TreeMap<>())
                            .merge(task.state(), 1L, Long::sum));
            cursor = page.next();
        } while (cursor != null);
        List<TaskCount> result = new ArrayList<>();
        counts.forEach(
                (topic, states) -> states.forEach((state, count) -> result.add(new TaskCount(topic, state, count))));
        return result;
    }

    private void promoteDue() {
        long now = clock.millis();
        List<Integer> due = database.read(tx -> tx.query(Sql.DUE_BY_LANE, Row::smallNumber, now));
        if (!due.isEmpty()) {
            var unused = change(work -> {
                lanes.learn(work.tx, due);
                Lanes.lock(work.tx, due);
                work.promote(due);
                return due;
            });
        }
    }

    private List<TaskCount> countByTally(Tx tx, TaskQuery query) throws SQLException {
        lanes.learn(tx);
        List<TaskCount> counts = new ArrayList<>();
        var unused = tx.query(Sql.COUNTS, row -> {
            String topic = lanes.byId(row.smallNumber()).topic();
            TaskState state = Codes.STATES.at(row.smallNumber());
            long count = row.number();
            boolean wanted = (query.topic() == null || query.topic().equals(topic))
                    && (query.states().isEmpty() || query.states().contains(state));
            return wanted && count > 0 && counts.add(new TaskCount(topic, state, count));
        });
        return counts;
    }

    @Override
    public ChangeResult change(Selection selection, Change change, int limit) {
        if (selection instanceof Selection.Ids chosen) {
            return changeIds(chosen.ids(), change);
        }
        if (selection instanceof Selection.Matching matching) {
            return changeMatching(matching, change, limit);
        }
        return changePastRetention(change, limit);
    }

    private ChangeResult changeIds(List<UUID> ids, Change change) {
        List<ChangeResult.Item> changed = ids.isEmpty()
                ? List.of()
                : change(work -> {
                    List<Long> nums = work.tx.query(Sql.NUMS_BY_ID, Row::number, new TreeSet<>(ids));
                    return new Changing(work, snapshots, change).change(nums);
                });
        Map<UUID, ChangeResult.Item> byId = new HashMap<>();
        changed.forEach(item -> byId.put(item.id(), item));
        List<ChangeResult.Item> items = new ArrayList<>();
        for (UUID id : ids) {
            ChangeResult.Item item = byId.get(id);
            items.add(item != null ? item : new ChangeResult.Item(id, ChangeResult.Status.NOT_FOUND, null, null));
        }
        return new ChangeResult(items, null);
    }

    private ChangeResult changeMatching(Selection.Matching selection, Change change, int limit) {
        Querying querying = new Querying(lanes, snapshots, selection.query());
        long after = Querying.parse(selection.cursor());
        int looks = Math.min(limit * LOOKS, 5_000);
        record Step(List<Long> matches, @Nullable String next) {}
        long now = clock.millis();
        Step step = database.read(tx -> {
            List<Long> nums = querying.candidates(tx, after, looks);
            List<Long> matches =
                    new ArrayList<>(querying.matching(tx, nums, now).keySet());
            boolean cut = matches.size() > limit;
            List<Long> some = cut ? matches.subList(0, limit) : matches;
            long last = cut ? some.get(limit - 1) : nums.isEmpty() ? after : nums.get(nums.size() - 1);
            return new Step(some, cut || nums.size() == looks ? Querying.cursor(last) : null);
        });
        return new ChangeResult(changeAll(step.matches, change), step.next);
    }

    private List<ChangeResult.Item> changeAll(List<Long> nums, Change change) {
        if (nums.isEmpty()) {
            return List.of();
        }
        return change(work -> new Changing(work, snapshots, change).change(nums)).stream()
                .filter(item -> item.status() == ChangeResult.Status.CHANGED)
                .toList();
    }

    private ChangeResult changePastRetention(Change change, int limit) {
        var unused = database.change(tx -> {
            Tallies.condense(tx);
            Lanes.condense(tx);
            return true;
        });
        long now = clock.millis();
        List<Long> nums = database.read(tx -> Querying.pastRetention(tx, now, limit + 1));
        List<ChangeResult.Item> items = changeAll(nums.subList(0, Math.min(limit, nums.size())), change);
        boolean more = nums.size() > limit && !items.isEmpty();
        return new ChangeResult(items, more ? Querying.cursor(0) : null);
    }

    @Override
    public WorkerRegistry workers() {
        return workers;
    }

    @Override
    public Records records() {
        return records;
    }

    @Override
    public boolean mayBlock() {
        return true;
    }

    @Override
    public void onWakeUp(WakeUpListener told) {
        listener = told;
    }

    private void tellRecordsChanged() {
        WakeUpListener told = listener;
        if (told != null) {
            told.recordsChanged();
        }
        signals.send(List.of(Signals.RECORDS));
    }

    @Override
    public void close() {
        listener = null;
        watch.close();
        signals.close();
        if (clock instanceof DatabaseClock own) {
            own.close();
        }
        database.close();
    }
}
