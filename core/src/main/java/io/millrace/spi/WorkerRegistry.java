package io.millrace.spi;

import io.millrace.Limits;
import io.millrace.TooManyWorkersException;
import io.millrace.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The workers a store knows. Any call of a worker's own shows that it is alive. */
public interface WorkerRegistry {
    /**
     * How a worker introduces itself.
     *
     * @param topics empty for all
     * @param owner the name of the access key that registered it; empty for none
     * @param inProcess it runs in the process that has the store open. Where no other process can have it open, such a
     *     worker
     *     lives as long as the store is open, however long it is silent, and is known to be dead when it is opened
     * again.
     */
    record Introduction(String name, String host, Set<String> topics, String owner, boolean inProcess) {
        public static final Introduction ANONYMOUS = new Introduction("", "", Set.of());
        private static final long BASE_SIZE = 500;
        private static final long TOPIC_SIZE = 60;

        public Introduction(String name, String host, Set<String> topics) {
            this(name, host, topics, "", false);
        }

        /** The same worker, serving other topics. */
        public Introduction serving(Set<String> others) {
            return new Introduction(name, host, others, owner, inProcess);
        }

        /** How much room it takes in memory, about; what {@link Limits#WORKER_BYTES} counts. */
        public long size() {
            long size = BASE_SIZE + name.length() + host.length() + owner.length();
            for (String topic : topics) {
                size += TOPIC_SIZE + topic.length();
            }
            return size;
        }
    }

    /**
     * Registers a worker. Expired workers that hold nothing are forgotten early where there is no room for a new one.
     *
     * @param expiresAfter not heard of for this long, it is taken for dead
     * @throws TooManyWorkersException if there are {@link Limits#WORKERS}, or their topics are too large, in all or of
     *     its owner;
     *     never for a worker of this process
     */
    UUID register(Introduction introduction, Duration expiresAfter);

    /**
     * A worker serves other topics than it said before; empty for all. No effect if it is not alive.
     *
     * @throws TooManyWorkersException if there is no room for the topics
     */
    void serve(UUID worker, Set<String> topics);

    Renewal renew(Heartbeat heartbeat);

    /** Its leases are given up, for {@link TaskStore#claimExpired}. @return false if it is not known or had expired */
    boolean leave(UUID worker);

    /** Asks a worker to finish and leave. @return false if it is not known or has expired */
    boolean requestStop(UUID worker);

    /** One worker; null if it is not known. */
    @Nullable
    Worker find(UUID worker);

    /**
     * All but those that left; the expired ones for as long as they were alive, at least an hour, if there is room for
     * them.
     */
    List<Worker> list();
}
