package io.millrace.sql;

import io.millrace.Worker;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.Renewal;
import io.millrace.spi.WorkerRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;

/** The workers as a table. */
final class SqlWorkers implements WorkerRegistry {
    private final Database database;
    private final Lanes lanes;
    private final LongSupplier clock;

    SqlWorkers(Database database, Lanes lanes, LongSupplier clock) {
        this.database = database;
        this.lanes = lanes;
        this.clock = clock;
    }

    @Override
    public UUID register(Introduction introduction, Duration expiresAfter) {
        UUID id = UUID.randomUUID();
        long now = clock.getAsLong();
        return database.change(tx -> {
            tx.run(
                    Sql.ADD_WORKER,
                    id,
                    introduction.name(),
                    introduction.host(),
                    Workers.text(introduction.topics()),
                    expiresAfter.toMillis(),
                    now,
                    now,
                    false);
            return id;
        });
    }

    @Override
    public void serve(UUID worker, Set<String> topics) {
        ifAlive(worker, tx -> tx.update(Sql.SERVE, Workers.text(topics), worker));
    }

    @Override
    public Renewal renew(Heartbeat heartbeat) {
        long now = clock.getAsLong();
        return database.change(tx -> {
            Work work = new Work(tx, lanes, now);
            Renewal renewal = new Renewing(work, new Workers(tx, now)).renew(heartbeat);
            work.write();
            return renewal;
        });
    }

    @Override
    public boolean leave(UUID worker) {
        long now = clock.getAsLong();
        return database.change(tx -> {
            Workers workers = new Workers(tx, now);
            workers.load(List.of(worker));
            if (!workers.standing(worker).isAlive()) {
                return false;
            }
            tx.run(Sql.GIVE_UP_LEASES, worker);
            tx.run(Sql.GIVE_UP_ASIDES, worker);
            return tx.update(Sql.DELETE_WORKERS, List.of(worker)) == 1;
        });
    }

    @Override
    public boolean requestStop(UUID worker) {
        long now = clock.getAsLong();
        return database.change(tx -> {
            Workers workers = new Workers(tx, now);
            workers.load(List.of(worker));
            return workers.standing(worker).isAlive() && tx.update(Sql.STOP, worker) == 1;
        });
    }

    private boolean ifAlive(UUID worker, Database.Work<Integer> work) {
        long now = clock.getAsLong();
        return database.change(tx -> {
            Workers workers = new Workers(tx, now);
            workers.load(List.of(worker));
            return workers.seen(worker) && work.run(tx) >= 0;
        });
    }

    @Override
    public List<Worker> list() {
        long now = clock.getAsLong();
        return database.change(tx -> list(tx, now));
    }

    private static List<Worker> list(Tx tx, long now) throws SQLException {
        Map<UUID, Integer> running = new HashMap<>();
        Tx.Reader<Integer> count = row -> running.merge(row.id(), row.smallNumber(), Integer::sum);
        var unused = tx.query(Sql.RUNNING_BY_LEASE, count);
        var unusedToo = tx.query(Sql.RUNNING_ASIDE, count);
        List<UUID> forgotten = new ArrayList<>();
        List<Worker> workers = new ArrayList<>();
        for (Workers.Known worker : tx.query(Sql.WORKERS, Workers.Known::read)) {
            int held = running.getOrDefault(worker.id(), 0);
            if (worker.isForgettable(now) && held == 0) {
                forgotten.add(worker.id());
            } else {
                workers.add(worker.snapshot(now, held));
            }
        }
        if (!forgotten.isEmpty()) {
            tx.run(Sql.DELETE_WORKERS, forgotten);
        }
        return workers;
    }
}
