package io.millrace.server;

import io.millrace.Event;
import io.millrace.Observer;
import io.millrace.server.Access.Caller;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Server-sent events for dashboards. A listener that does not keep up misses events rather than making others wait, and is
 * told how many.
 */
final class EventApi implements Observer {
    private static final int MOST_PENDING = 1_000;
    private static final long KEEP_ALIVE_MILLIS = 15_000;

    private final Service service;
    private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();

    EventApi(Service service) {
        this.service = service;
    }

    @Override
    public void on(Event event) {
        if (listeners.isEmpty()) {
            return;
        }
        EventText text = EventText.of(event);
        if (text != null) {
            listeners.forEach(listener -> listener.tell(text));
        }
    }

    void stream(Exchange exchange) {
        exchange.parameters();
        exchange.response()
                .setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .write(": Millrace\n\n");
        new Listener(exchange).start();
    }

    /** One client that listens. */
    private final class Listener {
        private final Exchange exchange;
        private final HttpServerResponse response;
        private final Caller caller;
        private final AtomicInteger pending = new AtomicInteger();
        private final AtomicInteger missed = new AtomicInteger();
        private final Runnable end = this::end;
        private long timer;

        Listener(Exchange exchange) {
            this.exchange = exchange;
            response = exchange.response();
            caller = exchange.caller();
        }

        void start() {
            timer = service.vertx().setPeriodic(KEEP_ALIVE_MILLIS, any -> write(": still here\n\n"));
            exchange.whenGone(this::gone);
            listeners.add(this);
            service.park(end);
        }

        /** On a thread of the engine's: hands over, or counts what is missed. */
        void tell(EventText text) {
            if (caller.isLimited() && (text.topic() == null || !caller.mayUse(text.topic()))) {
                return;
            }
            if (pending.incrementAndGet() > MOST_PENDING) {
                pending.decrementAndGet();
                missed.incrementAndGet();
                return;
            }
            exchange.onLoop(() -> {
                pending.decrementAndGet();
                write(text.frame());
            });
        }

        private void write(String frame) {
            if (response.closed() || response.ended()) {
                return;
            }
            if (response.writeQueueFull()) {
                missed.incrementAndGet();
                return;
            }
            int count = missed.getAndSet(0);
            String notice = count == 0 ? "" : "event: missed\ndata: {\"count\":" + count + "}\n\n";
            var unused = response.write(Buffer.buffer((notice + frame).getBytes(StandardCharsets.UTF_8)));
        }

        private void end() {
            exchange.onLoop(() -> {
                gone();
                if (!response.closed() && !response.ended()) {
                    exchange.watch().end();
                    var unused = response.end();
                }
            });
        }

        private void gone() {
            listeners.remove(this);
            service.unpark(end);
            service.vertx().cancelTimer(timer);
        }
    }
}
