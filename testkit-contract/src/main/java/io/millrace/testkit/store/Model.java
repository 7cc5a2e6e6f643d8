package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.NewTask;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerStanding;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a store should hold, kept in plain lists and found by looking at everything. It is no store: the checks around
 * it ({@link ModelEnqueue}, {@link ModelClaim}, …) are given a call with the store's answer, say whether that answer is
 * one of the right ones, and follow it. So the model needs no opinion on what the contract leaves open.
 */
final class Model {
    /** In the order of creation. */
    final List<ModelTask> tasks = new ArrayList<>();

    final Map<UUID, ModelWorker> workers = new HashMap<>();
    Instant now;

    Model(Instant now) {
        this.now = now;
    }

    static final class ModelWorker {
        final Duration expiresAfter;
        Instant lastSeen;
        boolean stopping;
        boolean left;

        ModelWorker(Duration expiresAfter, Instant now) {
            this.expiresAfter = expiresAfter;
            lastSeen = now;
        }
    }

    void register(UUID worker, Duration expiresAfter) {
        workers.put(worker, new ModelWorker(expiresAfter, now));
    }

    boolean isAlive(UUID id) {
        ModelWorker worker = workers.get(id);
        return worker != null
                && !worker.left
                && worker.lastSeen.plus(worker.expiresAfter).isAfter(now);
    }

    boolean hasLeft(UUID id) {
        ModelWorker worker = workers.get(id);
        return worker == null || worker.left;
    }

    boolean wasHeardOfSince(UUID id, Instant moment) {
        ModelWorker worker = workers.get(id);
        return worker != null && !worker.lastSeen.isBefore(moment);
    }

    /** Checks a standing, and takes the call for a sign of life. */
    void seen(UUID id, WorkerStanding standing) {
        ModelWorker worker = workers.get(id);
        if (worker == null || !isAlive(id)) {
            assertThat(standing.isAlive()).as("%s is alive", id).isFalse();
            return;
        }
        assertThat(standing).isEqualTo(worker.stopping ? WorkerStanding.STOPPING : WorkerStanding.ALIVE);
        worker.lastSeen = now;
    }

    void heardOf(UUID id) {
        existingWorker(id).lastSeen = now;
    }

    private ModelWorker existingWorker(UUID id) {
        ModelWorker worker = workers.get(id);
        assertThat(worker).as("the worker %s is known", id).isNotNull();
        return worker;
    }

    @Nullable
    ModelTask find(UUID id) {
        for (ModelTask task : tasks) {
            if (task.given.id().equals(id)) {
                return task;
            }
        }
        return null;
    }

    ModelTask existing(UUID id) {
        ModelTask task = find(id);
        assertThat(task).as("the task %s exists", id).isNotNull();
        return task;
    }

    /** The task that keeps this one out. */
    @Nullable
    ModelTask twinOf(NewTask candidate) {
        ModelTask sameId = find(candidate.id());
        return sameId == null ? keyHolder(candidate) : sameId;
    }

    @Nullable
    ModelTask keyHolder(NewTask candidate) {
        String key = candidate.uniqueKey();
        for (ModelTask task : tasks) {
            if (key != null
                    && task.isPending()
                    && !task.keyIsGone
                    && task.given.topic().equals(candidate.topic())
                    && key.equals(task.given.uniqueKey())) {
                return task;
            }
        }
        return null;
    }

    void insert(NewTask task) {
        tasks.add(new ModelTask(task, now));
    }

    /** Drops a final task that is not kept. */
    void dropIfNotKept(ModelTask task) {
        if (now.equals(task.removal)) {
            tasks.remove(task);
        }
    }

    long count(String topic, TaskState state) {
        return tasks.stream()
                .filter(task -> task.given.topic().equals(topic) && task.state(now) == state)
                .count();
    }

    /** By topic and state alone. */
    List<ModelTask> matching(TaskQuery query) {
        return tasks.stream()
                .filter(task -> query.topic() == null || query.topic().equals(task.given.topic()))
                .filter(task -> query.states().isEmpty() || query.states().contains(task.state(now)))
                .toList();
    }

    void compareWith(TaskStore store) {
        List<Task> actual = StoreInvariants.scan(store, TaskQuery.ALL);
        assertThat(actual)
                .extracting(Task::id)
                .containsExactlyElementsOf(
                        tasks.stream().map(task -> task.given.id()).toList());
        for (int i = 0; i < tasks.size(); i++) {
            tasks.get(i).compareWith(actual.get(i), now);
        }
    }
}
