package io.millrace.internal.engine;

import io.millrace.Enqueued;
import io.millrace.Event;
import io.millrace.Event.BatchDone.Call;
import io.millrace.InvalidValueException;
import io.millrace.Leak;
import io.millrace.Limits;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.StoreFullException;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.TopicFullException;
import io.millrace.TopicPolicy;
import io.millrace.When;
import io.millrace.internal.Events;
import io.millrace.internal.lifecycle.DeadLetters;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.TaskStore;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The way in: checks tasks, stores them in batches, and lets full topics leak. */
final class Producer {
    /** A full topic that others fill again and again: at last everything new leaks. */
    private static final int ROUNDS = 5;

    private static final int BATCH = 1_000;

    private final TaskStore store;
    private final Topics topics;
    private final Events events;
    private final Alarm alarm;
    private final Overflow overflow;
    private final Batcher<EnqueueRequest, EnqueueResult> batcher;
    private final int payloadLimit;

    /** Makes room in a topic by moving its oldest ready tasks to the dead-letter topic. */
    interface Overflow {
        void leakFront(String topic, int tasks);
    }

    Producer(Node node, Overflow overflow, int payloadLimit) {
        store = node.store();
        topics = node.topics();
        events = node.events();
        alarm = node.alarm();
        this.overflow = overflow;
        this.payloadLimit = payloadLimit;
        batcher = node.batcher(Call.ENQUEUE, BATCH, request -> request.tasks().size(), store::enqueue);
    }

    List<Enqueued> enqueue(List<NewTask> given) {
        List<NewTask> tasks = checkedCopy(given);
        return answer(tasks, batcher.call(request(tasks)));
    }

    /** What hangs on the answer is the users' code: it runs on the common pool. */
    CompletableFuture<List<Enqueued>> enqueueAsync(List<NewTask> given) {
        try {
            List<NewTask> tasks = checkedCopy(given);
            return batcher.submit(request(tasks)).thenApplyAsync(result -> answer(tasks, result));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Nobody is told of it: whether it will have happened is known to the caller alone. */
    List<Enqueued> enqueueIn(Connection transaction, List<NewTask> given) {
        List<NewTask> tasks = checkedCopy(given);
        EnqueueResult result = store.enqueueIn(transaction, request(tasks));
        if (result instanceof EnqueueResult.Full full) {
            throw new TopicFullException(
                    full.topic(),
                    Objects.requireNonNullElse(topics.policy(full.topic()).capacity(), 0));
        }
        return stored(result).items().stream()
                .map(item -> new Enqueued(item.id(), item.duplicate(), null))
                .toList();
    }

    /** Answers on the thread that stored the tasks; only what leaks, which takes several calls, is left to the pool. */
    CompletableFuture<List<Enqueued>> enqueueDirectly(List<NewTask> given) {
        try {
            List<NewTask> tasks = checkedCopy(given);
            return batcher.submit(request(tasks))
                    .thenCompose(result -> result instanceof EnqueueResult.Full
                            ? CompletableFuture.supplyAsync(() -> answer(tasks, result))
                            : CompletableFuture.completedFuture(answer(tasks, result)));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private List<Enqueued> answer(List<NewTask> tasks, EnqueueResult result) {
        return result instanceof EnqueueResult.Full full
                ? enqueueLeaking(tasks, full.topic())
                : answer(tasks, tasks, stored(result));
    }

    private List<NewTask> checkedCopy(List<NewTask> given) {
        List<NewTask> tasks = new ArrayList<>(Limits.present("tasks", given));
        check(tasks);
        return tasks;
    }

    void check(List<NewTask> tasks) {
        Limits.between("tasks", Limits.present("tasks", tasks).size(), 1, Limits.BATCH);
        Instant now = null;
        for (NewTask task : tasks) {
            Limits.present("task", task);
            checkPayload("payload", task.payload());
            if (task.deadline() != null) {
                now = now == null ? store.now() : now;
                task.checkAgainst(now);
            }
        }
    }

    void checkPayload(String field, @Nullable Payload payload) {
        if (payload != null && payload.size() > payloadLimit) {
            throw new InvalidValueException(
                    field, payload.size() + " bytes", "it may have up to " + payloadLimit + " bytes");
        }
    }

    private EnqueueRequest request(List<NewTask> tasks) {
        Map<String, Integer> capacities = Map.of();
        for (NewTask task : tasks) {
            Integer capacity = topics.policy(task.topic()).capacity();
            if (capacity != null) {
                capacities = capacities.isEmpty() ? new HashMap<>() : capacities;
                capacities.put(task.topic(), capacity);
            }
        }
        return new EnqueueRequest(tasks, capacities);
    }

    /** Tries again with room made at the front, or with letters instead of the tasks for which there is no room. */
    private List<Enqueued> enqueueLeaking(List<NewTask> tasks, String firstFull) {
        List<NewTask> stored = tasks;
        String full = firstFull;
        for (int round = 1; round <= 2 * ROUNDS; round++) {
            TopicPolicy policy = topics.policy(full);
            String deadLetter = policy.deadLetter();
            int capacity = policy.capacity() == null ? Integer.MAX_VALUE : policy.capacity();
            if (deadLetter == null) {
                throw new TopicFullException(full, capacity);
            }
            if (policy.leak() == Leak.FRONT && round < ROUNDS) {
                stored = leakRear(stored, full, capacity, deadLetter);
                overflow.leakFront(full, missing(stored, full, room(full, capacity)));
            } else {
                stored = leakRear(stored, full, round <= ROUNDS ? room(full, capacity) : 0, deadLetter);
            }
            EnqueueResult result = batcher.call(request(stored));
            if (!(result instanceof EnqueueResult.Full again)) {
                return answer(tasks, stored, stored(result));
            }
            full = again.topic();
        }
        throw new TopicFullException(
                full, Objects.requireNonNullElse(topics.policy(full).capacity(), 0));
    }

    private static EnqueueResult.Stored stored(EnqueueResult result) {
        if (result instanceof EnqueueResult.StoreFull full) {
            throw new StoreFullException(full.why());
        }
        return (EnqueueResult.Stored) result;
    }

    private int room(String topic, int capacity) {
        long there = store.count(TaskQuery.ALL.topic(topic).state(TaskState.READY, TaskState.SCHEDULED)).stream()
                .mapToLong(TaskCount::count)
                .sum();
        return (int) Math.max(0, capacity - there);
    }

    private static int missing(List<NewTask> tasks, String topic, int room) {
        long wanted = tasks.stream().filter(task -> takesRoom(task, topic)).count();
        return (int) Math.max(1, wanted - room);
    }

    /** Replaces the tasks for which there is no room by letters. What is there already takes none, and is left. */
    private List<NewTask> leakRear(List<NewTask> tasks, String topic, int room, String deadLetter) {
        Set<UUID> there = new HashSet<>();
        store.get(tasks.stream().map(NewTask::id).toList()).forEach(task -> there.add(task.id()));
        List<NewTask> replaced = new ArrayList<>(tasks.size());
        int left = room;
        for (NewTask task : tasks) {
            boolean leaks = takesRoom(task, topic) && !there.contains(task.id()) && left-- <= 0;
            replaced.add(leaks ? DeadLetters.leaked(task, deadLetter) : task);
        }
        return replaced;
    }

    private static boolean takesRoom(NewTask task, String topic) {
        return task.topic().equals(topic) && task.waitFor() == 0;
    }

    private List<Enqueued> answer(List<NewTask> asked, List<NewTask> stored, EnqueueResult.Stored result) {
        List<Enqueued> answers = new ArrayList<>(asked.size());
        for (int i = 0; i < asked.size(); i++) {
            NewTask task = stored.get(i);
            EnqueueResult.Item item = result.items().get(i);
            boolean leaked = !task.topic().equals(asked.get(i).topic());
            answers.add(new Enqueued(item.id(), item.duplicate(), leaked ? task.topic() : null));
            if (!item.duplicate() && !task.runAt().equals(When.NOW)) {
                alarm.at(task.topic(), task.runAt().from(store.now()));
            }
            if (events.wanted()) {
                tell(asked.get(i), task, item, leaked);
            }
        }
        return answers;
    }

    private void tell(NewTask asked, NewTask stored, EnqueueResult.Item item, boolean leaked) {
        if (leaked) {
            events.tell(() -> new Event.TaskLeaked(asked, stored.topic(), Leak.REAR));
        }
        events.tell(
                () -> item.duplicate() ? new Event.TaskDuplicate(stored, item.id()) : new Event.TaskEnqueued(stored));
    }
}
