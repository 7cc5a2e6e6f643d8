package io.millrace.examples;

import io.millrace.spi.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Stands still until it is moved, and then runs the timers that became due. The testkit has one for your tests. */
final class HandClock implements EngineClock {
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>(Comparator.comparing(Alarm::due));
    private Instant now;

    private record Alarm(Instant due, Runnable action) {}

    HandClock(Instant start) {
        now = start;
    }

    @Override
    public synchronized Instant instant() {
        return now;
    }

    @Override
    public synchronized Timer after(Duration delay, Runnable action) {
        Alarm alarm = new Alarm(now.plus(delay), action);
        alarms.add(alarm);
        return () -> cancel(alarm);
    }

    private synchronized void cancel(Alarm alarm) {
        alarms.remove(alarm);
    }

    void advanceTo(Instant moment) {
        for (Runnable action = nextUntil(moment); action != null; action = nextUntil(moment)) {
            action.run();
        }
    }

    private synchronized @Nullable Runnable nextUntil(Instant moment) {
        Alarm first = alarms.peek();
        if (first == null || first.due().isAfter(moment)) {
            now = moment;
            return null;
        }
        now = first.due();
        return alarms.remove().action();
    }
}
