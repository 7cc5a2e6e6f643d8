package io.millrace.server;

import io.millrace.Millrace;
import io.millrace.Task;
import io.millrace.spi.LocalBackend;
import io.millrace.wire.TaskView;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What all requests share: the engine, who may do what, and those who wait. */
final class Service {
    private final Vertx vertx;
    private final Millrace millrace;
    private final LocalBackend local;
    private final ServerOptions options;
    private final Access access;
    private final Hosts hosts;
    private final WorkerAccess workerAccess;
    private final Leases leases;
    private final Metrics metrics;
    private final Rates rates;
    private final TroubleLog troubles;
    private final Budget budget;
    private final EventApi events;
    private final List<Runnable> observing;
    private final Routes routes;
    /** What ends the waiting of requests that are parked. */
    private final Set<Runnable> parked = ConcurrentHashMap.newKeySet();

    private final LongAdder underWay = new LongAdder();
    private final BlockingCalls calls = new BlockingCalls();
    private final LongReads reads;
    private final Readiness readiness;

    private volatile boolean stopping;

    Service(Vertx vertx, Millrace millrace, ServerOptions options) {
        this.vertx = vertx;
        this.millrace = millrace;
        this.options = options;
        local = millrace.local();
        access = new Access(options.keys());
        hosts = new Hosts(options);
        workerAccess = new WorkerAccess(local);
        leases = new Leases(local);
        reads = new LongReads(vertx, options.workerThreads(), calls);
        readiness = new Readiness(vertx, local::checkReady);
        metrics = new Metrics(local);
        rates = new Rates(() -> System.currentTimeMillis() / 1_000);
        troubles = new TroubleLog(action -> vertx.setTimer(TroubleLog.WINDOW_MILLIS, any -> action.run()));
        budget = Budget.ofHeap();
        events = new EventApi(this);
        routes = Routes.over(this);
        observing = List.of(local.observe(metrics), local.observe(rates), local.observe(events));
    }

    Vertx vertx() {
        return vertx;
    }

    Millrace millrace() {
        return millrace;
    }

    LocalBackend local() {
        return local;
    }

    ServerOptions options() {
        return options;
    }

    Access access() {
        return access;
    }

    void setKeys(List<AccessKey> keys) {
        access.set(keys);
    }

    Hosts hosts() {
        return hosts;
    }

    WorkerAccess workerAccess() {
        return workerAccess;
    }

    Leases leases() {
        return leases;
    }

    Metrics metrics() {
        return metrics;
    }

    Rates rates() {
        return rates;
    }

    Budget budget() {
        return budget;
    }

    /** The most bytes of a body: as set, but no more than the memory allows. */
    int bodyLimit() {
        return (int) Math.min(options.bodyLimit(), budget.largestBody());
    }

    TroubleLog troubles() {
        return troubles;
    }

    EventApi events() {
        return events;
    }

    Routes routes() {
        return routes;
    }

    /** How often a worker should show that it lives. */
    Duration pingEvery() {
        return local.workerExpiry().dividedBy(3);
    }

    /** A task as it is shown. */
    TaskView view(Task task, @Nullable String why) {
        int max = task.state().isFinal()
                ? 0
                : local.policy(task.topic()).retryOf(task.given()).max();
        return new TaskView(task, Math.max(0, max - task.tally().retries()), why);
    }

    /** Remembers what ends a request's waiting when the server stops; at once, if it does already. */
    void park(Runnable endWaiting) {
        parked.add(endWaiting);
        if (stopping) {
            unpark(endWaiting);
            endWaiting.run();
        }
    }

    void unpark(Runnable endWaiting) {
        parked.remove(endWaiting);
    }

    int waiting() {
        return parked.size();
    }

    /** Counts requests that are not answered yet. */
    LongAdder underWay() {
        return underWay;
    }

    BlockingCalls calls() {
        return calls;
    }

    LongReads reads() {
        return reads;
    }

    Readiness readiness() {
        return readiness;
    }

    boolean isStopping() {
        return stopping;
    }

    /** Answers those who wait with what there is. */
    void stop() {
        stopping = true;
        for (Runnable endWaiting : parked) {
            unpark(endWaiting);
            endWaiting.run();
        }
    }

    void close() {
        observing.forEach(Runnable::run);
        events.close();
    }
}
