package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.spi.Change;
import io.millrace.spi.ChangeResult.Item;
import io.millrace.spi.ChangeResult.Status;
import io.millrace.spi.Next;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Follows what operators and the janitor do. */
record ModelChange(Model model) {
    void checkIds(List<UUID> ids, Change change, List<Item> items) {
        List<Item> expected = new ArrayList<>();
        for (UUID id : ids) {
            ModelTask task = model.find(id);
            expected.add(task == null ? new Item(id, Status.NOT_FOUND, null, null) : apply(change, task));
        }
        assertThat(items).isEqualTo(expected);
    }

    /** @param items of all steps together */
    void checkMatching(List<ModelTask> matching, Change change, List<Item> items) {
        List<Item> expected = new ArrayList<>();
        for (ModelTask task : matching) {
            Item item = apply(change, task);
            if (item.status() == Status.CHANGED) {
                expected.add(item);
            }
        }
        assertThat(items).isEqualTo(expected);
    }

    void checkPastRetention(int limit, List<Item> items) {
        long past = model.tasks.stream()
                .filter(task -> task.isPastRetention(model.now))
                .count();
        assertThat((long) items.size()).as("past retention").isEqualTo(Math.min(limit, past));
        for (Item item : items) {
            ModelTask task = model.existing(item.id());
            assertThat(task.isPastRetention(model.now))
                    .as("%s is past its retention", task.given)
                    .isTrue();
            assertThat(item).isEqualTo(apply(new Change.Delete(), task));
        }
    }

    private Item apply(Change change, ModelTask task) {
        TaskState before = task.state(model.now);
        return new Item(task.given.id(), status(change, task, before), task.given.topic(), before);
    }

    private Status status(Change change, ModelTask task, TaskState before) {
        if (!change.appliesTo(before)) {
            return Status.WRONG_STATE;
        }
        if (change instanceof Change.Cancel cancel) {
            cancel(task, cancel.policyOf(task.given.topic()));
        } else if (change instanceof Change.Reschedule reschedule) {
            task.requeue(reschedule.runAt().from(model.now), model.now);
        } else if (change instanceof Change.Delete) {
            model.tasks.remove(task);
        } else if (change instanceof Change.Expire expire) {
            return expire(task, expire.ends().get(task.given.id()));
        } else if (change instanceof Change.Redriven) {
            task.redriven = true;
        } else if (task.redriven) {
            return Status.REDRIVEN;
        } else {
            return retry(task);
        }
        return Status.CHANGED;
    }

    private Status retry(ModelTask task) {
        ModelTask holder = model.keyHolder(task.given);
        if (holder != null && !holder.isOverdue(model.now)) {
            return Status.KEY_TAKEN;
        }
        if (holder != null) {
            holder.keyIsGone = true;
        }
        task.revive(model.now);
        return Status.CHANGED;
    }

    private Status expire(ModelTask task, Next.@Nullable Finish end) {
        if (end == null || !task.isOverdue(model.now)) {
            return Status.WRONG_STATE;
        }
        task.finish(end.state(), null, end.retention(), model.now);
        model.dropIfNotKept(task);
        return Status.CHANGED;
    }

    private void cancel(ModelTask task, TopicPolicy policy) {
        if (task.running != null) {
            task.running.cancelRequested = true;
            return;
        }
        task.finish(TaskState.CANCELLED, null, policy.retentionOf(task.given, TaskState.CANCELLED), model.now);
        model.dropIfNotKept(task);
    }
}
