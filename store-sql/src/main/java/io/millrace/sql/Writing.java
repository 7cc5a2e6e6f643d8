package io.millrace.sql;

import io.millrace.Outcome;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** All that a transaction will write: collected task by task, and sent together. */
final class Writing {
    final Tallies tallies = new Tallies();
    final LeaseChanges leases = new LeaseChanges();
    final Ends ends;

    private final Tx tx;
    private final Lanes lanes;
    private final Map<Long, Aside> asides = new LinkedHashMap<>();
    private final Set<Long> asidesGone = new HashSet<>();
    private final List<@Nullable Object[]> tasks = new ArrayList<>();
    private final Places tasksGone = new Places();
    private final Map<Long, TaskRow> parked = new HashMap<>();
    private final List<@Nullable Object[]> attempts = new ArrayList<>();
    private final Map<Long, Integer> oldAttempts = new HashMap<>();
    private final List<@Nullable Object[]> cursors = new ArrayList<>();
    private final List<@Nullable Object[]> keys = new ArrayList<>();
    private final List<@Nullable Object[]> keysGone = new ArrayList<>();

    Writing(Tx tx, Lanes lanes) {
        this.tx = tx;
        this.lanes = lanes;
        ends = new Ends(tx);
    }

    void task(@Nullable Object[] values) {
        tasks.add(values);
    }

    /** Removes a task, with all that is said of it. */
    void removeTask(TaskRow row) {
        parked.remove(row.num());
        tasksGone.add(row.lane(), row.num());
        removeAside(row.num());
    }

    /** Takes a task out of its queue before it was claimed. */
    void park(TaskRow row) {
        parked.put(row.num(), row);
    }

    void aside(Aside aside) {
        asides.put(aside.num, aside);
    }

    void removeAside(long num) {
        asides.remove(num);
        asidesGone.add(num);
    }

    void holdKey(Lane lane, @Nullable String key, UUID task) {
        if (key != null) {
            keys.add(new Object[] {lane.topicId(), key, task});
        }
    }

    void freeKey(Lane lane, TaskRow row) {
        if (row.uniqueKey() != null) {
            freeKey(lane.topicId(), row.uniqueKey(), row.id());
        }
    }

    void freeKey(int topic, String key, UUID holder) {
        keysGone.add(new Object[] {topic, key, holder});
    }

    /** An attempt that was not the last. */
    void attempt(
            long num,
            int number,
            UUID runner,
            long since,
            long ended,
            @Nullable Outcome outcome,
            @Nullable String error) {
        attempts.add(new Object[] {num, number, runner, since, ended, Codes.OUTCOMES.orNull(outcome), error});
    }

    /** @param last the last attempt that is not kept */
    void removeAttempts(long num, int last) {
        oldAttempts.put(num, last);
    }

    void claimedUpTo(int lane, long hi) {
        cursors.add(new Object[] {lane, hi});
    }

    /** Writes everything that was collected so far, so that later statements of this transaction see it. */
    void write() throws SQLException {
        for (@Nullable Object[] key : keysGone) {
            tx.run(Sql.DELETE_KEY, key);
        }
        keysGone.clear();
        ends.writeGone();
        insert(Table.UNIQUE_KEY, keys);
        insert(Table.TASK, tasks);
        writeParked();
        writeAsides();
        ends.writeAdded();
        writeAttempts();
        if (!tasksGone.isEmpty()) {
            tx.run(Sql.DELETE_ATTEMPTS, tasksGone.nums());
            tasksGone.run(tx, Sql.DELETE_TASKS);
            tasksGone.clear();
        }
        insert(Table.CLAIMED, cursors);
        leases.write(tx);
        tallies.write(tx);
    }

    void writeAsides() throws SQLException {
        if (!asidesGone.isEmpty()) {
            tx.run(Sql.DELETE_ASIDES, asidesGone);
            asidesGone.clear();
        }
        tx.insert(Table.ASIDE, asides.values().stream().map(Aside::values).toList());
        asides.clear();
    }

    private void writeParked() throws SQLException {
        Map<Integer, List<Long>> byLane = new TreeMap<>();
        parked.values()
                .forEach(row -> byLane.computeIfAbsent(row.lane(), any -> new ArrayList<>())
                        .add(row.num()));
        for (Map.Entry<Integer, List<Long>> some : byLane.entrySet()) {
            int lane = some.getKey();
            tx.run(Sql.PARK_TASKS, lanes.byId(lane).topicId(), lane, some.getValue());
        }
        parked.clear();
    }

    private void writeAttempts() throws SQLException {
        insert(Table.ATTEMPT, attempts);
        for (Map.Entry<Long, Integer> old : oldAttempts.entrySet()) {
            tx.run(Sql.DELETE_OLD_ATTEMPTS, old.getKey(), old.getValue());
        }
        oldAttempts.clear();
    }

    private void insert(Table table, List<@Nullable Object[]> rows) throws SQLException {
        tx.insert(table, rows);
        rows.clear();
    }
}
