package io.millrace.heap;

import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.Worker;
import io.millrace.spi.Change;
import io.millrace.spi.ChangeResult;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.OverdueLease;
import io.millrace.spi.Records;
import io.millrace.spi.Renewal;
import io.millrace.spi.Selection;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WakeUpListener;
import io.millrace.spi.WorkerRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Tasks in memory, gone with the process. One lock guards everything: calls are short, and callers come in batches.
 * Wake-ups are sent when the lock is free again.
 */
public final class HeapStore implements TaskStore {
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final TaskTable table = new TaskTable();
    private final WorkerTable workers = new WorkerTable();
    private final Enqueuing enqueuing = new Enqueuing(table);
    private final Claiming claiming = new Claiming(table, workers);
    private final Completing completing = new Completing(table, workers, enqueuing);
    private final Reaping reaping = new Reaping(table, workers);
    private final Renewing renewing = new Renewing(table, workers);
    private final Changing changing = new Changing(table);
    private final Querying querying = new Querying(table, this::locked);
    private final HeapRecords records = new HeapRecords(this::tellRecordsChanged);
    private volatile @Nullable WakeUpListener listener;

    public HeapStore(InstantSource clock) {
        this.clock = clock;
    }

    /** Runs something under the lock, with the time, and tells the listener what has become ready by it. */
    private <T> T locked(LongFunction<T> action) {
        List<String> ready;
        T result;
        lock.lock();
        try {
            result = action.apply(clock.millis());
            ready = table.takeNewlyReady();
        } finally {
            lock.unlock();
        }
        WakeUpListener told = listener;
        if (told != null) {
            ready.forEach(told::ready);
        }
        return result;
    }

    @Override
    public Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }

    @Override
    public List<EnqueueResult> enqueue(List<EnqueueRequest> requests) {
        return locked(now -> {
            List<EnqueueResult> results = new ArrayList<>(requests.size());
            for (EnqueueRequest request : requests) {
                results.add(enqueuing.enqueue(request, now));
            }
            return results;
        });
    }

    @Override
    public List<ClaimResult> claim(List<ClaimRequest> requests) {
        return locked(now -> {
            List<ClaimResult> results = new ArrayList<>(requests.size());
            for (ClaimRequest request : requests) {
                results.add(claiming.claim(request, now));
            }
            return results;
        });
    }

    @Override
    public List<CompletionResult> complete(List<Completion> completions) {
        return locked(now -> {
            List<CompletionResult> results = new ArrayList<>(completions.size());
            for (Completion completion : completions) {
                results.add(completing.complete(completion, now));
            }
            return results;
        });
    }

    @Override
    public List<OverdueLease> claimExpired(UUID reaper, int limit) {
        return locked(now -> reaping.claimExpired(reaper, limit, now));
    }

    @Override
    public List<Task> get(Collection<UUID> ids) {
        return locked(now -> querying.get(ids, now));
    }

    @Override
    public Page<Task> list(TaskQuery query, @Nullable String cursor, int limit) {
        return querying.list(query, cursor, limit);
    }

    @Override
    public List<TaskCount> count(TaskQuery query) {
        return querying.count(query);
    }

    @Override
    public ChangeResult change(Selection selection, Change change, int limit) {
        return locked(now -> changing.change(selection, change, limit, now));
    }

    @Override
    public WorkerRegistry workers() {
        return new WorkerRegistry() {
            @Override
            public UUID register(Introduction introduction, Duration expiresAfter) {
                return locked(now -> workers.register(introduction, expiresAfter, now));
            }

            @Override
            public void serve(UUID worker, Set<String> topics) {
                locked(now -> workers.serve(worker, topics, now));
            }

            @Override
            public Renewal renew(Heartbeat heartbeat) {
                return locked(now -> renewing.renew(heartbeat, now));
            }

            @Override
            public boolean leave(UUID worker) {
                return locked(now -> workers.leave(worker, now));
            }

            @Override
            public boolean requestStop(UUID worker) {
                return locked(now -> workers.requestStop(worker, now));
            }

            @Override
            public List<Worker> list() {
                return locked(workers::list);
            }
        };
    }

    @Override
    public Records records() {
        return records;
    }

    @Override
    public boolean mayBlock() {
        return false;
    }

    @Override
    public void onWakeUp(WakeUpListener told) {
        listener = told;
    }

    private void tellRecordsChanged() {
        WakeUpListener told = listener;
        if (told != null) {
            told.recordsChanged();
        }
    }

    @Override
    public void close() {
        listener = null;
    }
}
