package io.millrace;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues tasks, looks at them and manages them. A call that changes something returns when the change is durable;
 * {@link StoreUnavailableException} means that this is not known, and that the call may be repeated.
 */
public interface TaskClient {
    /**
     * Takes a task in.
     *
     * @throws InvalidValueException if a field is not allowed; nothing was enqueued
     * @throws TopicFullException if the topic is full and has no dead-letter topic; nothing was enqueued
     * @throws StoreFullException if the store holds as much as it may; nothing was enqueued
     */
    default Enqueued enqueue(NewTask task) {
        return enqueue(Collections.singletonList(task)).get(0);
    }

    /** Takes up to {@value Limits#BATCH} tasks in, all or none; throws like {@link #enqueue(NewTask)}. */
    List<Enqueued> enqueue(List<NewTask> tasks);

    /** The same without waiting; what would be thrown is in the future. */
    CompletableFuture<List<Enqueued>> enqueueAsync(List<NewTask> tasks);

    Optional<Task> find(UUID id);

    /**
     * A page in the order of creation.
     *
     * @param cursor the {@link Page#next} of the page before; null for the first
     * @param limit 1 to {@value Limits#PAGE}
     * @throws InvalidValueException if the limit or the cursor is not allowed
     */
    Page<Task> list(TaskQuery query, @Nullable String cursor, int limit);

    /** All that match, read page by page, in constant memory. */
    Stream<Task> stream(TaskQuery query);

    /** How many match, by topic and state, without zeros. */
    List<TaskCount> count(TaskQuery query);

    /** Why a task is not done yet, in words; empty if it is final or not there. */
    Optional<String> why(UUID id);

    /** The task when it is final; fails with {@link TaskNotFoundException} if it is not there. */
    CompletableFuture<Task> finished(UUID id);

    /**
     * Ends a pending task. One that is running is asked to stop, and ends as CANCELLED unless it succeeds all the same.
     *
     * @throws TaskNotFoundException if it is not there
     * @throws WrongStateException if it is final
     */
    void cancel(UUID id);

    /**
     * Makes a final task READY again. Retries start anew, attempt numbers go on.
     *
     * @throws TaskNotFoundException if it is not there
     * @throws WrongStateException if it is pending, or its unique key is taken
     */
    void retry(UUID id);

    /**
     * Gives a READY or SCHEDULED task another time.
     *
     * @throws TaskNotFoundException if it is not there
     * @throws WrongStateException if it is in another state
     */
    void reschedule(UUID id, When runAt);

    /**
     * Deletes a task. Its id is free again.
     *
     * @throws TaskNotFoundException if it is not there
     * @throws WrongStateException if it is running; cancel it first
     */
    void delete(UUID id);

    /**
     * Deletes all that match, but for the running ones.
     *
     * @return how many
     * @throws InvalidValueException if the query has no filter at all
     */
    long deleteAll(TaskQuery query);

    /** Cancels all pending ones that match; returns and throws like {@link #deleteAll}. */
    long cancelAll(TaskQuery query);

    /** Retries all final ones that match; returns and throws like {@link #deleteAll}. */
    long retryAll(TaskQuery query);
}
