package io.millrace.spi;

import io.millrace.Enqueued;
import io.millrace.NewTask;
import io.millrace.Observer;
import io.millrace.TopicPolicy;
import io.millrace.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
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

    /** The topics of tasks that are there. */
    Map<UUID, String> topicsOf(Collection<UUID> tasks);

    /** Like {@link io.millrace.TopicClient#redrive}, for letters that came from some topics only; others stay. */
    long redrive(String deadLetterTopic, Predicate<String> origins);

    /** The store's clock. */
    Instant now();
}
