package io.millrace.sql;

import io.millrace.TaskState;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How many tasks a transaction moves into and out of each state, by topic. */
final class Tallies {
    record Key(int topic, TaskState state) {}

    private final Map<Key, Long> deltas = new HashMap<>();

    void add(int topic, TaskState state, long delta) {
        deltas.merge(new Key(topic, state), delta, Long::sum);
    }

    void write(Tx tx) throws SQLException {
        tx.insert(Table.TALLY, rows());
        deltas.clear();
    }

    List<@Nullable Object[]> rows() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        deltas.forEach((key, delta) -> {
            if (delta != 0) {
                rows.add(new Object[] {key.topic, Codes.STATES.of(key.state), delta});
            }
        });
        return rows;
    }

    /** The counts of some topics. */
    static Map<Key, Long> read(Tx tx, Collection<Integer> topics) throws SQLException {
        Map<Key, Long> counts = new HashMap<>();
        if (!topics.isEmpty()) {
            var unused = tx.query(
                    Sql.COUNT_TOPICS,
                    row -> counts.put(new Key(row.smallNumber(), Codes.STATES.at(row.smallNumber())), row.number()),
                    topics);
        }
        return counts;
    }

    /**
     * Adds up what many transactions have left, so that few rows have to be read.
     *
     * @param from the first row to look at: those before are gone, and may still be in the way
     */
    static Condensed condense(Tx tx, long from) throws SQLException {
        record Entry(long id, Key key, long delta) {}
        List<Entry> entries = tx.query(
                Sql.TALLIES,
                row -> new Entry(
                        row.number(), new Key(row.smallNumber(), Codes.STATES.at(row.smallNumber())), row.number()),
                from);
        Tallies sums = new Tallies();
        entries.forEach(entry -> sums.add(entry.key.topic, entry.key.state, entry.delta));
        if (entries.size() <= 2 * sums.deltas.size()) {
            return new Condensed(from, entries.size());
        }
        int left = sums.deltas.size();
        tx.run(Sql.DELETE_TALLIES, entries.stream().map(Entry::id).toList());
        sums.write(tx);
        return new Condensed(entries.get(entries.size() - 1).id, left);
    }

    /**
     * What came of adding up.
     *
     * @param last the last row that is gone now; the first that was looked at if none is
     * @param left how many rows there are instead
     */
    record Condensed(long last, int left) {}
}
