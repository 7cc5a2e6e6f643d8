package io.millrace.sql;

import io.millrace.NewTask;
import io.millrace.TaskState;
import io.millrace.When;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Takes tasks in with one round trip: the quick way for those that are ready at once, and of which nothing has to be known
 * before. {@link Enqueuing} does the rest.
 */
final class Taking {
    private final Lanes lanes;
    private final List<EnqueueRequest> requests;
    private final List<NewTask> tasks;
    private final Tallies tallies = new Tallies();
    private final Set<String> topics = new LinkedHashSet<>();

    Taking(Lanes lanes, List<EnqueueRequest> requests) {
        this.lanes = lanes;
        this.requests = requests;
        tasks = Enqueuing.tasks(requests);
    }

    boolean isPossible(Dialect dialect) {
        return dialect.insertsUnlessDue()
                && !tasks.isEmpty()
                && tasks.size() < Math.min(Tx.BLOCK, dialect.copiedFrom())
                && tasks.stream()
                        .allMatch(task -> task.runAt() == When.NOW && task.waitFor() == 0 && task.uniqueKey() == null)
                && requests.stream().allMatch(request -> request.capacities().isEmpty());
    }

    /**
     * Commits, too. Fails if a task is there already.
     *
     * @return nothing if nothing was done, because others have come due in the same lanes, and go before
     */
    Optional<List<EnqueueResult>> take(Tx tx, long now) throws SQLException {
        List<@Nullable Object[]> rows = new ArrayList<>(tasks.size());
        Set<Integer> used = new TreeSet<>();
        for (NewTask task : tasks) {
            Lane lane = lanes.get(task.topic(), task.priority());
            Long deadline = task.deadline() == null
                    ? null
                    : task.deadline().from(Instant.ofEpochMilli(now)).toEpochMilli();
            rows.add(TaskReader.values(rows.size(), lane.id(), now, deadline, task));
            used.add(lane.id());
            tallies.add(lane.topicId(), TaskState.READY, 1);
            topics.add(task.topic());
        }
        Tx.Answer<?> taken = tx.insertUnlessDue(rows, tallies.rows(), used, now);
        tx.commit();
        return taken.changed() == 0 ? Optional.empty() : Optional.of(results());
    }

    private List<EnqueueResult> results() {
        List<EnqueueResult> results = new ArrayList<>(requests.size());
        for (EnqueueRequest request : requests) {
            results.add(new EnqueueResult.Stored(request.tasks().stream()
                    .map(task -> new EnqueueResult.Item(task.id(), false))
                    .toList()));
        }
        return results;
    }

    Set<String> topics() {
        return topics;
    }
}
