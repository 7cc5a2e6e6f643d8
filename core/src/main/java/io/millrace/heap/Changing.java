package io.millrace.heap;

import io.millrace.TaskState;
import io.millrace.spi.Change;
import io.millrace.spi.ChangeResult;
import io.millrace.spi.ChangeResult.Item;
import io.millrace.spi.ChangeResult.Status;
import io.millrace.spi.Next;
import io.millrace.spi.Selection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What operators and the janitor do to tasks. */
final class Changing {
    /** How many tasks one step looks at for each that it may change. */
    private static final int LOOKS = 10;

    private final TaskTable table;
    private final Enqueuing enqueuing;

    Changing(TaskTable table, Enqueuing enqueuing) {
        this.table = table;
        this.enqueuing = enqueuing;
    }

    ChangeResult change(Selection selection, Change change, int limit, long now) {
        if (selection instanceof Selection.Ids chosen) {
            List<Item> items = new ArrayList<>();
            chosen.ids().forEach(id -> items.add(changeOne(id, change, now)));
            return new ChangeResult(items, null);
        }
        if (selection instanceof Selection.Matching matching) {
            return changeMatching(matching, change, limit, now);
        }
        return changePastRetention(change, limit, now);
    }

    private Item changeOne(UUID id, Change change, long now) {
        TaskNode node = table.find(id);
        if (node == null) {
            return new Item(id, Status.NOT_FOUND, null, null);
        }
        table.promote(node.topic, now);
        TaskState before = node.state;
        return new Item(id, apply(change, node, now), node.topic.name, before);
    }

    private ChangeResult changeMatching(Selection.Matching selection, Change change, int limit, long now) {
        table.promoteAll(now);
        Matching walk = new Matching(table, selection.query(), Cursor.parse(selection.cursor()));
        List<TaskNode> matches = new ArrayList<>();
        for (int looks = 0; walk.hasMore() && matches.size() < limit && looks < limit * LOOKS; looks++) {
            TaskNode node = walk.look();
            if (node != null) {
                matches.add(node);
            }
        }
        String next = walk.hasMore() ? Cursor.of(walk.position()) : null;
        return new ChangeResult(changeAll(matches, change, now), next);
    }

    private ChangeResult changePastRetention(Change change, int limit, long now) {
        List<Item> items = new ArrayList<>();
        TaskNode node = table.removals.peek();
        boolean changed = true;
        while (changed && node != null && node.key <= now && items.size() < limit) {
            changed = items.addAll(changeAll(List.of(node), change, now));
            node = table.removals.peek();
        }
        // a change that is not for final tasks leaves the first where it is, and would leave the others
        boolean done = !changed || node == null || node.key > now;
        return new ChangeResult(items, done ? null : Cursor.of(0));
    }

    private List<Item> changeAll(List<TaskNode> nodes, Change change, long now) {
        List<Item> changed = new ArrayList<>();
        for (TaskNode node : nodes) {
            TaskState before = node.state;
            if (apply(change, node, now) == Status.CHANGED) {
                changed.add(new Item(node.given.id(), Status.CHANGED, node.topic.name, before));
            }
        }
        return changed;
    }

    private Status apply(Change change, TaskNode node, long now) {
        if (!change.appliesTo(node.state)) {
            return Status.WRONG_STATE;
        }
        if (change instanceof Change.Cancel cancel) {
            cancel(node, cancel, now);
        } else if (change instanceof Change.Expire expire) {
            return expire(node, expire.ends().get(node.given.id()), now);
        } else if (change instanceof Change.Redriven) {
            node.redriven = true;
            table.changed(node);
        } else if (change instanceof Change.Reschedule reschedule) {
            table.requeue(node, TaskTable.millis(reschedule.runAt(), now), now);
        } else if (change instanceof Change.Delete) {
            table.remove(node, now);
        } else {
            return retry(node, now);
        }
        return Status.CHANGED;
    }

    private Status retry(TaskNode node, long now) {
        if (node.redriven) {
            return Status.REDRIVEN;
        }
        TaskNode holder = table.keyHolder(node.given);
        if (holder != null && !holder.isOverdue(now)) {
            return Status.KEY_TAKEN;
        }
        if (holder != null) {
            table.passKeyOn(holder);
        }
        table.revive(node, now);
        return Status.CHANGED;
    }

    private Status expire(TaskNode node, Next.@Nullable Finish end, long now) {
        if (end == null || !node.isOverdue(now)) {
            return Status.WRONG_STATE;
        }
        table.finish(node, end.state(), end.result(), end.retention(), now);
        end.spawned().forEach(letter -> enqueuing.spawn(letter, now));
        return Status.CHANGED;
    }

    private void cancel(TaskNode node, Change.Cancel cancel, long now) {
        if (node.running != null) {
            node.running.cancelRequested = true;
            table.changed(node);
            return;
        }
        table.finish(
                node,
                TaskState.CANCELLED,
                null,
                cancel.policyOf(node.topic.name).retentionOf(node.given, TaskState.CANCELLED),
                now);
    }
}
