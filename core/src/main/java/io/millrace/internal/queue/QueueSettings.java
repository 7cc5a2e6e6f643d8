package io.millrace.internal.queue;

import io.millrace.DeadLetterCause;
import io.millrace.Enqueuer;
import io.millrace.ItemHandler;
import io.millrace.Leak;
import io.millrace.Qos;
import io.millrace.Retry;
import io.millrace.internal.pool.PoolSettings;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How a queue is set up: checked by the builder, never changed. */
public record QueueSettings<T>(
        PoolSettings pool,
        ItemHandler<? super T> handler,
        int capacity,
        int streams,
        @Nullable Qos<T> qos,
        Duration delay,
        @Nullable Duration deadline,
        Retry retry,
        @Nullable Enqueuer<? super T> deadLetter,
        Set<DeadLetterCause> causes,
        Leak leak,
        int leakAttempts) {
    boolean leaks() {
        return deadLetter != null && causes.contains(DeadLetterCause.FULL);
    }

    Ready ready() {
        return qos == null ? new Streams(capacity, streams) : new Lanes(qos, capacity);
    }
}
