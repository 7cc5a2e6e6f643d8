package io.millrace.sql;

import io.millrace.InvalidValueException;
import io.millrace.NewTask;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Takes tasks in, by the quick way if it can ({@link Taking}), and step by step otherwise ({@link Enqueuing}). */
final class Intake {
    private final Database database;
    private final Lanes lanes;
    private final InstantSource clock;
    private final Changer changer;
    private final OverdueTasks overdueTasks = new OverdueTasks();
    /** For so many more calls. */
    private final AtomicInteger knownIdsExpected = new AtomicInteger();

    Intake(Database database, Lanes lanes, InstantSource clock, Changer changer) {
        this.database = database;
        this.lanes = lanes;
        this.clock = clock;
        this.changer = changer;
    }

    List<EnqueueResult> enqueue(List<EnqueueRequest> requests) {
        if (requests.isEmpty()) {
            return List.of();
        }
        lanes.prepare(Enqueuing.priorities(Enqueuing.tasks(requests)));
        Optional<List<EnqueueResult>> taken = knownIdsExpected.get() == 0 ? take(requests) : Optional.empty();
        return taken.orElseGet(() -> enqueueStepByStep(requests));
    }

    private List<EnqueueResult> enqueueStepByStep(List<EnqueueRequest> requests) {
        return changer.change(work -> {
            Set<Integer> locked = Enqueuing.lanesToLock(lanes, requests, work.now);
            work.tx.lockLanes(locked);
            boolean expectsNewIds = !work.tx.isTriedAgain()
                    && knownIdsExpected.get() == 0
                    // what is there already takes no room
                    && requests.stream()
                            .allMatch(request -> request.capacities().isEmpty());
            List<EnqueueResult> results = new Enqueuing(work, overdueTasks).enqueue(requests, locked, expectsNewIds);
            expect(results);
            return results;
        });
    }

    /** Tries the quick way. */
    private Optional<List<EnqueueResult>> take(List<EnqueueRequest> requests) {
        Taking taking = new Taking(lanes, requests);
        if (!taking.isPossible(database.dialect())) {
            return Optional.empty();
        }
        long now = clock.millis();
        Optional<List<EnqueueResult>> taken = database.alone(tx -> {
            if (tx.isTriedAgain()) {
                // most likely a task is there already
                knownIdsExpected.compareAndSet(0, 1);
                return Optional.empty();
            }
            return taking.take(tx, now);
        });
        if (taken.isPresent()) {
            changer.tell(taking.topics());
        }
        return taken;
    }

    EnqueueResult enqueueIn(Connection transaction, EnqueueRequest request) {
        checkTransaction(transaction);
        for (NewTask task : request.tasks()) {
            if (task.uniqueKey() != null) {
                throw new InvalidValueException(
                        "uniqueKey",
                        task.uniqueKey(),
                        "a task that is part of a transaction can have none: others with the same key would wait for it");
            }
        }
        lanes.prepare(Enqueuing.priorities(request.tasks()));
        return changer.changeIn(transaction, work -> new Enqueuing(work, overdueTasks).enqueueAside(request));
    }

    private static void checkTransaction(Connection transaction) {
        try {
            if (transaction.getAutoCommit()) {
                throw new InvalidValueException(
                        "transaction", "autoCommit=true", "the connection must not commit by itself");
            }
        } catch (SQLException e) {
            throw new InvalidValueException("transaction", "a closed connection", "it must be open: " + e.getMessage());
        }
    }

    /** Whoever sends tasks again that are there already will do so more than once. */
    private void expect(List<EnqueueResult> results) {
        for (EnqueueResult result : results) {
            if (result instanceof EnqueueResult.Stored stored
                    && stored.items().stream().anyMatch(EnqueueResult.Item::duplicate)) {
                knownIdsExpected.set(100);
                return;
            }
        }
        knownIdsExpected.updateAndGet(calls -> Math.max(0, calls - 1));
    }
}
