package io.millrace.internal.engine;

import io.millrace.spi.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A clock that a test moves by hand. Timers run in the thread that moves it, in the order in which they are due. */
public final class HandClock implements EngineClock {
    public static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private record Entry(Instant due, Runnable action) {}

    private final List<Entry> timers = new ArrayList<>();
    private Instant now = START;

    @Override
    public synchronized Instant instant() {
        return now;
    }

    @Override
    public synchronized Timer after(Duration delay, Runnable action) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("a timer cannot be set " + delay + " back");
        }
        Entry entry = new Entry(now.plus(delay), action);
        timers.add(entry);
        return () -> cancel(entry);
    }

    private synchronized void cancel(Entry entry) {
        timers.remove(entry);
    }

    /** When the timers that are set go off. */
    public synchronized List<Instant> pending() {
        return timers.stream().map(Entry::due).sorted().toList();
    }

    public void advance(Duration time) {
        Instant end = instant().plus(time);
        for (Entry next = takeNext(end); next != null; next = takeNext(end)) {
            next.action.run();
        }
    }

    private synchronized Entry takeNext(Instant end) {
        Entry next = timers.stream()
                .filter(entry -> !entry.due.isAfter(end))
                .min(Comparator.comparing(Entry::due))
                .orElse(null);
        now = next == null ? end : next.due;
        timers.remove(next);
        return next;
    }
}
