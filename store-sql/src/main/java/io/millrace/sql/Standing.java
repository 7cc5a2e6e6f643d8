package io.millrace.sql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Where some tasks stand: what the tables say of them beside what they were given. */
final class Standing {
    private final Map<Long, FinishedRow> finished = new HashMap<>();
    private final Map<Long, Aside> asides = new HashMap<>();
    private final Map<Integer, Long> cursors;
    private final List<LeaseRow> leases;

    private Standing(Map<Integer, Long> cursors, List<LeaseRow> leases) {
        this.cursors = cursors;
        this.leases = leases;
    }

    /**
     * @param lock whether the asides are to be locked before they are read
     * @param withLeases whether the leases over stretches of lanes are to be found, for tasks of which nothing else is said
     */
    static Standing load(Tx tx, Collection<TaskRow> tasks, boolean lock, boolean withLeases) throws SQLException {
        Set<Long> nums = new TreeSet<>();
        tasks.forEach(task -> nums.add(task.num()));
        if (nums.isEmpty()) {
            return new Standing(Map.of(), List.of());
        }
        if (lock) {
            tx.run(Sql.LOCK_ASIDES, nums);
        }
        // first: one that is made to run again meanwhile is found as one of both at least
        Map<Long, FinishedRow> finished = Ended.rows(tx, tasks);
        List<Aside> asides = tx.query(Sql.ASIDES, Aside::read, nums);
        asides.forEach(aside -> nums.remove(aside.num));
        nums.removeAll(finished.keySet());
        Set<Integer> lanes = new HashSet<>();
        tasks.stream().filter(task -> nums.contains(task.num())).forEach(task -> lanes.add(task.lane()));
        Map<Integer, Long> cursors = withLeases ? Lanes.cursors(tx, lanes) : Map.of();
        boolean anyClaimed = tasks.stream()
                .anyMatch(task -> nums.contains(task.num()) && task.num() <= cursors.getOrDefault(task.lane(), 0L));
        List<LeaseRow> leases = anyClaimed ? tx.query(Sql.LEASES_OF_LANES, LeaseRow::read, lanes) : new ArrayList<>();
        Standing standing = new Standing(cursors, leases);
        asides.forEach(aside -> standing.asides.put(aside.num, aside));
        standing.finished.putAll(finished);
        return standing;
    }

    @Nullable
    FinishedRow finished(long num) {
        return finished.get(num);
    }

    @Nullable
    Aside aside(long num) {
        return asides.get(num);
    }

    /** Over the stretch that a task is in, if the claims have passed it. */
    @Nullable
    LeaseRow lease(TaskRow task) {
        if (task.num() > cursors.getOrDefault(task.lane(), 0L)) {
            return null;
        }
        for (LeaseRow lease : leases) {
            if (lease.covers(task)) {
                return lease;
            }
        }
        return null;
    }

    Pending pending(TaskRow task) {
        return new Pending(task, aside(task.num()), lease(task));
    }

    /** Of which tasks attempts were noted that were not the last. */
    List<Long> withAttempts() {
        List<Long> nums = new ArrayList<>();
        asides.values().stream().filter(aside -> aside.attempts > 0).forEach(aside -> nums.add(aside.num));
        finished.forEach((num, row) -> {
            if (row.attempts() > (row.last() == null ? 0 : 1)) {
                nums.add(num);
            }
        });
        return nums;
    }
}
