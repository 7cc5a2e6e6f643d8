package io.millrace.server;

import io.netty.channel.ChannelOutboundBuffer;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop, looked at regularly: who sends too slowly, or nothing at all, or does not take
 * what is sent, is cut off. A look at all of them now and then costs less than a timer for each request.
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
        /** Of the request at hand, or the last one. */
        private Turn turn = new Turn();

        private @Nullable Runnable tooSlow;
        /** What the connection was writing at the last look, how far it was, and since when it has not come further. */
        private int writing;

        private long written;
        private long writingSince;

        /** A request has come, and its answer is being made. */
        Turn begin(LongAdder underWay) {
            busy = true;
            turn = new Turn();
            underWay.increment();
            turn.whenOver(underWay::decrement);
            return turn;
        }

        Turn turn() {
            return turn;
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

    /**
     * One request, until its answer is out or nobody is there to take it. The next one of the connection has its own.
     */
    static final class Turn {
        private final List<Runnable> actions = new ArrayList<>(2);
        private boolean isOver;

        /** Runs something at the end: at once, if it has come. */
        void whenOver(Runnable action) {
            if (isOver) {
                action.run();
            } else {
                actions.add(action);
            }
        }

        void over() {
            isOver = true;
            List<Runnable> due = List.copyOf(actions);
            actions.clear();
            due.forEach(Runnable::run);
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
            watch.turn.over();
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
            } else if (!takes(entry.getKey(), watch, now)) {
                cutOff(entry.getKey());
            } else if (!watch.busy && now - watch.since > idleNanos) {
                var unused = entry.getKey().close();
            }
        }
    }

    /** Whether the client has taken something of what is written for it within the time that a request has. */
    private boolean takes(HttpConnection connection, Watch watch, long now) {
        ChannelOutboundBuffer out = connection instanceof ConnectionBase base
                ? base.channel().unsafe().outboundBuffer()
                : null;
        Object current = out == null ? null : out.current();
        if (out == null || current == null) {
            watch.writing = 0;
            return true;
        }
        int writing = System.identityHashCode(current);
        long written = out.currentProgress();
        if (writing != watch.writing || written != watch.written) {
            watch.writing = writing;
            watch.written = written;
            watch.writingSince = now;
            return true;
        }
        return now - watch.writingSince <= requestNanos;
    }

    /** Past all handlers: they would end politely, behind all that the client does not take. */
    private static void cutOff(HttpConnection connection) {
        if (connection instanceof ConnectionBase base) {
            var unused = base.channel().pipeline().firstContext().close();
        }
    }
}
