package io.millrace.testkit.mutants;

import io.millrace.NewTask;
import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.Lease;
import io.millrace.spi.Next;
import io.millrace.spi.OverdueLease;
import io.millrace.spi.TaskStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** Takes calls apart, so that a mutant can change one item of what goes in or comes out. */
class RewritingStore extends ForwardingStore {
    RewritingStore(TaskStore store) {
        super(store);
    }

    NewTask rewrite(NewTask task) {
        return task;
    }

    EnqueueRequest rewrite(EnqueueRequest request) {
        return new EnqueueRequest(request.tasks().stream().map(this::rewrite).toList(), request.capacities());
    }

    EnqueueResult enqueueOne(EnqueueRequest request) {
        return store.enqueue(List.of(rewrite(request))).get(0);
    }

    ClaimRequest rewrite(ClaimRequest request) {
        return request;
    }

    ClaimResult rewrite(ClaimResult result) {
        return result;
    }

    ClaimResult claimOne(ClaimRequest request) {
        return rewrite(store.claim(List.of(rewrite(request))).get(0));
    }

    Completion rewrite(Completion completion) {
        return completion;
    }

    CompletionResult completeOne(Completion completion) {
        return store.complete(List.of(rewrite(completion))).get(0);
    }

    OverdueLease rewrite(OverdueLease overdue) {
        return overdue;
    }

    Task show(Task task) {
        return task;
    }

    @Override
    public List<EnqueueResult> enqueue(List<EnqueueRequest> requests) {
        List<EnqueueResult> results = new ArrayList<>();
        requests.forEach(request -> results.add(enqueueOne(request)));
        return results;
    }

    @Override
    public List<ClaimResult> claim(List<ClaimRequest> requests) {
        List<ClaimResult> results = new ArrayList<>();
        requests.forEach(request -> results.add(claimOne(request)));
        return results;
    }

    @Override
    public List<CompletionResult> complete(List<Completion> completions) {
        List<CompletionResult> results = new ArrayList<>();
        completions.forEach(completion -> results.add(completeOne(completion)));
        return results;
    }

    @Override
    public List<OverdueLease> claimExpired(UUID reaper, int limit) {
        return store.claimExpired(reaper, limit).stream().map(this::rewrite).toList();
    }

    @Override
    public List<Task> get(Collection<UUID> ids) {
        return store.get(ids).stream().map(this::show).toList();
    }

    @Override
    public Page<Task> list(TaskQuery query, String cursor, int limit, BooleanSupplier wanted) {
        Page<Task> page = store.list(query, cursor, limit, wanted);
        return new Page<>(page.items().stream().map(this::show).toList(), page.next());
    }

    static Completion with(Completion completion, Lease lease) {
        return new Completion(
                lease,
                completion.isAttempt(),
                completion.outcome(),
                completion.error(),
                completion.next(),
                completion.ifCancelled());
    }

    static Completion with(Completion completion, Next next) {
        return new Completion(
                completion.lease(),
                completion.isAttempt(),
                completion.outcome(),
                completion.error(),
                next,
                completion.ifCancelled());
    }
}
