package io.millrace.spi;

import io.millrace.Page;
import io.millrace.StoreUnavailableException;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The only part of Millrace that keeps state. A store makes transitions atomic and durable; what the next state is was
 * decided before, in core, and comes as data.
 *
 * <p>Every call works on a batch, is atomic as said, and returns one result per item in the order of the items. An
 * expected race is a result. An exception means trouble: {@link StoreUnavailableException} can be tried again, all
 * calls being safe to repeat; others are bugs. Calls may come from any thread.
 *
 * <p>Time is the store's own: nodes whose clocks differ agree, because they send delays, not moments.
 */
public interface TaskStore extends AutoCloseable {
    /** The store's clock, cheap to ask; exact enough to check input and to set timers by. */
    Instant now();

    /**
     * Takes in tasks. Each request is all or nothing and sees the ones before it; all of one call become durable
     * together. A task whose id is known, or whose unique key is held by a pending task of its topic, is a duplicate.
     * Duplicates do not count towards a capacity. A task that is past its deadline and not running keeps neither its
     * key nor its room: see {@link EnqueueResult.Overdue}. That it takes up room may be noticed up to a second late.
     */
    List<EnqueueResult> enqueue(List<EnqueueRequest> requests);

    /**
     * Leases ready tasks, each to one worker only: by topic first each topic's share, then whatever is left in the
     * order of the topics, or, if the request says so, the oldest of all topics first; within a topic the lowest
     * priority number first, and first in, first out. Tasks that have
     * become due count as ready. A task whose deadline has passed is leased apart from them, to be ended by its
     * completion; it counts towards no limit.
     */
    List<ClaimResult> claim(List<ClaimRequest> requests);

    /**
     * Ends leases. Each completion is checked against its lease and applied with all that belongs to it (next state,
     * result, spawned tasks, arrivals) in one atomic step, or changes nothing. A store may refuse a result or spawned
     * tasks that it has no room for: see {@link CompletionResult.Status#STORE_FULL}.
     */
    List<CompletionResult> complete(List<Completion> completions);

    /**
     * Takes leases away from workers that expired, left, gave them up, or overran the time-to-run and were heard of
     * since, and hands them to {@code reaper}, a registered worker of the caller's own. If that one dies too they come
     * up again.
     */
    List<OverdueLease> claimExpired(UUID reaper, int limit);

    /** Those that exist, in any order. */
    List<Task> get(Collection<UUID> ids);

    /**
     * A page in the order of creation. Paging through to the end shows every task once that was there all the time.
     *
     * @param wanted asked again and again while many tasks are looked at: whether the answer is still wanted
     * @throws io.millrace.InvalidValueException if the cursor is not one of this store's
     * @throws java.util.concurrent.CancellationException if the answer is not wanted any more
     */
    Page<Task> list(TaskQuery query, @Nullable String cursor, int limit, BooleanSupplier wanted);

    default Page<Task> list(TaskQuery query, @Nullable String cursor, int limit) {
        return list(query, cursor, limit, () -> true);
    }

    /**
     * How many match, by topic and state, without zeros; by topic and state alone it costs no look at the tasks.
     *
     * @param wanted as for {@link #list}
     * @throws java.util.concurrent.CancellationException if the answer is not wanted any more
     */
    List<TaskCount> count(TaskQuery query, BooleanSupplier wanted);

    default List<TaskCount> count(TaskQuery query) {
        return count(query, () -> true);
    }

    /** When the oldest READY task of each of these topics was created; a topic that has none is missing. */
    Map<String, Instant> oldestReady(Collection<String> topics);

    /** Looks at up to {@code limit} selected tasks and changes those that are in a state for it. */
    ChangeResult change(Selection selection, Change change, int limit);

    WorkerRegistry workers();

    Records records();

    /**
     * Checks that a task could be taken in now, as far as that shows without one.
     *
     * @throws StoreUnavailableException if not; it says why
     */
    void checkReady();

    /**
     * Whether a call may wait, for a disk or a network. Calls of a store that never waits are made on the thread at
     * hand; those of others on threads that may wait.
     */
    boolean mayBlock();

    /** Sets who is told of news; called once, before use. A store that cannot push may stay silent. */
    void onWakeUp(WakeUpListener listener);

    /**
     * Takes tasks in as part of a transaction of the caller's own: they are there once it is committed, and never were
     * if it is rolled back. Nobody waits for that transaction, however long it takes.
     *
     * @throws UnsupportedOperationException if the store is not in a database
     */
    default EnqueueResult enqueueIn(Connection transaction, EnqueueRequest request) {
        throw new UnsupportedOperationException(
                "tasks can be part of a transaction only where they are in the same database: this store is in none");
    }

    /**
     * Writes a copy of everything that was acknowledged before the call, while work goes on. The copy is a store of the
     * same kind, in a directory that must be empty or missing.
     *
     * @throws UnsupportedOperationException if the store has no such copy; the message says what to use instead
     */
    default void backUp(Path directory) {
        throw new UnsupportedOperationException(
                "this store cannot copy itself to a directory: only embedded: stores can. Use the tools of its database");
    }

    @Override
    void close();
}
