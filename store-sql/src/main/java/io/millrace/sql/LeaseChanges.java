package io.millrace.sql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The leases that a transaction gives, and those that tasks leave; the latter are locked. */
final class LeaseChanges {
    private final List<@Nullable Object[]> given = new ArrayList<>();
    private final Map<Long, Reduction> reductions = new HashMap<>();
    /** By how much earlier writes of this transaction have reduced leases, which were read before them. */
    private final Map<Long, Integer> reducedBefore = new HashMap<>();

    /** How many tasks leave a lease, and how many of them other than by ending. */
    private static final class Reduction {
        final LeaseRow lease;
        int tasks;
        int others;

        Reduction(LeaseRow lease) {
            this.lease = lease;
        }
    }

    void give(LeaseRow lease) {
        given.add(lease.values());
    }

    void reduce(LeaseRow lease, int tasks, int others) {
        Reduction reduction = reductions.computeIfAbsent(lease.id(), any -> new Reduction(lease));
        reduction.tasks += tasks;
        reduction.others += others;
    }

    void write(Tx tx) throws SQLException {
        tx.insert(Table.LEASE, given);
        given.clear();
        Set<Long> empty = new TreeSet<>();
        for (Reduction reduction : reductions.values()) {
            LeaseRow lease = reduction.lease;
            if (reduction.tasks >= lease.remaining() - reducedBefore.getOrDefault(lease.id(), 0)) {
                empty.add(lease.id());
            } else {
                tx.run(Sql.REDUCE_LEASE, reduction.tasks, reduction.others, lease.id());
                reducedBefore.merge(lease.id(), reduction.tasks, Integer::sum);
            }
        }
        reductions.clear();
        if (!empty.isEmpty()) {
            tx.run(Sql.DELETE_LEASES, empty);
        }
    }
}
