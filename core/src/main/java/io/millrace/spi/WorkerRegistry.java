package io.millrace.spi;

import io.millrace.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The workers a store knows. Any call of a worker's own shows that it is alive. */
public interface WorkerRegistry {
    /**
     * How a worker introduces itself.
     *
     * @param topics empty for all
     * @param inProcess it runs in the process that has the store open. Where no other process can have it open, such a worker
     *     lives as long as the store is open, however long it is silent, and is known to be dead when it is opened again.
     */
    record Introduction(String name, String host, Set<String> topics, boolean inProcess) {
        public static final Introduction ANONYMOUS = new Introduction("", "", Set.of());

        public Introduction(String name, String host, Set<String> topics) {
            this(name, host, topics, false);
        }
    }

    /** @param expiresAfter not heard of for this long, it is taken for dead */
    UUID register(Introduction introduction, Duration expiresAfter);

    /** A worker serves other topics than it said before; empty for all. No effect if it is not alive. */
    void serve(UUID worker, Set<String> topics);

    Renewal renew(Heartbeat heartbeat);

    /** Its leases are given up, for {@link TaskStore#claimExpired}. @return false if it is not known or had expired */
    boolean leave(UUID worker);

    /** Asks a worker to finish and leave. @return false if it is not known or has expired */
    boolean requestStop(UUID worker);

    /** All but those that left; the expired ones for as long as they were alive, at least an hour. */
    List<Worker> list();
}
