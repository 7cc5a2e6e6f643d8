package io.millrace.sql;

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
import java.sql.Connection;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Tasks in a database, shared by any number of nodes. Each call is one transaction. */
final class SqlStore implements TaskStore {
    private final Database database;
    private final InstantSource clock;
    private final Lanes lanes;
    private final Snapshots snapshots;
    private final Changer changer;
    private final Intake intake;
    private final Views views;
    private final Selecting selecting;
    private final SqlRecords records;
    private final SqlWorkers workers;
    private final TallyWatch watch;
    private final Signals signals;

    private volatile @Nullable WakeUpListener listener;

    /** @param url for connections beside the pool */
    SqlStore(Database database, InstantSource clock, String url) {
        this.database = database;
        this.clock = clock;
        lanes = new Lanes(database);
        snapshots = new Snapshots(lanes);
        changer = new Changer(database, lanes, clock, this::tellReady);
        intake = new Intake(database, lanes, clock, changer);
        views = new Views(database, lanes, snapshots, clock, changer);
        selecting = new Selecting(database, lanes, snapshots, clock, changer);
        records = new SqlRecords(database, this::tellRecordsChanged);
        workers = new SqlWorkers(database, lanes, clock::millis);
        watch = new TallyWatch(database, lanes, () -> listener);
        signals = database.dialect() instanceof PostgresDialect
                ? new PostgresSignals(url, database, () -> listener)
                : Signals.NONE;
    }

    @Override
    public Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }

    @Override
    public List<EnqueueResult> enqueue(List<EnqueueRequest> requests) {
        return intake.enqueue(requests);
    }

    @Override
    public EnqueueResult enqueueIn(Connection transaction, EnqueueRequest request) {
        return intake.enqueueIn(transaction, request);
    }

    @Override
    public List<ClaimResult> claim(List<ClaimRequest> requests) {
        // a claim that is lost with the database's machine is as good as one that was never made
        return changer.changeSoon(
                work -> new Claiming(work, new Workers(work.tx, work.now), snapshots).claim(requests));
    }

    @Override
    public List<CompletionResult> complete(List<Completion> completions) {
        if (completions.isEmpty()) {
            return List.of();
        }
        lanes.prepare(Enqueuing.priorities(Completing.spawned(completions)));
        return changer.change(work -> new Completing(work, new Workers(work.tx, work.now)).complete(completions));
    }

    @Override
    public List<OverdueLease> claimExpired(UUID reaper, int limit) {
        return changer.change(
                work -> new Reaping(work, new Workers(work.tx, work.now), snapshots, reaper, limit).claimExpired());
    }

    @Override
    public List<Task> get(Collection<UUID> ids) {
        return views.get(ids);
    }

    @Override
    public Page<Task> list(TaskQuery query, @Nullable String cursor, int limit, BooleanSupplier wanted) {
        return views.list(query, cursor, limit, wanted);
    }

    @Override
    public List<TaskCount> count(TaskQuery query, BooleanSupplier wanted) {
        return views.count(query, wanted);
    }

    @Override
    public Map<String, Instant> oldestReady(Collection<String> topics) {
        return views.oldestReady(topics);
    }

    @Override
    public ChangeResult change(Selection selection, Change change, int limit) {
        return selecting.change(selection, change, limit);
    }

    @Override
    public WorkerRegistry workers() {
        return workers;
    }

    @Override
    public Records records() {
        return records;
    }

    /** A change of no row is refused by a server that only follows another, and by none that works. */
    @Override
    public void checkReady() {
        var unused = database.change(tx -> tx.update(Sql.CHANGE_NOTHING));
    }

    @Override
    public boolean mayBlock() {
        return true;
    }

    @Override
    public void onWakeUp(WakeUpListener told) {
        listener = told;
    }

    private void tellReady(Set<String> topics) {
        WakeUpListener told = listener;
        if (told != null) {
            topics.forEach(told::ready);
        }
        signals.send(topics);
    }

    private void tellRecordsChanged() {
        WakeUpListener told = listener;
        if (told != null) {
            told.recordsChanged();
        }
        signals.send(List.of(Signals.RECORDS));
    }

    @Override
    public void close() {
        listener = null;
        watch.close();
        signals.close();
        if (clock instanceof DatabaseClock own) {
            own.close();
        }
        database.close();
    }
}
