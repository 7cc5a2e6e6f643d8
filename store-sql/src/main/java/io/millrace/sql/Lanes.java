package io.millrace.sql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The lanes that this node knows; they never change, and never go. */
final class Lanes {
    private record Key(String topic, long priority) {}

    private final Database database;
    private final Map<Key, Lane> byKey = new ConcurrentHashMap<>();
    private final Map<Integer, Lane> byId = new ConcurrentHashMap<>();

    Lanes(Database database) {
        this.database = database;
    }

    /** Makes sure that lanes are there, with their topics' parking lanes; outside of any transaction. */
    void prepare(Map<String, ? extends Collection<Integer>> prioritiesByTopic) {
        prioritiesByTopic.forEach((topic, priorities) -> {
            Lane parking = prepare(topic, Lane.PARKING, 0);
            for (int priority : priorities) {
                prepare(topic, priority, parking.topicId());
            }
        });
    }

    private Lane prepare(String topic, long priority, int topicId) {
        Lane known = byKey.get(new Key(topic, priority));
        return known != null ? known : know(database.change(tx -> create(tx, topic, priority, topicId)));
    }

    /** Nobody may know of it before it is committed. */
    private static Lane create(Tx tx, String topic, long priority, int topicId) throws SQLException {
        List<Integer> found = tx.query(Sql.FIND_LANE, Row::smallNumber, topic, priority);
        if (found.isEmpty()) {
            tx.run(Sql.ADD_LANE, topic, priority);
            found = tx.query(Sql.FIND_LANE, Row::smallNumber, topic, priority);
        }
        int id = found.get(0);
        return new Lane(id, topic, priority, priority == Lane.PARKING ? id : topicId);
    }

    private Lane know(Lane lane) {
        byKey.put(new Key(lane.topic(), lane.priority()), lane);
        byId.put(lane.id(), lane);
        return lane;
    }

    /** A lane that was prepared. */
    Lane get(String topic, long priority) {
        return Objects.requireNonNull(byKey.get(new Key(topic, priority)));
    }

    Lane parking(String topic) {
        return get(topic, Lane.PARKING);
    }

    Lane byId(int id) {
        return Objects.requireNonNull(byId.get(id), () -> "no lane " + id);
    }

    /** Learns of all lanes, those of other nodes too. */
    void learn(Tx tx) throws SQLException {
        List<Lane> all = tx.query(
                Sql.ALL_LANES, row -> new Lane(row.smallNumber(), row.text(), row.number(), row.smallNumber()));
        all.forEach(this::know);
    }

    void learn(Tx tx, Collection<Integer> ids) throws SQLException {
        if (!byId.keySet().containsAll(ids)) {
            learn(tx);
        }
    }

    /** The same, in a transaction of its own. */
    void learn(Collection<Integer> ids) {
        if (!byId.keySet().containsAll(ids)) {
            var unused = database.read(tx -> {
                learn(tx);
                return true;
            });
        }
    }

    /** Makes sure that the lanes are known in which tasks stand, and those in which they would be ready. */
    void learnOf(Tx tx, Collection<TaskRow> tasks) throws SQLException {
        for (TaskRow task : tasks) {
            Lane lane = byId.get(task.lane());
            if (lane == null || !byKey.containsKey(new Key(lane.topic(), task.priority()))) {
                learn(tx);
                return;
            }
        }
    }

    boolean isKnown(Collection<String> topics) {
        return topics.stream().allMatch(topic -> byKey.containsKey(new Key(topic, Lane.PARKING)));
    }

    int count() {
        return byId.size();
    }

    /** The lanes of a topic, or of all topics, as far as they are known. */
    List<Lane> of(@Nullable String topic) {
        List<Lane> lanes = new ArrayList<>();
        for (Lane lane : byId.values()) {
            if (topic == null || lane.topic().equals(topic)) {
                lanes.add(lane);
            }
        }
        return lanes;
    }

    /** Deletes what later claims have overtaken. */
    static void condense(Tx tx) throws SQLException {
        record Last(int lane, long hi) {}
        for (Last last : tx.query(Sql.LONG_CURSORS, row -> new Last(row.smallNumber(), row.number()))) {
            tx.run(Sql.DELETE_CURSORS, last.lane, last.hi);
        }
    }

    /** How far lanes were claimed. */
    static Map<Integer, Long> cursors(Tx tx, Collection<Integer> ids) throws SQLException {
        Map<Integer, Long> cursors = new HashMap<>();
        if (!ids.isEmpty()) {
            var unused = tx.query(Sql.CURSORS, row -> cursors.put(row.smallNumber(), row.number()), new TreeSet<>(ids));
        }
        return cursors;
    }
}
