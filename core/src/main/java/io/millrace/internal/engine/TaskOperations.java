package io.millrace.internal.engine;

import io.millrace.Enqueued;
import io.millrace.Event;
import io.millrace.Event.TaskChanged.Kind;
import io.millrace.InvalidValueException;
import io.millrace.Limits;
import io.millrace.NewTask;
import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskClient;
import io.millrace.TaskCount;
import io.millrace.TaskNotFoundException;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.When;
import io.millrace.WrongStateException;
import io.millrace.internal.Events;
import io.millrace.spi.Change;
import io.millrace.spi.ChangeResult;
import io.millrace.spi.ChangeResult.Item;
import io.millrace.spi.Selection;
import io.millrace.spi.TaskStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What users ask of tasks, on top of the store. */
final class TaskOperations implements TaskClient {
    private static final int STEP = 1_000;

    private final TaskStore store;
    private final Topics topics;
    private final Producer producer;
    private final Finishes finishes;
    private final Explainer explainer;
    private final Events events;
    private final Alarm alarm;
    private final Consumer<UUID> cancelRequested;

    TaskOperations(Node node, Producer producer, Consumer<UUID> cancelRequested) {
        store = node.store();
        topics = node.topics();
        events = node.events();
        alarm = node.alarm();
        finishes = node.finishes();
        explainer = new Explainer(node);
        this.producer = producer;
        this.cancelRequested = cancelRequested;
    }

    @Override
    public List<Enqueued> enqueue(List<NewTask> tasks) {
        return producer.enqueue(tasks);
    }

    @Override
    public CompletableFuture<List<Enqueued>> enqueueAsync(List<NewTask> tasks) {
        return producer.enqueueAsync(tasks);
    }

    @Override
    public Optional<Task> find(UUID id) {
        return store.get(List.of(Limits.present("id", id))).stream().findFirst();
    }

    @Override
    public Page<Task> list(TaskQuery query, @Nullable String cursor, int limit) {
        Limits.between("limit", limit, 1, Limits.PAGE);
        return store.list(query, cursor, limit);
    }

    @Override
    public Stream<Task> stream(TaskQuery query) {
        return Stream.iterate(
                        store.list(query, null, STEP),
                        page -> page != null,
                        page -> page.next() == null ? null : store.list(query, page.next(), STEP))
                .flatMap(page -> page.items().stream());
    }

    @Override
    public List<TaskCount> count(TaskQuery query) {
        return store.count(query);
    }

    @Override
    public Optional<String> why(UUID id) {
        return find(id).filter(task -> task.state().isPending()).map(explainer::explain);
    }

    @Override
    public CompletableFuture<Task> finished(UUID id) {
        return finishes.await(Limits.present("id", id));
    }

    @Override
    public void cancel(UUID id) {
        change(id, new Change.Cancel(topics.policies()), "cancelled");
    }

    @Override
    public void retry(UUID id) {
        change(id, new Change.Retry(), "retried");
    }

    @Override
    public void reschedule(UUID id, When runAt) {
        Item item = change(id, new Change.Reschedule(Limits.present("runAt", runAt)), "rescheduled");
        Instant now = store.now();
        Instant due = runAt.from(now);
        if (item.topic() != null && due.isAfter(now)) {
            alarm.at(item.topic(), due);
        }
    }

    @Override
    public void delete(UUID id) {
        change(id, new Change.Delete(), "deleted");
    }

    @Override
    public long deleteAll(TaskQuery query) {
        return changeAll(query, new Change.Delete());
    }

    @Override
    public long cancelAll(TaskQuery query) {
        return changeAll(query, new Change.Cancel(topics.policies()));
    }

    @Override
    public long retryAll(TaskQuery query) {
        return changeAll(query, new Change.Retry());
    }

    private Item change(UUID id, Change change, String asked) {
        Item item = store.change(new Selection.Ids(List.of(Limits.present("id", id))), change, 1)
                .items()
                .get(0);
        switch (item.status()) {
            case CHANGED -> changed(item, change);
            case NOT_FOUND -> throw new TaskNotFoundException(id);
            case WRONG_STATE -> throw new WrongStateException(id, asked, "it is " + item.before());
            case KEY_TAKEN ->
                throw new WrongStateException(id, asked, "another pending task of its topic has its unique key");
            case REDRIVEN ->
                throw new WrongStateException(id, asked, "its dead letter was redriven, and runs in its place");
        }
        return item;
    }

    private long changeAll(TaskQuery query, Change change) {
        if (query.matchesEverything()) {
            throw new InvalidValueException(
                    "query", "everything", "at least one filter must be set; to mean all, name all states");
        }
        long count = 0;
        String cursor = null;
        do {
            ChangeResult step = store.change(new Selection.Matching(query, cursor), change, STEP);
            step.items().forEach(item -> changed(item, change));
            count += step.changed();
            cursor = step.next();
        } while (cursor != null);
        return count;
    }

    private void changed(Item item, Change change) {
        Kind kind = kind(change, item.before());
        if (kind == Kind.CANCEL_REQUESTED) {
            cancelRequested.accept(item.id());
        }
        finishes.look(item.id());
        events.tell(() -> new Event.TaskChanged(item.id(), item.topic(), kind));
    }

    private static Kind kind(Change change, @Nullable TaskState before) {
        if (change instanceof Change.Cancel) {
            return before == TaskState.RUNNING ? Kind.CANCEL_REQUESTED : Kind.CANCELLED;
        }
        if (change instanceof Change.Retry) {
            return Kind.RETRIED;
        }
        return change instanceof Change.Delete ? Kind.DELETED : Kind.RESCHEDULED;
    }
}
