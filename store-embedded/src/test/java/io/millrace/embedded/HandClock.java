package io.millrace.embedded;

import io.millrace.spi.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Time that goes on when a test says so. */
final class HandClock implements EngineClock {
    private record Alarm(Instant at, Runnable action) {}

    private final List<Alarm> alarms = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

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

    synchronized int alarms() {
        return alarms.size();
    }

    void advance(Duration by) {
        List<Alarm> due;
        synchronized (this) {
            now = now.plus(by);
            due = alarms.stream().filter(alarm -> !alarm.at().isAfter(now)).toList();
            alarms.removeAll(due);
        }
        due.forEach(alarm -> alarm.action().run());
    }
}
