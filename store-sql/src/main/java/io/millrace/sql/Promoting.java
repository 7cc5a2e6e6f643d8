package io.millrace.sql;

import io.millrace.TaskState;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Makes READY what has come due in lanes that are locked, in the order of due times. */
final class Promoting {
    /** So many at a time, as {@link Sql#DUE} has it. */
    private static final int STEP = 1_000;

    private final Tx tx;
    private final long now;
    private final Numbers numbers;
    private final Tallies tallies;

    Promoting(Tx tx, long now, Numbers numbers, Tallies tallies) {
        this.tx = tx;
        this.now = now;
        this.numbers = numbers;
        this.tallies = tallies;
    }

    /** @return the topics that got ready tasks */
    Set<String> promote(Collection<Lane> locked) throws SQLException {
        Map<Lane, Tx.Answer<Long>> answers = new LinkedHashMap<>();
        for (Lane lane : locked) {
            if (!lane.isParking()) {
                answers.put(lane, tx.ask(Sql.DUE, Row::number, lane.id(), now));
            }
        }
        Set<String> topics = new TreeSet<>();
        for (Map.Entry<Lane, Tx.Answer<Long>> answer : answers.entrySet()) {
            Lane lane = answer.getKey();
            List<Long> due = answer.getValue().rows();
            while (!due.isEmpty()) {
                promote(lane, due);
                topics.add(lane.topic());
                due = due.size() < STEP ? List.of() : tx.query(Sql.DUE, Row::number, lane.id(), now);
            }
        }
        return topics;
    }

    private void promote(Lane lane, List<Long> due) throws SQLException {
        tx.run(Sql.LOCK_ASIDES, due);
        Map<Long, Aside> found = new HashMap<>();
        tx.query(Sql.ASIDES, Aside::read, due).forEach(aside -> found.put(aside.num, aside));
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (long num : due) {
            Aside aside = found.get(num);
            if (aside != null && aside.state == Aside.Place.SCHEDULED) {
                aside.state = Aside.Place.QUEUED;
                aside.place = numbers.next();
                rows.add(aside.values());
            }
        }
        tx.insert(Table.ASIDE, rows);
        tallies.add(lane.topicId(), TaskState.SCHEDULED, -rows.size());
        tallies.add(lane.topicId(), TaskState.READY, rows.size());
    }
}
