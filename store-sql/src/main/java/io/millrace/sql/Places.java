package io.millrace.sql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Where the rows of some tasks are, or may be: by lane and number, as they are kept. A number is that of one task, whatever
 * its lane.
 */
final class Places {
    /** More of them together, and PostgreSQL without statistics may rather read the whole lane. */
    private static final int TOGETHER = 200;

    /** Parking lanes, which are older than the others, come last: where a task goes that has just left its lane. */
    private final SortedMap<Integer, SortedSet<Long>> numsByLane = new TreeMap<>(Comparator.reverseOrder());

    private final SortedSet<Long> nums = new TreeSet<>();

    static Places of(Collection<TaskRow> rows) {
        Places places = new Places();
        rows.forEach(row -> places.add(row.lane(), row.num()));
        return places;
    }

    /** Reads a lane and a number. */
    boolean read(Row row) throws SQLException {
        return add(row.smallNumber(), row.number());
    }

    boolean add(int lane, long num) {
        nums.add(num);
        return numsByLane.computeIfAbsent(lane, any -> new TreeSet<>()).add(num);
    }

    void addAll(Places others) {
        others.numsByLane.forEach((lane, some) -> some.forEach(num -> add(lane, num)));
    }

    /** A task that belongs into a lane, and may have been parked. */
    void addOrParked(Lane lane, long num) {
        add(lane.id(), num);
        add(lane.topicId(), num);
    }

    /** The same tasks, which may have been parked meanwhile. */
    Places orParked(Lanes lanes) {
        Places places = new Places();
        numsByLane.forEach((lane, some) -> some.forEach(num -> places.addOrParked(lanes.byId(lane), num)));
        return places;
    }

    boolean isEmpty() {
        return nums.isEmpty();
    }

    Set<Integer> lanes() {
        return numsByLane.keySet();
    }

    SortedSet<Long> nums() {
        return nums;
    }

    /** Only those that are among these numbers. */
    Places only(Collection<Long> some) {
        Places places = new Places();
        Set<Long> wanted = new TreeSet<>(some);
        numsByLane.forEach(
                (lane, ofLane) -> ofLane.stream().filter(wanted::contains).forEach(num -> places.add(lane, num)));
        return places;
    }

    /** Those with the smallest numbers. */
    Places first(int limit) {
        return nums.size() <= limit ? this : only(nums.stream().limit(limit).toList());
    }

    /**
     * Asks for all of them together.
     *
     * @param sql for some numbers of one lane
     */
    <T> List<T> ask(Tx tx, String sql, Tx.Reader<T> reader) throws SQLException {
        Union union = new Union(tx);
        parts().forEach(part -> union.add(sql, part.lane, part.nums));
        return union.read(reader);
    }

    /**
     * Does something to them, lane by lane.
     *
     * @param sql for some numbers, and their lane
     */
    void run(Tx tx, String sql) throws SQLException {
        for (Part part : parts()) {
            tx.run(sql, part.nums, part.lane);
        }
    }

    private record Part(int lane, List<Long> nums) {}

    private List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        numsByLane.forEach((lane, some) -> {
            List<Long> ofLane = List.copyOf(some);
            for (int from = 0; from < ofLane.size(); from += TOGETHER) {
                parts.add(new Part(lane, ofLane.subList(from, Math.min(from + TOGETHER, ofLane.size()))));
            }
        });
        return parts;
    }

    void clear() {
        numsByLane.clear();
        nums.clear();
    }
}
