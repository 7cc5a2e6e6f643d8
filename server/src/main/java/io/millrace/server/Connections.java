package io.millrace.server;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop, looked at regularly: who sends too slowly, or nothing at all, is cut off. A look at
 * all of them now and then costs less than a timer for each request.
 */
final class Connections {
    private static final long LONGEST_TICK = 1_000;

    private final Map<HttpConnection, Watch> watches = new HashMap<>();
    private final OpenFiles openFiles;
    private final long requestNanos;
    private final long idleNanos;

    /** What is known of one connection. */
    static final class Watch {
        private long since = System.nanoTime();
        private boolean busy;
        /** Where the request at hand is counted. */
        private @Nullable LongAdder counted;

        private @Nullable Runnable tooSlow;

        /** A request has come, and its answer is being made. */
        void begin(LongAdder underWay) {
            busy = true;
            counted = underWay;
            underWay.increment();
        }

        /** The answer is out, or nobody is there to take it. */
        void answered() {
            if (counted != null) {
                counted.decrement();
                counted = null;
            }
        }

        /** A body is awaited from now on. */
        void reading(Runnable whenTooSlow) {
            since = System.nanoTime();
            tooSlow = whenTooSlow;
        }

        void readingDone() {
            tooSlow = null;
        }

        void end() {
            busy = false;
            tooSlow = null;
            since = System.nanoTime();
        }
    }

    Connections(Vertx vertx, ServerOptions options, OpenFiles openFiles) {
        this.openFiles = openFiles;
        requestNanos = options.requestTimeout().toNanos();
        idleNanos = options.idleTimeout().toNanos();
        long shortest = Math.min(
                options.requestTimeout().toMillis(), options.idleTimeout().toMillis());
        vertx.setPeriodic(Math.max(1, Math.min(LONGEST_TICK, shortest / 4)), any -> look());
    }

    void opened(HttpConnection connection) {
        Watch watch = new Watch();
        watches.put(connection, watch);
        if (connection instanceof ConnectionBase base) {
            openFiles.watch(base.channel());
        }
        connection.closeHandler(any -> {
            watches.remove(connection);
            watch.answered();
        });
    }

    Watch of(HttpConnection connection) {
        return watches.computeIfAbsent(connection, any -> new Watch());
    }

    private void look() {
        long now = System.nanoTime();
        for (Map.Entry<HttpConnection, Watch> entry : new ArrayList<>(watches.entrySet())) {
            Watch watch = entry.getValue();
            if (watch.tooSlow != null && now - watch.since > requestNanos) {
                Runnable tooSlow = watch.tooSlow;
                watch.tooSlow = null;
                tooSlow.run();
            } else if (!watch.busy && now - watch.since > idleNanos) {
                var unused = entry.getKey().close();
            }
        }
    }
}
