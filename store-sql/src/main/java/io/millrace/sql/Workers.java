package io.millrace.sql;

import io.millrace.Worker;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.spi.WorkerStanding;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The workers that a transaction has to do with. */
final class Workers {
    /** A sign of life is written this often; more would be a row a call. */
    private static final long NOTED = 1_000;

    private static final long REMEMBERED = Duration.ofHours(1).toMillis();

    /** One worker as it is in its table. */
    record Known(
            UUID id,
            String name,
            String host,
            Set<String> topics,
            long expiresAfter,
            long registered,
            long seen,
            boolean stopping,
            String owner) {
        static Known read(Row row) throws SQLException {
            return new Known(
                    row.id(),
                    row.text(),
                    row.text(),
                    Workers.topics(row.text()),
                    row.number(),
                    row.number(),
                    row.number(),
                    row.flag(),
                    row.text());
        }

        Introduction introduction() {
            return new Introduction(name, host, topics, owner, false);
        }

        Known seenAt(long now) {
            return new Known(id, name, host, topics, expiresAfter, registered, now, stopping, owner);
        }

        WorkerStanding standing(long now) {
            if (now - seen >= expiresAfter) {
                return WorkerStanding.EXPIRED;
            }
            return stopping ? WorkerStanding.STOPPING : WorkerStanding.ALIVE;
        }

        /** An expired worker is remembered for as long as it lived, but at least for an hour. */
        boolean isForgettable(long now) {
            return !standing(now).isAlive() && now - seen > Math.max(REMEMBERED, seen - registered);
        }

        Worker snapshot(long now, int running) {
            Worker.Status status = switch (standing(now)) {
                case ALIVE -> Worker.Status.ACTIVE;
                case STOPPING -> Worker.Status.STOPPING;
                case EXPIRED, UNKNOWN -> Worker.Status.EXPIRED;
            };
            return new Worker(
                    id,
                    name,
                    host,
                    topics,
                    owner,
                    status,
                    Instant.ofEpochMilli(registered),
                    Instant.ofEpochMilli(seen),
                    running);
        }
    }

    private final Tx tx;
    private final long now;
    private final Map<UUID, Known> known = new HashMap<>();
    private Tx.@Nullable Answer<Known> asked;

    Workers(Tx tx, long now) {
        this.tx = tx;
        this.now = now;
    }

    static String text(Set<String> topics) {
        return String.join(" ", new TreeSet<>(topics));
    }

    static Set<String> topics(String text) {
        return text.isEmpty() ? Set.of() : Arrays.stream(text.split(" ")).collect(Collectors.toUnmodifiableSet());
    }

    /** Asks for them; the answer is heard when it is needed. */
    void load(Collection<UUID> ids) throws SQLException {
        if (!ids.isEmpty()) {
            asked = tx.ask(Sql.WORKER, Known::read, new TreeSet<>(ids));
        }
    }

    @Nullable
    Known find(UUID id) throws SQLException {
        if (asked != null) {
            asked.rows().forEach(worker -> known.put(worker.id, worker));
            asked = null;
        }
        return known.get(id);
    }

    WorkerStanding standing(UUID id) throws SQLException {
        Known worker = find(id);
        return worker == null ? WorkerStanding.UNKNOWN : worker.standing(now);
    }

    boolean isAlive(UUID id) throws SQLException {
        return standing(id).isAlive();
    }

    /** Notes that a worker was heard of. @return whether it is alive */
    boolean seen(UUID id) throws SQLException {
        Known worker = find(id);
        if (worker == null || !worker.standing(now).isAlive()) {
            return false;
        }
        if (now - worker.seen >= Math.min(NOTED, worker.expiresAfter / 10)) {
            tx.run(Sql.SEEN, now, id, now);
            known.put(id, worker.seenAt(now));
        }
        return true;
    }
}
