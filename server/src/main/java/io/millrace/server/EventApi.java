package io.millrace.server;

import io.millrace.Event;
import io.millrace.Observer;
import io.millrace.server.Access.Caller;
import io.vertx.core.http.HttpHeaders;
import java.util.HashMap;
import java.util.Map;

/**
 * Server-sent events for dashboards. A listener that does not keep up misses events rather than making others wait, and
 * is told how many. The number of listeners is bounded, and one access key cannot take all places.
 */
final class EventApi implements Observer, AutoCloseable {
    private static final long KEEP_ALIVE_MILLIS = 15_000;

    private final Service service;
    private final int most;
    private final EventFanOut fanOut = new EventFanOut();
    /** How many listen, by the name of their key. */
    private final Map<String, Integer> places = new HashMap<>();

    private int taken;

    EventApi(Service service) {
        this.service = service;
        most = service.options().eventListeners();
    }

    @Override
    public void on(Event event) {
        if (fanOut.isHeard()) {
            EventText text = EventText.of(event);
            if (text != null) {
                fanOut.offer(text);
            }
        }
    }

    void stream(Exchange exchange) {
        exchange.parameters();
        takePlace(exchange.caller());
        EventListener listener = new EventListener(exchange);
        long timer = service.vertx().setPeriodic(KEEP_ALIVE_MILLIS, any -> listener.keepAlive());
        Runnable end = () -> exchange.onLoop(listener::end);
        exchange.whenOver(() -> {
            fanOut.remove(listener);
            service.unpark(end);
            service.vertx().cancelTimer(timer);
            leavePlace(exchange.caller());
        });
        exchange.response()
                .setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .write(": Millrace\n\n");
        fanOut.add(listener);
        service.park(end);
    }

    private synchronized void takePlace(Caller caller) {
        int own = places.getOrDefault(caller.name(), 0);
        int share = caller.isAnybody() ? most : Math.max(1, most / 2);
        if (taken >= most) {
            throw Problems.tooManyListeners(most + " clients listen, which is the most there may be");
        }
        if (own >= share) {
            throw Problems.tooManyListeners(
                    own + " clients with the key \"" + caller.name() + "\" listen, which is the most of one key");
        }
        taken++;
        places.put(caller.name(), own + 1);
    }

    private synchronized void leavePlace(Caller caller) {
        taken--;
        places.computeIfPresent(caller.name(), (name, own) -> own == 1 ? null : own - 1);
    }

    @Override
    public void close() {
        fanOut.close();
    }
}
