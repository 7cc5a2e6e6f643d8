package io.millrace.sql;

import io.millrace.NewTask;
import io.millrace.TaskState;
import io.millrace.When;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Takes tasks in: all of a request, or none. */
final class Enqueuing {
    private final Work work;
    private final OverdueTasks overdueTasks;
    private final Map<UUID, UUID> known = new HashMap<>();
    private final Map<String, Map<String, UUID>> keys = new HashMap<>();
    /** Of those who hold a key, which are past their deadline; whether they run has to be looked up. */
    private final Set<UUID> perhapsOverdue = new HashSet<>();

    private final Map<String, Long> depths = new HashMap<>();
    private final List<NewTask> accepted = new ArrayList<>();

    /** @param overdueTasks finds tasks that are in the way of new ones */
    Enqueuing(Work work, OverdueTasks overdueTasks) {
        this.work = work;
        this.overdueTasks = overdueTasks;
    }

    /** The lanes that tasks need, by topic. */
    static Map<String, Set<Integer>> priorities(Collection<NewTask> tasks) {
        Map<String, Set<Integer>> priorities = new TreeMap<>();
        tasks.forEach(task ->
                priorities.computeIfAbsent(task.topic(), any -> new TreeSet<>()).add(task.priority()));
        return priorities;
    }

    static List<NewTask> tasks(List<EnqueueRequest> requests) {
        return requests.stream().flatMap(request -> request.tasks().stream()).toList();
    }

    /** The lanes to lock: of tasks that are ready at once, and of topics with a capacity. */
    static Set<Integer> lanesToLock(Lanes lanes, List<EnqueueRequest> requests, long now) {
        Set<Integer> locked = lanesOfReady(lanes, tasks(requests), now);
        for (EnqueueRequest request : requests) {
            for (NewTask task : request.tasks()) {
                if (request.capacities().containsKey(task.topic())) {
                    locked.add(lanes.parking(task.topic()).id());
                }
            }
        }
        return locked;
    }

    static Set<Integer> lanesOfReady(Lanes lanes, Collection<NewTask> tasks, long now) {
        Set<Integer> locked = new TreeSet<>();
        for (NewTask task : tasks) {
            boolean later = task.runAt() != When.NOW
                    && task.runAt().from(Instant.ofEpochMilli(now)).toEpochMilli() > now;
            if (!later && task.waitFor() == 0) {
                locked.add(lanes.get(task.topic(), task.priority()).id());
            }
        }
        return locked;
    }

    /**
     * @param locked the lanes that are locked, of which what has come due stands before what comes now
     * @param expectsNewIds whether tasks that are there already may be left to the unique index: the transaction then fails,
     *     and has to be tried again without
     */
    List<EnqueueResult> enqueue(List<EnqueueRequest> requests, Set<Integer> locked, boolean expectsNewIds)
            throws SQLException {
        work.numbers.askAhead();
        if (!expectsNewIds) {
            lookForIds(tasks(requests));
        }
        lookForKeys(tasks(requests));
        work.promote(locked);
        work.tx.send();
        lookAtDepths(requests);
        List<EnqueueResult> results = new ArrayList<>(requests.size());
        for (EnqueueRequest request : requests) {
            results.add(enqueue(request));
        }
        insertAccepted(false);
        return results;
    }

    /** Takes tasks in without a lock on their lanes: they stand aside, due now, until somebody puts them there. */
    EnqueueResult enqueueAside(EnqueueRequest request) throws SQLException {
        lookForIds(request.tasks());
        work.tx.send();
        lookAtDepths(List.of(request));
        EnqueueResult result = enqueue(request);
        insertAccepted(true);
        return result;
    }

    /** Takes in what comes with the end of another task, and is no duplicate; capacities are not looked at. */
    static void spawn(Work work, List<NewTask> tasks) throws SQLException {
        new Enqueuing(work, new OverdueTasks()).spawn(tasks);
    }

    private void spawn(List<NewTask> tasks) throws SQLException {
        lookForIds(tasks);
        lookForKeys(tasks);
        work.tx.send();
        Set<UUID> overdue = overdue(work, perhapsOverdue);
        for (NewTask task : tasks) {
            UUID twin = twin(task);
            if (twin != null && task.uniqueKey() != null && overdue.contains(twin) && !known.containsKey(task.id())) {
                keys.getOrDefault(task.topic(), new HashMap<>()).remove(task.uniqueKey());
                work.passKeyOn(task.topic(), task.uniqueKey(), twin);
            }
            insert(task);
        }
        insertAccepted(false);
    }

    /** Which of some tasks are past their deadline, and nobody has them. */
    static Set<UUID> overdue(Work work, Collection<UUID> ids) throws SQLException {
        Set<UUID> overdue = new TreeSet<>();
        if (ids.isEmpty()) {
            return overdue;
        }
        List<TaskRow> rows = work.tx.query(Sql.TASK_ROWS_BY_ID, TaskRow::read, new TreeSet<>(ids));
        work.lanes.learnOf(work.tx, rows);
        Standing standing = Standing.load(work.tx, rows, false, true);
        for (TaskRow row : rows) {
            if (standing.finished(row.num()) == null && standing.pending(row).isOverdue(work.now)) {
                overdue.add(row.id());
            }
        }
        return overdue;
    }

    private void lookForIds(List<NewTask> tasks) throws SQLException {
        List<UUID> ids = tasks.stream().map(NewTask::id).toList();
        if (!ids.isEmpty()) {
            var unused = work.tx.ask(
                    Sql.KNOWN_IDS,
                    row -> {
                        UUID id = row.id();
                        return known.put(id, id);
                    },
                    ids);
        }
    }

    private void lookForKeys(List<NewTask> tasks) throws SQLException {
        Map<String, Set<String>> wanted = new TreeMap<>();
        for (NewTask task : tasks) {
            if (task.uniqueKey() != null) {
                wanted.computeIfAbsent(task.topic(), any -> new TreeSet<>()).add(task.uniqueKey());
            }
        }
        for (Map.Entry<String, Set<String>> entry : wanted.entrySet()) {
            Map<String, UUID> holders = keys.computeIfAbsent(entry.getKey(), any -> new HashMap<>());
            int topic = work.lanes.parking(entry.getKey()).id();
            var unused = work.tx.ask(Sql.KEY_HOLDERS, row -> noteHolder(row, holders), topic, entry.getValue());
        }
    }

    private UUID noteHolder(Row row, Map<String, UUID> holders) throws SQLException {
        String key = row.text();
        UUID holder = row.id();
        Long deadline = row.numberOrNull();
        if (deadline != null && deadline < work.now) {
            perhapsOverdue.add(holder);
        }
        holders.put(key, holder);
        return holder;
    }

    private void lookAtDepths(List<EnqueueRequest> requests) throws SQLException {
        Map<Integer, String> limited = new HashMap<>();
        for (EnqueueRequest request : requests) {
            for (NewTask task : request.tasks()) {
                if (request.capacities().containsKey(task.topic())) {
                    limited.put(work.lanes.parking(task.topic()).id(), task.topic());
                }
            }
        }
        limited.values().forEach(topic -> depths.put(topic, 0L));
        Tallies.read(work.tx, limited.keySet()).forEach((key, count) -> {
            if (key.state() == TaskState.READY || key.state() == TaskState.SCHEDULED) {
                depths.merge(limited.getOrDefault(key.topic(), ""), count, Long::sum);
            }
        });
    }

    private EnqueueResult enqueue(EnqueueRequest request) throws SQLException {
        List<UUID> overdue = overdueKeyHolders(request);
        if (!overdue.isEmpty()) {
            return new EnqueueResult.Overdue(overdue);
        }
        Map<String, List<UUID>> wanting = newByTopic(request);
        for (Map.Entry<String, List<UUID>> entry : wanting.entrySet()) {
            Integer capacity = request.capacities().get(entry.getKey());
            long there = depths.getOrDefault(entry.getKey(), 0L);
            if (capacity != null && there + entry.getValue().size() > capacity) {
                List<UUID> inTheWay = overdueTasks.of(entry.getKey(), work);
                int room = (int) Math.max(0, capacity - there);
                return inTheWay.isEmpty()
                        ? new EnqueueResult.Full(entry.getKey(), entry.getValue(), room)
                        : new EnqueueResult.Overdue(inTheWay);
            }
        }
        wanting.forEach((topic, ids) -> depths.merge(topic, (long) ids.size(), Long::sum));
        List<EnqueueResult.Item> items = new ArrayList<>(request.tasks().size());
        request.tasks().forEach(task -> items.add(insert(task)));
        return new EnqueueResult.Stored(items);
    }

    private List<UUID> overdueKeyHolders(EnqueueRequest request) throws SQLException {
        if (perhapsOverdue.isEmpty()) {
            return List.of();
        }
        Set<UUID> holders = new HashSet<>();
        for (NewTask task : request.tasks()) {
            UUID holder = task.uniqueKey() == null
                    ? null
                    : keys.getOrDefault(task.topic(), Map.of()).get(task.uniqueKey());
            if (holder != null && perhapsOverdue.contains(holder)) {
                holders.add(holder);
            }
        }
        return List.copyOf(overdue(work, holders));
    }

    /** The tasks of the request that would take up room, by topic. */
    private Map<String, List<UUID>> newByTopic(EnqueueRequest request) {
        Map<String, List<UUID>> wanting = new HashMap<>();
        if (depths.isEmpty()) {
            return wanting;
        }
        Set<Object> seen = new HashSet<>();
        for (NewTask task : request.tasks()) {
            Object key = task.uniqueKey() == null ? task.id() : List.of(task.topic(), task.uniqueKey());
            if (twin(task) == null && !seen.contains(task.id()) && !seen.contains(key)) {
                seen.add(task.id());
                seen.add(key);
                if (task.waitFor() == 0) {
                    wanting.computeIfAbsent(task.topic(), any -> new ArrayList<>())
                            .add(task.id());
                }
            }
        }
        return wanting;
    }

    private @Nullable UUID twin(NewTask task) {
        UUID same = known.get(task.id());
        if (same != null || task.uniqueKey() == null) {
            return same;
        }
        return keys.getOrDefault(task.topic(), Map.of()).get(task.uniqueKey());
    }

    private EnqueueResult.Item insert(NewTask task) {
        UUID twin = twin(task);
        if (twin != null) {
            return new EnqueueResult.Item(twin, true);
        }
        known.put(task.id(), task.id());
        if (task.uniqueKey() != null) {
            keys.computeIfAbsent(task.topic(), any -> new HashMap<>()).put(task.uniqueKey(), task.id());
        }
        accepted.add(task);
        return new EnqueueResult.Item(task.id(), false);
    }

    private void insertAccepted(boolean aside) throws SQLException {
        for (NewTask task : accepted) {
            work.insert(work.numbers.next(), task, aside);
        }
        accepted.clear();
    }
}
