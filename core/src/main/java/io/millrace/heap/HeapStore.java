package io.millrace.heap;

import io.millrace.Page;
import io.millrace.StoreUnavailableException;
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
import io.millrace.spi.EngineClock;
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
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Tasks in memory: gone with the process, unless a {@link Journal} keeps what happens ({@link HeapRestore}). One lock
 * guards everything: calls are short, and callers come in batches. Wake-ups are sent when the lock is free again.
 */
public final class HeapStore implements TaskStore {
    private static final long SMALL_BYTES = 1 << 10;
    /** A store that has no room for a task of this size is not ready. */
    private static final long READY_BYTES = 16 << 10;

    private static final long GIVE_WAY_NANOS = 200_000;

    private final EngineClock clock;
    private final HeapTime time;
    private final Journaling journaling;
    private final ReentrantLock lock = new ReentrantLock();
    private final TaskTable table;
    private final WorkerTable workers;
    private final Enqueuing enqueuing;
    private final Claiming claiming;
    private final Completing completing;
    private final Reaping reaping;
    private final Renewing renewing;
    private final Changing changing;
    private final Querying querying;
    private final HeapRecords records;
    /** How many bytes were carried over since that was last waited for; guarded by the lock. */
    private long carried;

    private volatile @Nullable WakeUpListener listener;
    private volatile boolean closed;

    /**
     * When a call is answered. Nothing hangs on the step of a claim: if it is lost, the task is ready again and will
     * get a lease that is unlike any before. But a worker elsewhere would work in vain, so that step does not stay
     * behind.
     */
    private enum Answer {
        AT_ONCE,
        ON_ITS_WAY,
        DURABLE
    }

    public HeapStore(EngineClock clock) {
        this(clock, null, Long.MAX_VALUE);
    }

    HeapStore(EngineClock clock, @Nullable Journal journal, long memoryLimit) {
        this.clock = clock;
        time = new HeapTime(clock);
        journaling = new Journaling(journal, time);
        MemoryLimit limit = new MemoryLimit(memoryLimit);
        table = new TaskTable(time, journaling, limit);
        workers = new WorkerTable(time, journaling);
        enqueuing = new Enqueuing(table, limit);
        claiming = new Claiming(table, workers);
        completing = new Completing(table, workers, enqueuing);
        reaping = new Reaping(table, workers);
        renewing = new Renewing(table, workers);
        changing = new Changing(table, enqueuing);
        querying = new Querying(table, new ReaderLock());
        records = new HeapRecords(journaling, this::writeRecord, this::tellRecordsChanged);
    }

    /** Runs something under the lock, with the time, and tells the listener what has become ready by it. */
    private <T> T locked(LongFunction<T> action) {
        return locked(Answer.AT_ONCE, Journal.Use.PROGRESS, 0, action);
    }

    private <T> T locked(Answer answer, Journal.Use use, long bytes, LongFunction<T> action) {
        List<String> ready;
        T result;
        long step;
        lock.lock();
        try {
            if (bytes > 0) {
                journaling.admit(use, bytes);
            }
            result = action.apply(time.read());
            ready = table.takeNewlyReady();
            step = answer == Answer.AT_ONCE ? journaling.flushIfPossible() : journaling.flush();
        } finally {
            lock.unlock();
        }
        WakeUpListener told = listener;
        if (told != null) {
            ready.forEach(told::ready);
        }
        if (answer != Answer.AT_ONCE) {
            journaling.keep(answer == Answer.DURABLE, step);
        }
        return result;
    }

    /** Long reads take the lock in short slices; a fair lock of their own lets one of them at a time queue for it. */
    private final class ReaderLock implements Querying.Lock {
        private final ReentrantLock turn = new ReentrantLock(true);

        @Override
        public <T> T run(LongFunction<T> slice) {
            turn.lock();
            try {
                return locked(slice);
            } finally {
                turn.unlock();
            }
        }

        /** Without a pause, this thread would take the lock again before a waiting writer has woken up. */
        @Override
        public void giveWay() {
            if (lock.hasQueuedThreads()) {
                LockSupport.parkNanos(GIVE_WAY_NANOS);
            }
        }
    }

    private boolean writeRecord(long bytes, BooleanSupplier write) {
        return locked(Answer.DURABLE, Journal.Use.PROGRESS, bytes, now -> write.getAsBoolean());
    }

    // for those who keep and restore it

    TaskTable table() {
        return table;
    }

    WorkerTable workerTable() {
        return workers;
    }

    HeapRecords heapRecords() {
        return records;
    }

    HeapTime time() {
        return time;
    }

    Journaling journaling() {
        return journaling;
    }

    void begin(long epoch) {
        var unused = locked(Answer.DURABLE, Journal.Use.PROGRESS, SMALL_BYTES, now -> {
            journaling.opened(epoch);
            return null;
        });
    }

    /** How many bytes of the journal are still needed, by segment. */
    public Map<Integer, Long> liveBytes() {
        return locked(now -> journaling.liveBytes());
    }

    /** Has the journal say that its segments begin with this one from now on. @return the number of that step */
    public long beginWithSegment(int segment) {
        return locked(now -> {
            journaling.beginWithSegment(segment);
            return journaling.flush();
        });
    }

    /** A segment of the journal is gone. */
    public void forgetSegment(int segment) {
        var unused = locked(now -> {
            journaling.forgetSegment(segment);
            return segment;
        });
    }

    /** Writes anew what a step of the journal's oldest segment has and is still needed. */
    public void carryOver(int segment, ByteBuffer entries) {
        carryOver(CarryOver.ofStep(this, segment, entries));
    }

    /** Writes anew all that stands in the journal's oldest segment and is still needed; that is sought everywhere. */
    public void carryOver(int segment) {
        carryOver(locked(now -> CarryOver.ofAll(this, segment)));
    }

    /** In several steps if it is much: tasks may have grown since, and others must not wait for long. */
    private void carryOver(CarryOver over) {
        boolean more = true;
        while (more) {
            long[] step = new long[1];
            boolean[] wait = new boolean[1];
            more = locked(now -> {
                boolean rest = over.some();
                carried += journaling.collected();
                wait[0] = carried >= journaling.largestStep();
                carried = wait[0] ? 0 : carried;
                step[0] = journaling.flush();
                return rest;
            });
            if (wait[0]) {
                // what is not written yet is in memory
                journaling.keep(true, step[0]);
            }
        }
    }

    @Override
    public Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }

    @Override
    public List<EnqueueResult> enqueue(List<EnqueueRequest> requests) {
        return locked(Answer.DURABLE, Journal.Use.GROWTH, Estimates.enqueue(requests), now -> {
            List<EnqueueResult> results = new ArrayList<>(requests.size());
            for (EnqueueRequest request : requests) {
                results.add(enqueuing.enqueue(request, now));
            }
            return results;
        });
    }

    @Override
    public List<ClaimResult> claim(List<ClaimRequest> requests) {
        return locked(Answer.ON_ITS_WAY, Journal.Use.PROGRESS, Estimates.claim(requests), now -> {
            List<ClaimResult> results = new ArrayList<>(requests.size());
            for (ClaimRequest request : requests) {
                results.add(claiming.claim(request, now));
            }
            return results;
        });
    }

    @Override
    public List<CompletionResult> complete(List<Completion> completions) {
        long bytes = Estimates.complete(completions);
        int half = completions.size() / 2;
        if (half > 0 && bytes > journaling.largestStep()) {
            List<CompletionResult> results = new ArrayList<>(complete(completions.subList(0, half)));
            results.addAll(complete(completions.subList(half, completions.size())));
            return results;
        }
        return locked(Answer.DURABLE, Journal.Use.PROGRESS, bytes, now -> {
            List<CompletionResult> results = new ArrayList<>(completions.size());
            for (Completion completion : completions) {
                results.add(completing.complete(completion, now));
                if (journaling.isLarge()) {
                    // what tasks have besides the report is written with it, and may be more than the estimate
                    journaling.flush();
                }
            }
            return results;
        });
    }

    @Override
    public List<OverdueLease> claimExpired(UUID reaper, int limit) {
        return locked(
                Answer.AT_ONCE,
                Journal.Use.PROGRESS,
                Estimates.tasks(limit),
                now -> reaping.claimExpired(reaper, limit, now));
    }

    @Override
    public List<Task> get(Collection<UUID> ids) {
        return locked(now -> querying.get(ids, now));
    }

    @Override
    public Page<Task> list(TaskQuery query, @Nullable String cursor, int limit, BooleanSupplier wanted) {
        return querying.list(query, cursor, limit, wanted);
    }

    @Override
    public List<TaskCount> count(TaskQuery query, BooleanSupplier wanted) {
        return querying.count(query, wanted);
    }

    @Override
    public Map<String, Instant> oldestReady(Collection<String> topics) {
        return querying.oldestReady(topics);
    }

    @Override
    public ChangeResult change(Selection selection, Change change, int limit) {
        return locked(
                Answer.DURABLE,
                Journal.Use.PROGRESS,
                Estimates.change(change, limit),
                now -> changing.change(selection, change, limit, now));
    }

    @Override
    public WorkerRegistry workers() {
        return new WorkerRegistry() {
            @Override
            public UUID register(Introduction introduction, Duration expiresAfter) {
                return locked(now -> workers.register(introduction, expiresAfter));
            }

            @Override
            public void serve(UUID worker, Set<String> topics) {
                locked(now -> workers.serve(worker, topics));
            }

            @Override
            public Renewal renew(Heartbeat heartbeat) {
                Renewal renewal = locked(now -> renewing.renew(heartbeat, now));
                journaling.hasten();
                return renewal;
            }

            @Override
            public boolean leave(UUID worker) {
                return locked(now -> workers.leave(worker));
            }

            @Override
            public boolean requestStop(UUID worker) {
                return locked(now -> workers.requestStop(worker));
            }

            @Override
            public @Nullable Worker find(UUID worker) {
                return locked(now -> workers.show(worker));
            }

            @Override
            public List<Worker> list() {
                return locked(now -> workers.list());
            }
        };
    }

    @Override
    public Records records() {
        return records;
    }

    @Override
    public void checkReady() {
        if (closed) {
            throw new StoreUnavailableException("the store is closed");
        }
        lock.lock();
        try {
            journaling.admit(Journal.Use.GROWTH, READY_BYTES);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean mayBlock() {
        return journaling.isKept();
    }

    @Override
    public void onWakeUp(WakeUpListener told) {
        listener = told;
    }

    @Override
    public void backUp(Path directory) {
        journaling.copyTo(directory);
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
        closed = true;
        journaling.close();
    }
}
