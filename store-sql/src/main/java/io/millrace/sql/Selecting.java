package io.millrace.sql;

import io.millrace.spi.Change;
import io.millrace.spi.ChangeResult;
import io.millrace.spi.Selection;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finds the tasks that are to be changed, some at a time, and has them changed ({@link Changing}). */
final class Selecting {
    /** How many tasks one step of a walk looks at, for each that it may give or change. */
    private static final int LOOKS = 10;

    private final Database database;
    private final Lanes lanes;
    private final Snapshots snapshots;
    private final InstantSource clock;
    private final Changer changer;

    Selecting(Database database, Lanes lanes, Snapshots snapshots, InstantSource clock, Changer changer) {
        this.database = database;
        this.lanes = lanes;
        this.snapshots = snapshots;
        this.clock = clock;
        this.changer = changer;
    }

    ChangeResult change(Selection selection, Change change, int limit) {
        if (selection instanceof Selection.Ids chosen) {
            return changeIds(chosen.ids(), change);
        }
        if (selection instanceof Selection.Matching matching) {
            return changeMatching(matching, change, limit);
        }
        return changePastRetention(change, limit);
    }

    private ChangeResult changeIds(List<UUID> ids, Change change) {
        lanes.prepare(Enqueuing.priorities(Changing.letters(change)));
        List<ChangeResult.Item> changed = ids.isEmpty()
                ? List.of()
                : changer.change(work -> new Changing(work, snapshots, change).change(Querying.byId(work.tx, ids)));
        Map<UUID, ChangeResult.Item> byId = new HashMap<>();
        changed.forEach(item -> byId.put(item.id(), item));
        List<ChangeResult.Item> items = new ArrayList<>();
        for (UUID id : ids) {
            ChangeResult.Item item = byId.get(id);
            items.add(item != null ? item : new ChangeResult.Item(id, ChangeResult.Status.NOT_FOUND, null, null));
        }
        return new ChangeResult(items, null);
    }

    private ChangeResult changeMatching(Selection.Matching selection, Change change, int limit) {
        Querying querying = new Querying(lanes, snapshots, selection.query());
        long after = Querying.parse(selection.cursor());
        int looks = Math.min(limit * LOOKS, 5_000);
        record Step(Places matches, @Nullable String next) {}
        long now = clock.millis();
        Step step = database.read(tx -> {
            Places places = querying.candidates(tx, after, looks);
            Places matches = places.only(querying.matching(tx, places, now).keySet());
            boolean cut = matches.nums().size() > limit;
            Places some = matches.first(limit);
            SortedSet<Long> seen = (cut ? some : places).nums();
            boolean more = cut || places.nums().size() == looks;
            return new Step(some, more ? Querying.cursor(seen.isEmpty() ? after : seen.last()) : null);
        });
        return new ChangeResult(changeAll(step.matches, change), step.next);
    }

    private List<ChangeResult.Item> changeAll(Places places, Change change) {
        if (places.isEmpty()) {
            return List.of();
        }
        return changer.change(work -> new Changing(work, snapshots, change).change(places)).stream()
                .filter(item -> item.status() == ChangeResult.Status.CHANGED)
                .toList();
    }

    private ChangeResult changePastRetention(Change change, int limit) {
        var unused = database.change(tx -> {
            Lanes.condense(tx);
            // all of them: those that were committed late, too
            return Tallies.condense(tx, 0);
        });
        long now = clock.millis();
        Places found = database.read(tx -> Querying.pastRetention(tx, lanes, now, limit + 1));
        List<ChangeResult.Item> items = changeAll(found.first(limit), change);
        boolean more = found.nums().size() > limit && !items.isEmpty();
        return new ChangeResult(items, more ? Querying.cursor(0) : null);
    }
}
