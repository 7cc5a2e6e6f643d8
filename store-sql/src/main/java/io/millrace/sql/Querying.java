package io.millrace.sql;

import io.millrace.InvalidValueException;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.spi.TextSearch;
import io.millrace.sql.FinishedRow.Stretch;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finds tasks in the order of creation. The entity, the worker, or topic and state, pick where to look; the
 * other filters look at each task found. */
final class Querying {
    /**
     * More of them, and all tasks are looked at: to ask each lane for its next tasks in that state would take longer.
     */
    private static final int MANY_LANES = 500;

    private final Lanes lanes;
    private final Snapshots snapshots;
    private final TaskQuery query;
    private final @Nullable TextSearch text;

    Querying(Lanes lanes, Snapshots snapshots, TaskQuery query) {
        this.lanes = lanes;
        this.snapshots = snapshots;
        this.query = query;
        text = query.text() == null ? null : new TextSearch(query.text());
    }

    static String cursor(long num) {
        return "s" + Long.toString(num, Character.MAX_RADIX);
    }

    static long parse(@Nullable String cursor) {
        if (cursor == null) {
            return 0;
        }
        try {
            if (cursor.startsWith("s")) {
                long num = Long.parseLong(cursor.substring(1), Character.MAX_RADIX);
                if (num >= 0) {
                    return num;
                }
            }
        } catch (NumberFormatException e) {
            // answered below, like every other text that is no cursor
        }
        throw new InvalidValueException("cursor", cursor, "it must be the next of an earlier page");
    }

    static Places byId(Tx tx, Collection<UUID> ids) throws SQLException {
        Places places = new Places();
        if (!ids.isEmpty()) {
            var unused = tx.query(Sql.PLACES_BY_ID, places::read, new TreeSet<>(ids));
        }
        return places;
    }

    /** Some tasks with numbers behind {@code after}, among which are all that may match up to the last of them. */
    Places candidates(Tx tx, long after, int limit) throws SQLException {
        Candidates found = new Candidates(tx, lanes);
        if (query.entityId() != null) {
            found.add(Sql.PLACES_OF_ENTITY, query.entityId(), after, limit);
            return found.first(limit);
        }
        if (query.worker() != null) {
            addHeldBy(tx, found, query.worker(), after, limit);
            return found.first(limit);
        }
        boolean isMany = lanes.count() > MANY_LANES;
        if (query.topic() == null && tx.hasTasksByNumber() && (query.states().isEmpty() || isMany)) {
            found.add(Sql.PLACES, after, limit);
            return found.first(limit);
        }
        if (query.topic() == null && isMany) {
            found.add(Sql.PLACES_IN_ALL_LANES, after, limit, limit);
            return found.first(limit);
        }
        lanes.learn(tx);
        if (query.states().isEmpty()) {
            for (Lane lane : lanes.of(query.topic())) {
                found.add(Sql.PLACES_IN_LANE, lane.id(), after, limit);
            }
            return found.firstOfSeparate(limit);
        }
        Set<TaskState> ends = EnumSet.noneOf(TaskState.class);
        query.states().stream().filter(TaskState::isFinal).forEach(ends::add);
        addEnded(found, ends, after, limit);
        if (ends.size() < query.states().size()) {
            addPending(tx, found, after, limit);
        }
        return found.first(limit);
    }

    private static void addHeldBy(Tx tx, Candidates found, UUID worker, long after, int limit) throws SQLException {
        found.addAsides(Sql.HELD_ASIDES_BEHIND, worker, after, limit);
        for (LeaseRow lease : tx.query(Sql.LEASES_OF_WORKER, LeaseRow::read, worker)) {
            found.add(Sql.PLACES_IN_STRETCH, lease.lane(), Math.max(after, lease.lo()), lease.hi(), limit);
        }
    }

    private void addEnded(Candidates found, Set<TaskState> ends, long after, int limit) throws SQLException {
        for (Lane lane : lanes.of(query.topic())) {
            for (TaskState state : ends) {
                // one more: of the first that is found all tasks may be before
                found.add(Sql.ENDED_STRETCHES, lane.id(), Codes.STATES.of(state), after, limit + 1);
            }
        }
        found.addStretches(found.read(Stretch::read), after, limit);
    }

    /** Tasks whose retention has passed. */
    static Places pastRetention(Tx tx, Lanes lanes, long now, int limit) throws SQLException {
        Candidates found = new Candidates(tx, lanes);
        found.addStretches(tx.query(Sql.PAST_RETENTION, Stretch::read, now, limit), 0, limit);
        return found.first(limit);
    }

    private void addPending(Tx tx, Candidates found, long after, int limit) throws SQLException {
        found.addAsides(Sql.ASIDES_BEHIND, after, limit);
        Set<Integer> ids = new TreeSet<>();
        lanes.of(query.topic()).stream().filter(lane -> !lane.isParking()).forEach(lane -> ids.add(lane.id()));
        if (query.states().contains(TaskState.READY)) {
            Lanes.cursors(tx, ids)
                    .forEach((lane, claimed) -> found.add(Sql.PLACES_IN_LANE, lane, Math.max(after, claimed), limit));
        }
        if (query.states().contains(TaskState.RUNNING) && !ids.isEmpty()) {
            for (LeaseRow lease : tx.query(Sql.LEASES_OF_LANES, LeaseRow::read, ids)) {
                if (lease.hi() > after) {
                    found.add(Sql.PLACES_IN_STRETCH, lease.lane(), Math.max(after, lease.lo()), lease.hi(), limit);
                }
            }
        }
    }

    /** Tasks that are found here and there. */
    private static final class Candidates {
        private final Tx tx;
        private final Lanes lanes;
        private final Union union;
        private final Places places = new Places();

        Candidates(Tx tx, Lanes lanes) {
            this.tx = tx;
            this.lanes = lanes;
            union = new Union(tx);
        }

        void addAsides(String sql, Object... values) throws SQLException {
            Places asides = new Places();
            var unused = tx.query(sql, asides::read, values);
            lanes.learn(tx, asides.lanes());
            places.addAll(asides.orParked(lanes));
        }

        void add(String part, Object... values) {
            union.add(part, values);
        }

        <T> List<T> read(Tx.Reader<T> reader) throws SQLException {
            return union.read(reader);
        }

        /** The tasks of stretches behind {@code after}, in each lane until there are enough. */
        void addStretches(List<Stretch> stretches, long after, int limit) {
            Map<Integer, Integer> enough = new HashMap<>();
            for (Stretch stretch : stretches.stream()
                    .sorted(Comparator.comparingLong(Stretch::hi))
                    .toList()) {
                if (enough.getOrDefault(stretch.lane(), 0) >= limit) {
                    continue;
                }
                if (stretch.lo() == stretch.hi() - 1) {
                    places.add(stretch.lane(), stretch.hi());
                } else {
                    add(Sql.PLACES_IN_STRETCH, stretch.lane(), Math.max(after, stretch.lo()), stretch.hi(), limit);
                }
                // of the first the tasks may be before
                enough.merge(stretch.lane(), stretch.lo() < after ? 0 : stretch.tasks(), Integer::sum);
            }
        }

        Places first(int limit) throws SQLException {
            var unused = read(places::read);
            return places.first(limit);
        }

        /** The same, if nothing can be found at two places: then not all has to be read. */
        Places firstOfSeparate(int limit) throws SQLException {
            var unused = union.readFirst(limit, places::read);
            return places.first(limit);
        }
    }

    /** Those of the candidates that match. */
    SortedMap<Long, Task> matching(Tx tx, Places places, long now) throws SQLException {
        SortedMap<Long, Task> tasks = snapshots.load(tx, places, now);
        tasks.values().removeIf(task -> !matches(task));
        return tasks;
    }

    private boolean matches(Task task) {
        return (query.topic() == null || query.topic().equals(task.topic()))
                && (query.states().isEmpty() || query.states().contains(task.state()))
                && hasScope(task)
                && (query.entityId() == null
                        || query.entityId().equals(task.given().entityId()))
                && (query.worker() == null
                        || (task.hold() != null
                                && query.worker().equals(task.hold().worker())))
                && (query.createdAfter() == null || task.moments().created().isAfter(query.createdAfter()))
                && (query.createdBefore() == null || task.moments().created().isBefore(query.createdBefore()))
                && (text == null || task.attempts().stream().anyMatch(attempt -> text.isIn(attempt.error())));
    }

    private boolean hasScope(Task task) {
        List<String> scope = task.given().scope();
        int length = query.scope().size();
        return length == 0
                || (scope.size() >= length && scope.subList(0, length).equals(query.scope()));
    }
}
