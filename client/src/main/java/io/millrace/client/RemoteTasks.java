package io.millrace.client;

import io.millrace.Enqueued;
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
import io.millrace.wire.CountForm;
import io.millrace.wire.QueryForm;
import io.millrace.wire.TaskView;
import io.millrace.wire.TaskViewForm;
import io.millrace.wire.WhenForm;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What users ask of tasks, asked of a server. */
final class RemoteTasks implements TaskClient {
    static final String WHOLE = "/v1/tasks";
    /** The same without payloads and results. */
    static final String SUMMARY = "/v1/tasks/summary";

    private static final int STEP = 500;

    private final Transport transport;
    private final Intake intake;
    private final Finishes finishes;

    RemoteTasks(Transport transport, Intake intake, Finishes finishes) {
        this.transport = transport;
        this.intake = intake;
        this.finishes = finishes;
    }

    @Override
    public List<Enqueued> enqueue(List<NewTask> tasks) {
        return Transport.await(intake.enqueue(tasks));
    }

    /** What hangs on the answer is the users' code: it runs on the common pool. */
    @Override
    public CompletableFuture<List<Enqueued>> enqueueAsync(List<NewTask> tasks) {
        try {
            return intake.enqueue(tasks).thenApplyAsync(answers -> answers);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public Optional<Task> find(UUID id) {
        return look(id).map(TaskView::task);
    }

    @Override
    public Optional<String> why(UUID id) {
        return look(id).map(TaskView::why);
    }

    Optional<TaskView> look(UUID id) {
        Answer answer = transport.call(Call.get(path(id)));
        if (isMissing(answer)) {
            return Optional.empty();
        }
        return Optional.of(TaskViewForm.read(good(answer).body()));
    }

    static String path(UUID id) {
        return "/v1/tasks/" + Limits.present("id", id);
    }

    static boolean isMissing(Answer answer) {
        return answer.status() == 404 && Trouble.kind(answer).equals("not-found");
    }

    static Answer good(Answer answer) {
        if (!answer.isGood()) {
            throw Trouble.of(answer);
        }
        return answer;
    }

    @Override
    public Page<Task> list(TaskQuery query, @Nullable String cursor, int limit) {
        return page(WHOLE, query, cursor, limit);
    }

    private Page<Task> page(String path, TaskQuery query, @Nullable String cursor, int limit) {
        Page<TaskView> page = views(path, query, cursor, limit);
        return new Page<>(page.items().stream().map(TaskView::task).toList(), page.next());
    }

    Page<TaskView> views(String path, TaskQuery query, @Nullable String cursor, int limit) {
        Limits.between("limit", limit, 1, Limits.PAGE);
        Map<String, List<String>> parameters = QueryForm.write(query);
        parameters.put("limit", List.of(Integer.toString(limit)));
        if (cursor != null) {
            parameters.put("cursor", List.of(cursor));
        }
        Answer answer = good(transport.call(Call.get(path + ServerUrl.query(parameters))));
        return TaskViewForm.readPage(answer.body());
    }

    @Override
    public Stream<Task> stream(TaskQuery query) {
        return stream(WHOLE, query);
    }

    private Stream<Task> stream(String path, TaskQuery query) {
        return Stream.iterate(
                        page(path, query, null, STEP),
                        page -> page != null,
                        page -> page.next() == null ? null : page(path, query, page.next(), STEP))
                .flatMap(page -> page.items().stream());
    }

    @Override
    public List<TaskCount> count(TaskQuery query) {
        Map<String, List<String>> parameters = QueryForm.write(query);
        parameters.put("by", List.of("topic,state"));
        Answer answer = transport.call(Call.get("/v1/tasks/count" + ServerUrl.query(parameters)));
        return CountForm.readGroups(good(answer).body());
    }

    @Override
    public CompletableFuture<Task> finished(UUID id) {
        return finishes.await(Limits.present("id", id));
    }

    @Override
    public void cancel(UUID id) {
        Answer answer = transport.call(Call.post(path(id) + "/cancel"));
        boolean doneBefore = answer.status() == 409
                && answer.tries() > 1
                && find(id).filter(task -> task.state() == TaskState.CANCELLED).isPresent();
        if (!doneBefore) {
            changed(id, answer);
        }
    }

    /** Not sent again: it may have been retried, run and ended before the answer was lost. */
    @Override
    public void retry(UUID id) {
        changed(id, transport.call(Call.post(path(id) + "/retry").unlessSent()));
    }

    @Override
    public void reschedule(UUID id, When runAt) {
        byte[] body = WhenForm.write(Limits.present("runAt", runAt));
        changed(id, transport.call(Call.post(path(id) + "/reschedule", body).unlessSent()));
    }

    @Override
    public void delete(UUID id) {
        Answer answer = transport.call(Call.delete(path(id)));
        boolean doneBefore = isMissing(answer) && answer.tries() > 1;
        if (!doneBefore) {
            changed(id, answer);
        }
    }

    private static void changed(UUID id, Answer answer) {
        if (isMissing(answer)) {
            throw new TaskNotFoundException(id);
        }
        var unused = good(answer);
    }

    @Override
    public long deleteAll(TaskQuery query) {
        Call call = Call.delete("/v1/tasks" + ServerUrl.query(QueryForm.write(filtered(query))));
        return CountForm.read("deleted", good(transport.call(call.unlessSent())).body());
    }

    private static TaskQuery filtered(TaskQuery query) {
        if (query.matchesEverything()) {
            throw new InvalidValueException(
                    "query", "everything", "at least one filter must be set; to mean all, name all states");
        }
        return query;
    }

    @Override
    public long cancelAll(TaskQuery query) {
        return changeAll(filtered(query), TaskState.PENDING, this::cancel);
    }

    @Override
    public long retryAll(TaskQuery query) {
        return changeAll(filtered(query), EnumSet.complementOf(EnumSet.copyOf(TaskState.PENDING)), this::retry);
    }

    /** The server has no such call; so tasks are changed one by one. Those that got away meanwhile are not counted. */
    private long changeAll(TaskQuery query, Set<TaskState> states, Consumer<UUID> change) {
        Set<TaskState> asked =
                query.states().isEmpty() ? EnumSet.allOf(TaskState.class) : EnumSet.copyOf(query.states());
        asked.retainAll(states);
        if (asked.isEmpty()) {
            return 0;
        }
        return stream(SUMMARY, query.states(asked))
                .filter(task -> isChanged(task.id(), change))
                .count();
    }

    private static boolean isChanged(UUID id, Consumer<UUID> change) {
        try {
            change.accept(id);
            return true;
        } catch (TaskNotFoundException | WrongStateException e) {
            return false;
        }
    }

    void close() {
        finishes.close();
    }
}
