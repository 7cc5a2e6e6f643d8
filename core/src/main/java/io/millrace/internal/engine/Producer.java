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
import java.util.function.Supplier;
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
    private final Expiry expiry;
    private final Batcher<EnqueueRequest, EnqueueResult> batcher;
    private final int payloadLimit;

    /** Makes room in a topic by moving its oldest ready tasks to the dead-letter topic. */
    interface Overflow {
        void leakFront(String topic, int tasks);
    }

    Producer(Node node, Overflow overflow, Expiry expiry, int payloadLimit) {
        store = node.store();
        topics = node.topics();
        events = node.events();
        alarm = node.alarm();
        this.overflow = overflow;
        this.expiry = expiry;
        this.payloadLimit = payloadLimit;
        batcher = node.batcher(
                Call.ENQUEUE,
                BATCH,
                request -> request.tasks().size(),
                (request, result) -> request.tasks().size(),
                store::enqueue);
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
        Supplier<EnqueueResult> enqueue = () -> store.enqueueIn(transaction, request(tasks));
        EnqueueResult result = expiry.clearTheWay(enqueue.get(), enqueue);
        if (result instanceof EnqueueResult.Full full) {
            throw tooMany(full);
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
                    .thenCompose(result -> result instanceof EnqueueResult.Stored
                            ? CompletableFuture.completedFuture(answer(tasks, result))
                            : CompletableFuture.supplyAsync(() -> answer(tasks, result)));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private List<Enqueued> answer(List<NewTask> tasks, EnqueueResult first) {
        EnqueueResult result = expiry.clearTheWay(first, () -> batcher.call(request(tasks)));
        return result instanceof EnqueueResult.Full full
                ? enqueueLeaking(tasks, full)
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
            Limits.noCallback(task.callback());
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
    private List<Enqueued> enqueueLeaking(List<NewTask> tasks, EnqueueResult.Full firstFull) {
        List<NewTask> stored = tasks;
        EnqueueResult.Full full = firstFull;
        for (int round = 1; round <= 2 * ROUNDS; round++) {
            TopicPolicy policy = topics.policy(full.topic());
            if (policy.deadLetter() == null) {
                throw tooMany(full);
            }
            if (policy.leak() == Leak.FRONT && round < ROUNDS) {
                int capacity = Objects.requireNonNullElse(policy.capacity(), Integer.MAX_VALUE);
                stored = leakRear(stored, full, capacity, policy.deadLetter());
                int wanted = Math.min(full.wanting().size(), capacity);
                overflow.leakFront(full.topic(), Math.max(1, wanted - full.room()));
            } else {
                stored = leakRear(stored, full, round <= ROUNDS ? full.room() : 0, policy.deadLetter());
            }
            List<NewTask> asked = stored;
            Supplier<EnqueueResult> enqueue = () -> batcher.call(request(asked));
            EnqueueResult result = expiry.clearTheWay(enqueue.get(), enqueue);
            if (!(result instanceof EnqueueResult.Full again)) {
                return answer(tasks, stored, stored(result));
            }
            full = again;
        }
        throw tooMany(full);
    }

    private TopicFullException tooMany(EnqueueResult.Full full) {
        int capacity = Objects.requireNonNullElse(topics.policy(full.topic()).capacity(), 0);
        return new TopicFullException(full.topic(), capacity);
    }

    private static EnqueueResult.Stored stored(EnqueueResult result) {
        if (result instanceof EnqueueResult.StoreFull full) {
            throw new StoreFullException(full.why());
        }
        return (EnqueueResult.Stored) result;
    }

    /** Replaces the tasks for which there is no room by letters. */
    private List<NewTask> leakRear(List<NewTask> tasks, EnqueueResult.Full full, int room, String deadLetter) {
        Set<UUID> leaking = new HashSet<>(full.wanting()
                .subList(Math.min(room, full.wanting().size()), full.wanting().size()));
        List<NewTask> replaced = new ArrayList<>(tasks.size());
        for (NewTask task : tasks) {
            boolean leaks = task.topic().equals(full.topic()) && leaking.contains(task.id());
            if (leaks && task.origin() != null && task.origin().cameThrough(deadLetter)) {
                throw tooMany(full);
            }
            replaced.add(leaks ? DeadLetters.leaked(task, deadLetter) : task);
        }
        return replaced;
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
