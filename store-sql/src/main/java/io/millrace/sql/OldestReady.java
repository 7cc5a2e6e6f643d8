package io.millrace.sql;

import io.millrace.TaskState;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The oldest ready task of each of some topics, by a few statements for all of them. A lane's first task is its oldest;
 * of tasks that run again, the first hundred in line are looked at.
 */
final class OldestReady {
    private static final int QUEUED = 2;
    private static final int RETURNED = 3;

    private final Tx tx;
    private final Lanes lanes;
    private final long now;
    private final Places candidates = new Places();

    OldestReady(Tx tx, Lanes lanes, long now) {
        this.tx = tx;
        this.lanes = lanes;
        this.now = now;
    }

    /**
     * @param unsure gets the topics whose first task is not ready, but has ended in its lane; others may be behind it
     */
    Map<String, Instant> of(Collection<String> topics, Collection<String> unsure) throws SQLException {
        List<Integer> ids = lanesOf(new HashSet<>(topics));
        if (ids.isEmpty()) {
            return Map.of();
        }
        find(ids);
        List<TaskRow> rows = candidates.orParked(lanes).ask(tx, Sql.TASK_ROWS, TaskRow::read);
        Standing standing = Standing.load(tx, rows, false, true);
        Map<String, Instant> oldest = new HashMap<>();
        for (TaskRow row : rows) {
            String topic = lanes.byId(row.lane()).topic();
            if (isReady(row, standing)) {
                Instant created = Instant.ofEpochMilli(row.created());
                oldest.merge(topic, created, (one, other) -> one.isBefore(other) ? one : other);
            } else {
                unsure.add(topic);
            }
        }
        return oldest;
    }

    private List<Integer> lanesOf(Set<String> topics) {
        List<Integer> ids = new ArrayList<>();
        for (Lane lane : lanes.of(null)) {
            if (!lane.isParking() && topics.contains(lane.topic())) {
                ids.add(lane.id());
            }
        }
        return ids;
    }

    private void find(List<Integer> ids) throws SQLException {
        Union asides = new Union(tx);
        List<Boolean> unused = tx.query(
                Sql.FIRST_IN_LANES,
                row -> {
                    int lane = row.smallNumber();
                    long first = row.number();
                    if (first > 0) {
                        candidates.add(lane, first);
                    }
                    if (row.smallNumber() > 0) {
                        asides.add(Sql.FIRST_READY_ASIDES, lane, QUEUED);
                        asides.add(Sql.FIRST_READY_ASIDES, lane, RETURNED);
                    }
                    return true;
                },
                ids);
        unused = asides.read(candidates::read);
    }

    private boolean isReady(TaskRow row, Standing standing) {
        Aside aside = standing.aside(row.num());
        return standing.finished(row.num()) == null
                && (aside == null ? standing.lease(row) == null : aside.taskState(now) == TaskState.READY);
    }
}
