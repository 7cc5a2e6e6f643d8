package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.NewTask;
import io.millrace.TaskState;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import java.util.ArrayList;
import java.util.List;

/** Follows what was taken in. */
record ModelEnqueue(Model model) {
    void check(List<EnqueueRequest> requests, List<EnqueueResult> results) {
        assertThat(results).hasSameSizeAs(requests);
        for (int i = 0; i < requests.size(); i++) {
            check(requests.get(i), results.get(i));
        }
    }

    /** A task past its deadline does not keep a spawned one out. */
    EnqueueResult.Item spawn(NewTask task) {
        ModelTask holder = model.find(task.id()) == null ? model.keyHolder(task) : null;
        if (holder != null && holder.isOverdue(model.now)) {
            holder.keyIsGone = true;
        }
        return insert(task);
    }

    private void checkOverdue(EnqueueResult result, List<ModelTask> expected) {
        assertThat(result).isInstanceOf(EnqueueResult.Overdue.class);
        assertThat(((EnqueueResult.Overdue) result).tasks())
                .isNotEmpty()
                .isSubsetOf(expected.stream().map(task -> task.given.id()).toList());
    }

    private List<ModelTask> overdueKeyHolders(EnqueueRequest request) {
        List<ModelTask> overdue = new ArrayList<>();
        for (NewTask task : request.tasks()) {
            ModelTask holder = model.keyHolder(task);
            if (holder != null && holder.isOverdue(model.now)) {
                overdue.add(holder);
            }
        }
        return overdue;
    }

    /** Takes the request in, looks whether all found room, and takes everything out again if not. */
    private void check(EnqueueRequest request, EnqueueResult result) {
        List<ModelTask> overdue = overdueKeyHolders(request);
        if (!overdue.isEmpty()) {
            checkOverdue(result, overdue);
            return;
        }
        List<ModelTask> before = List.copyOf(model.tasks);
        List<EnqueueResult.Item> items = new ArrayList<>();
        for (NewTask task : request.tasks()) {
            items.add(insert(task));
        }
        List<String> overfull = request.capacities().keySet().stream()
                .filter(topic -> isOverfull(topic, request, before))
                .toList();
        if (overfull.isEmpty()) {
            assertThat(result).isEqualTo(new EnqueueResult.Stored(items));
        } else {
            model.tasks.clear();
            model.tasks.addAll(before);
            List<ModelTask> inTheWay = before.stream()
                    .filter(task -> task.isOverdue(model.now)
                            && task.state(model.now) != TaskState.WAITING
                            && overfull.contains(task.given.topic()))
                    .toList();
            if (result instanceof EnqueueResult.Overdue) {
                checkOverdue(result, inTheWay);
                return;
            }
            assertThat(overfull)
                    .as("topics without overdue tasks")
                    .anyMatch(topic -> inTheWay.stream()
                            .noneMatch(task -> task.given.topic().equals(topic)));
            assertThat(result)
                    .isInstanceOfSatisfying(
                            EnqueueResult.Full.class,
                            full -> assertThat(full.topic()).isIn(overfull));
        }
    }

    EnqueueResult.Item insert(NewTask task) {
        ModelTask twin = model.twinOf(task);
        if (twin != null) {
            return new EnqueueResult.Item(twin.given.id(), true);
        }
        model.insert(task);
        return new EnqueueResult.Item(task.id(), false);
    }

    private boolean isOverfull(String topic, EnqueueRequest request, List<ModelTask> before) {
        boolean takesRoom = model.tasks.stream()
                .anyMatch(task -> !before.contains(task)
                        && task.given.topic().equals(topic)
                        && task.state(model.now) != TaskState.WAITING);
        long held = model.count(topic, TaskState.READY) + model.count(topic, TaskState.SCHEDULED);
        return takesRoom && held > request.capacities().getOrDefault(topic, Integer.MAX_VALUE);
    }
}
