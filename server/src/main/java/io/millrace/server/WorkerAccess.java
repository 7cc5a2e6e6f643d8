package io.millrace.server;

import io.millrace.Worker;
import io.millrace.server.Access.Caller;
import io.millrace.spi.LocalBackend;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks who may act for a worker: the access key that registered it, by its name, and an admin of all its topics. For
 * all other callers the worker does not exist. Calls may wait for the store.
 */
final class WorkerAccess {
    /** Maximum number of cached workers; the cache is cleared when it is full. */
    private static final int REMEMBERED = 20_000;

    private final LocalBackend local;
    private final Map<UUID, Known> known = new ConcurrentHashMap<>();

    /** What does not change while a worker lives, and the topics that it had when it was first looked at. */
    private record Known(String owner, Set<String> topics) {}

    WorkerAccess(LocalBackend local) {
        this.local = local;
    }

    /** @throws ProblemException 404, as if there were no such worker */
    void check(UUID worker, Caller caller) {
        if (!isOpen(worker, caller)) {
            throw Problems.unknownWorker(worker.toString());
        }
    }

    boolean isOpen(UUID worker, Caller caller) {
        if (caller.isAnybody() || (caller.role() == Role.ADMIN && !caller.isLimited())) {
            return true;
        }
        Known found = find(worker);
        return found != null && (found.owner.equals(caller.name()) || isAdminOf(worker, caller));
    }

    /** A worker may have other topics by now than it had at first. */
    private boolean isAdminOf(UUID id, Caller caller) {
        if (caller.role() != Role.ADMIN) {
            return false;
        }
        Worker worker = local.worker(id);
        return worker != null && !worker.topics().isEmpty() && caller.topics().containsAll(worker.topics());
    }

    /** The topics a worker registered with, as far as they are open to this caller; or else all that are. */
    Set<String> registered(UUID worker, Caller caller) {
        Known found = find(worker);
        Set<String> both = new HashSet<>(found == null ? Set.of() : found.topics);
        both.retainAll(caller.topics());
        return both.isEmpty() ? caller.topics() : both;
    }

    private @Nullable Known find(UUID id) {
        Known found = known.get(id);
        if (found != null) {
            return found;
        }
        Worker worker = local.worker(id);
        if (worker == null) {
            return null;
        }
        if (known.size() >= REMEMBERED) {
            known.clear();
        }
        Known fresh = new Known(worker.owner(), worker.topics());
        known.put(id, fresh);
        return fresh;
    }

    /** A worker as a caller may see it. */
    static Worker shown(Worker worker, Caller caller) {
        if (!caller.isLimited()) {
            return worker;
        }
        Set<String> topics = new HashSet<>(worker.topics());
        topics.retainAll(caller.topics());
        String owner = worker.owner().equals(caller.name()) ? worker.owner() : "";
        return new Worker(
                worker.id(),
                worker.name(),
                worker.host(),
                topics,
                owner,
                worker.status(),
                worker.registeredAt(),
                worker.lastSeenAt(),
                worker.running());
    }
}
