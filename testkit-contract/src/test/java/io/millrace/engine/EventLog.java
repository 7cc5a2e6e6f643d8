package io.millrace.engine;

import io.millrace.Event;
import io.millrace.Observer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Remembers all events, and lets a test wait for one: no test sleeps and hopes. */
final class EventLog implements Observer {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

    private final List<Event> events = new ArrayList<>();

    @Override
    public synchronized void on(Event event) {
        events.add(event);
        notifyAll();
    }

    synchronized <E extends Event> List<E> all(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    <E extends Event> E await(Class<E> type) throws InterruptedException {
        return await(type, 1, any -> true).get(0);
    }

    <E extends Event> List<E> await(Class<E> type, int count) throws InterruptedException {
        return await(type, count, any -> true);
    }

    /** Waits until there were so many of these, and returns them all. */
    synchronized <E extends Event> List<E> await(Class<E> type, int count, Predicate<E> which)
            throws InterruptedException {
        long end = System.nanoTime() + PATIENCE;
        while (true) {
            List<E> found = all(type).stream().filter(which).toList();
            if (found.size() >= count) {
                return found;
            }
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                throw new AssertionError("waited for " + count + " " + type.getSimpleName() + ", got " + found.size()
                        + "; all events: " + events);
            }
            wait(left);
        }
    }
}
