package io.millrace.sql;

import io.millrace.TooManyWorkersException;
import io.millrace.Worker;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.Renewal;
import io.millrace.spi.WorkerRegistry;
import io.millrace.spi.WorkerRoom;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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
            makeRoom(tx, id, introduction, now);
            tx.run(
                    Sql.ADD_WORKER,
                    id,
                    introduction.name(),
                    introduction.host(),
                    Workers.text(introduction.topics()),
                    expiresAfter.toMillis(),
                    now,
                    now,
                    false,
                    introduction.owner(),
                    introduction.size());
            return id;
        });
    }

    /** Where there is no room for a worker, those that have expired are forgotten. */
    private static void makeRoom(Tx tx, UUID id, Introduction introduction, long now) throws SQLException {
        try {
            room(tx, id, introduction.owner()).check(introduction);
        } catch (TooManyWorkersException e) {
            var unused = list(tx, known -> !known.standing(now).isAlive(), now);
            room(tx, id, introduction.owner()).check(introduction);
        }
    }

    private static WorkerRoom room(Tx tx, UUID but, String owner) throws SQLException {
        record Part(String owner, long workers, long bytes) {}
        List<Part> parts = tx.query(Sql.WORKER_ROOM, row -> new Part(row.text(), row.number(), row.number()), but);
        List<Part> owned =
                parts.stream().filter(part -> part.owner.equals(owner)).toList();
        return new WorkerRoom(
                parts.stream().mapToLong(Part::workers).sum(),
                parts.stream().mapToLong(Part::bytes).sum(),
                owned.stream().mapToLong(Part::workers).sum(),
                owned.stream().mapToLong(Part::bytes).sum());
    }

    @Override
    public void serve(UUID worker, Set<String> topics) {
        long now = clock.getAsLong();
        var unused = database.change(tx -> {
            Workers workers = new Workers(tx, now);
            workers.load(List.of(worker));
            Workers.Known known = workers.find(worker);
            if (known == null || !workers.seen(worker)) {
                return false;
            }
            Introduction serving = known.introduction().serving(topics);
            if (serving.size() > known.introduction().size()) {
                makeRoom(tx, worker, serving, now);
            }
            return tx.update(Sql.SERVE, Workers.text(topics), serving.size(), worker) == 1;
        });
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

    @Override
    public @Nullable Worker find(UUID worker) {
        long now = clock.getAsLong();
        List<Worker> found = database.change(tx -> {
            List<Worker> workers = new ArrayList<>(1);
            for (Workers.Known known : tx.query(Sql.WORKER, Workers.Known::read, List.of(worker))) {
                int running = tx.query(Sql.RUNNING_OF_WORKER, Row::smallNumber, worker, worker).stream()
                        .mapToInt(Integer::intValue)
                        .sum();
                workers.add(known.snapshot(now, running));
            }
            return workers;
        });
        return found.isEmpty() ? null : found.get(0);
    }

    @Override
    public List<Worker> list() {
        long now = clock.getAsLong();
        return database.change(tx -> list(tx, known -> known.isForgettable(now), now));
    }

    /** @param forgettable which of those that hold nothing are forgotten now */
    private static List<Worker> list(Tx tx, Predicate<Workers.Known> forgettable, long now) throws SQLException {
        Map<UUID, Integer> running = new HashMap<>();
        Tx.Reader<Integer> count = row -> running.merge(row.id(), row.smallNumber(), Integer::sum);
        var unused = tx.query(Sql.RUNNING_BY_LEASE, count);
        var unusedToo = tx.query(Sql.RUNNING_ASIDE, count);
        List<UUID> forgotten = new ArrayList<>();
        List<Worker> workers = new ArrayList<>();
        for (Workers.Known worker : tx.query(Sql.WORKERS, Workers.Known::read)) {
            int held = running.getOrDefault(worker.id(), 0);
            if (held == 0 && forgettable.test(worker)) {
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
