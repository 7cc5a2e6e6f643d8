package io.millrace.sql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds tasks of a full topic that are past their deadline. To find none, all of its ready tasks have to be looked at; so a
 * topic without any is not looked at again for a second.
 */
final class OverdueTasks {
    private static final int MOST = 1_000;
    private static final long PAUSE = 1_000;

    private final Map<String, Long> nextLooks = new ConcurrentHashMap<>();

    List<UUID> of(String topic, Work work) throws SQLException {
        if (work.now < nextLooks.getOrDefault(topic, 0L)) {
            return List.of();
        }
        List<UUID> found = find(topic, work);
        if (found.isEmpty()) {
            nextLooks.put(topic, work.now + PAUSE);
            nextLooks.values().removeIf(moment -> moment <= work.now);
        }
        return found;
    }

    private static List<UUID> find(String topic, Work work) throws SQLException {
        List<UUID> found = new ArrayList<>();
        List<Integer> lanes = work.tx.query(Sql.LANES_OF_TOPIC, Row::smallNumber, topic);
        Map<Integer, Long> cursors = Lanes.cursors(work.tx, lanes);
        for (int lane : lanes) {
            found.addAll(work.tx.query(
                    Sql.OVERDUE_READY, Row::id, lane, cursors.getOrDefault(lane, 0L), work.now, MOST - found.size()));
            List<Aside> asides = work.tx.query(Sql.OVERDUE_ASIDES, Aside::read, lane, work.now, MOST - found.size());
            if (!asides.isEmpty()) {
                for (TaskRow row :
                        Aside.places(work.tx, work.lanes, asides).ask(work.tx, Sql.TASK_ROWS, TaskRow::read)) {
                    found.add(row.id());
                }
            }
            if (found.size() >= MOST) {
                break;
            }
        }
        return found;
    }
}
