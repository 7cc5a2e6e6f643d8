package io.millrace.sql;

import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.UUID;
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

    Page<Task> list(TaskQuery query, @Nullable String cursor, int limit) {
        Querying querying = new Querying(lanes, snapshots, query);
        long after = Querying.parse(cursor);
        SortedMap<Long, Task> found = new TreeMap<>();
        boolean more = true;
        while (more && found.size() <= limit) {
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

    List<TaskCount> count(TaskQuery query) {
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
            var unused = changer.change(work -> {
                lanes.learn(work.tx, due);
                work.tx.lockLanes(due);
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
}
