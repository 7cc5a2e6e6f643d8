package io.millrace.spi;

import io.millrace.Enqueued;
import io.millrace.NewTask;
import io.millrace.Observer;
import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.Topic;
import io.millrace.TopicPolicy;
import io.millrace.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** An engine in this process, as a server needs it to serve others: more than its users do, and without waiting. */
public interface LocalBackend extends Backend {
    /**
     * Takes tasks in like {@link io.millrace.TaskClient#enqueueAsync}, but answers on the thread that stored them, for
     * others too: what hangs on the answer must be short and must not wait.
     */
    CompletableFuture<List<Enqueued>> enqueue(List<NewTask> tasks);

    /** Makes calls that may wait; over a store that never waits it runs things at once, on the caller's thread. */
    Executor executor();

    /** Lets an observer see what happens from now on. @return ends that */
    Runnable observe(Observer observer);

    /**
     * Like {@link io.millrace.TaskClient#list}.
     *
     * @param wanted asked again and again while many tasks are looked at: whether the answer is still wanted
     * @throws java.util.concurrent.CancellationException if it is not
     */
    Page<Task> list(TaskQuery query, @Nullable String cursor, int limit, BooleanSupplier wanted);

    /** Like {@link io.millrace.TaskClient#count}, and as long as the answer is wanted. */
    List<TaskCount> count(TaskQuery query, BooleanSupplier wanted);

    /**
     * The topics behind a name, in the order of their names. They are counted at once, and their oldest tasks are
     * looked for while they are taken.
     *
     * @param names which topics to tell of
     */
    Iterator<Topic> topics(String after, Predicate<String> names, BooleanSupplier wanted);

    /** The policy in force, from memory. */
    TopicPolicy policy(String topic);

    /** The largest payload and result, in bytes. */
    int payloadLimit();

    /** How long a worker may be silent before it is taken for dead. */
    Duration workerExpiry();

    /** 256 random bits that all nodes over this store have in common, and nobody else knows. */
    byte[] secret();

    /** A worker as the store knows it; null if there is none. */
    @Nullable
    Worker worker(UUID id);

    /** The topics of these tasks; tasks that do not exist are missing. */
    Map<UUID, String> topicsOf(Collection<UUID> tasks);

    /** Like {@link io.millrace.TopicClient#redrive}, for letters that came from some topics only; others stay. */
    long redrive(String deadLetterTopic, Predicate<String> origins);

    /**
     * Checks that the store would take in a task now. May wait.
     *
     * @throws io.millrace.StoreUnavailableException if not; it says why
     */
    void checkReady();

    /** The store's clock. */
    Instant now();
}
