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
    private final Map<UUID, UUID> known = new HashMap<>();
    private final Map<String, Map<String, UUID>> keys = new HashMap<>();
    private final Map<String, Long> depths = new HashMap<>();
    private final List<NewTask> accepted = new ArrayList<>();

    Enqueuing(Work work) {
        this.work = work;
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

    /** Takes in what is no duplicate. */
    void spawn(List<NewTask> tasks) throws SQLException {
        lookForIds(tasks);
        lookForKeys(tasks);
        work.tx.send();
        tasks.forEach(this::insert);
        insertAccepted(false);
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
            var unused =
                    work.tx.ask(Sql.KEY_HOLDERS, row -> holders.put(row.text(), row.id()), topic, entry.getValue());
        }
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

    private EnqueueResult enqueue(EnqueueRequest request) {
        Map<String, Long> wanted = newByTopic(request);
        for (Map.Entry<String, Long> entry : wanted.entrySet()) {
            Integer capacity = request.capacities().get(entry.getKey());
            if (capacity != null && depths.getOrDefault(entry.getKey(), 0L) + entry.getValue() > capacity) {
                return new EnqueueResult.Full(entry.getKey());
            }
        }
        wanted.forEach((topic, count) -> depths.merge(topic, count, Long::sum));
        List<EnqueueResult.Item> items = new ArrayList<>(request.tasks().size());
        request.tasks().forEach(task -> items.add(insert(task)));
        return new EnqueueResult.Stored(items);
    }

    /** How many tasks of the request would take up room, by topic. */
    private Map<String, Long> newByTopic(EnqueueRequest request) {
        Map<String, Long> wanted = new HashMap<>();
        if (depths.isEmpty()) {
            return wanted;
        }
        Set<Object> seen = new HashSet<>();
        for (NewTask task : request.tasks()) {
            Object key = task.uniqueKey() == null ? task.id() : List.of(task.topic(), task.uniqueKey());
            if (twin(task) == null && !seen.contains(task.id()) && !seen.contains(key)) {
                seen.add(task.id());
                seen.add(key);
                if (task.waitFor() == 0) {
                    wanted.merge(task.topic(), 1L, Long::sum);
                }
            }
        }
        return wanted;
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
