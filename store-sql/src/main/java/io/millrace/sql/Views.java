package io.millrace.sql;

import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What is there: tasks by id, lists, counts. */
final class Views {
    private final Database database;
    private final Lanes lanes;
    private final Snapshots snapshots;
    private final InstantSource clock;
    private final Changer changer;

    Views(Database database, Lanes lanes, Snapshots snapshots, InstantSource clock, Changer changer) {
        this.database = database;
        this.lanes = lanes;
        this.snapshots = snapshots;
        this.clock = clock;
        this.changer = changer;
    }

    List<Task> get(Collection<UUID> ids) {
        long now = clock.millis();
        return database.read(tx -> {
            Places places = Querying.byId(tx, ids);
            return List.copyOf(snapshots.load(tx, places, now).values());
        });
    }

    Page<Task> list(TaskQuery query, @Nullable String cursor, int limit, BooleanSupplier wanted) {
        Querying querying = new Querying(lanes, snapshots, query);
        long after = Querying.parse(cursor);
        SortedMap<Long, Task> found = new TreeMap<>();
        boolean more = true;
        while (more && found.size() <= limit) {
            checkWanted(wanted);
            long from = after;
            long now = clock.millis();
            int step = Math.max(limit + 1, 100);
            record Step(SortedSet<Long> nums, SortedMap<Long, Task> tasks) {}
            Step done = database.read(tx -> {
                Places places = querying.candidates(tx, from, step);
                return new Step(places.nums(), querying.matching(tx, places, now));
            });
            found.putAll(done.tasks);
            more = done.nums.size() == step;
            after = done.nums.isEmpty() ? after : done.nums.last();
        }
        List<Task> items = new ArrayList<>(found.values());
        if (items.size() <= limit) {
            return new Page<>(items, null);
        }
        long last = new ArrayList<>(found.keySet()).get(limit - 1);
        return new Page<>(List.copyOf(items.subList(0, limit)), Querying.cursor(last));
    }

    private static void checkWanted(BooleanSupplier wanted) {
        if (!wanted.getAsBoolean()) {
            throw new CancellationException("nobody waits for the answer any more");
        }
    }

    List<TaskCount> count(TaskQuery query, BooleanSupplier wanted) {
        checkWanted(wanted);
        promoteDue();
        if (query.isByTopicAndStateOnly()) {
            return database.read(tx -> countByTally(tx, query));
        }
        Map<String, Map<TaskState, Long>> counts = new TreeMap<>();
        String cursor = null;
        do {
            Page<Task> page = list(query, cursor, 1_000, wanted);
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

    Map<String, Instant> oldestReady(Collection<String> topics) {
        promoteDue();
        long now = clock.millis();
        List<String> unsure = new ArrayList<>();
        Map<String, Instant> oldest = new HashMap<>(database.read(tx -> {
            unsure.clear();
            if (!lanes.isKnown(topics)) {
                lanes.learn(tx);
            }
            return new OldestReady(tx, lanes, now).of(topics, unsure);
        }));
        for (String topic : unsure) {
            Page<Task> first = list(TaskQuery.ALL.topic(topic).state(TaskState.READY), null, 1, () -> true);
            if (first.items().isEmpty()) {
                oldest.remove(topic);
            } else {
                oldest.put(topic, first.items().get(0).moments().created());
            }
        }
        return oldest;
    }

    private void promoteDue() {
        long now = clock.millis();
        List<Integer> due = database.read(tx -> tx.query(Sql.DUE_BY_LANE, Row::smallNumber, now));
        if (!due.isEmpty()) {
            var unused = changer.change(work -> {
                lanes.learn(work.tx, due);
                work.tx.lockLanes(due);
                work.promote(due);
                return due;
            });
        }
    }

    private List<TaskCount> countByTally(Tx tx, TaskQuery query) throws SQLException {
        List<Tallied> sums;
        if (query.topic() == null) {
            sums = tx.query(Sql.COUNTS, Tallied::read);
        } else {
            List<Integer> topic = tx.query(Sql.FIND_LANE, Row::smallNumber, query.topic(), Lane.PARKING);
            sums = topic.isEmpty() ? List.of() : tx.query(Sql.COUNT_TOPICS, Tallied::read, topic);
        }
        lanes.learn(tx, sums.stream().map(Tallied::topic).toList());
        List<TaskCount> counts = new ArrayList<>();
        for (Tallied sum : sums) {
            boolean isWanted = query.states().isEmpty() || query.states().contains(sum.state);
            if (isWanted && sum.count > 0) {
                counts.add(new TaskCount(lanes.byId(sum.topic).topic(), sum.state, sum.count));
            }
        }
        return counts;
    }

    /** How many tasks of a topic are in a state. */
    private record Tallied(int topic, TaskState state, long count) {
        static Tallied read(Row row) throws SQLException {
            return new Tallied(row.smallNumber(), Codes.STATES.at(row.smallNumber()), row.number());
        }
    }
}
