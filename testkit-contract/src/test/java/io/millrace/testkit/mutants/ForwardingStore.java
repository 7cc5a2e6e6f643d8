package io.millrace.testkit.mutants;

import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.spi.Change;
import io.millrace.spi.ChangeResult;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.OverdueLease;
import io.millrace.spi.Records;
import io.millrace.spi.Selection;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WakeUpListener;
import io.millrace.spi.WorkerRegistry;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** Hands every call on; a mutant gets one of them wrong. */
class ForwardingStore implements TaskStore {
    final TaskStore store;

    ForwardingStore(TaskStore store) {
        this.store = store;
    }

    @Override
    public Instant now() {
        return store.now();
    }

    @Override
    public List<EnqueueResult> enqueue(List<EnqueueRequest> requests) {
        return store.enqueue(requests);
    }

    @Override
    public List<ClaimResult> claim(List<ClaimRequest> requests) {
        return store.claim(requests);
    }

    @Override
    public List<CompletionResult> complete(List<Completion> completions) {
        return store.complete(completions);
    }

    @Override
    public List<OverdueLease> claimExpired(UUID reaper, int limit) {
        return store.claimExpired(reaper, limit);
    }

    @Override
    public List<Task> get(Collection<UUID> ids) {
        return store.get(ids);
    }

    @Override
    public Page<Task> list(TaskQuery query, String cursor, int limit, BooleanSupplier wanted) {
        return store.list(query, cursor, limit, wanted);
    }

    @Override
    public List<TaskCount> count(TaskQuery query, BooleanSupplier wanted) {
        return store.count(query, wanted);
    }

    @Override
    public Map<String, Instant> oldestReady(Collection<String> topics) {
        return store.oldestReady(topics);
    }

    @Override
    public ChangeResult change(Selection selection, Change change, int limit) {
        return store.change(selection, change, limit);
    }

    @Override
    public WorkerRegistry workers() {
        return store.workers();
    }

    @Override
    public Records records() {
        return store.records();
    }

    @Override
    public void checkReady() {
        store.checkReady();
    }

    @Override
    public boolean mayBlock() {
        return store.mayBlock();
    }

    @Override
    public void onWakeUp(WakeUpListener listener) {
        store.onWakeUp(listener);
    }

    @Override
    public void close() {
        store.close();
    }
}
