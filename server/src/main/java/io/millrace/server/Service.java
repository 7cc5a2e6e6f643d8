package io.millrace.server;

import io.millrace.Millrace;
import io.millrace.Task;
import io.millrace.spi.LocalBackend;
import io.millrace.wire.TaskView;
import io.vertx.core.Vertx;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What all requests share: the engine, who may do what, and those who wait. */
final class Service {
    private final Vertx vertx;
    private final Millrace millrace;
    private final LocalBackend local;
    private final ServerOptions options;
    private final Access access;
    private final Routes routes;
    /** What ends the waiting of requests that are parked. */
    private final Set<Runnable> parked = ConcurrentHashMap.newKeySet();

    private volatile boolean stopping;

    Service(Vertx vertx, Millrace millrace, ServerOptions options) {
        this.vertx = vertx;
        this.millrace = millrace;
        this.options = options;
        local = millrace.local();
        access = new Access(options.keys());
        routes = Routes.over(this);
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

    Routes routes() {
        return routes;
    }

    /** A task as it is shown. */
    TaskView view(Task task, @Nullable String why) {
        int max = local.policy(task.topic()).retryOf(task.given()).max();
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

    void close() {}
}
