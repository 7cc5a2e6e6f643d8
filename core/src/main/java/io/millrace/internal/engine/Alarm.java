package io.millrace.internal.engine;

import io.millrace.spi.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sleeps until the next moment at which a task becomes due, by the store's clock, and tells for which topic. */
final class Alarm {
    private static final Duration FURTHEST = Duration.ofDays(1);

    private final EngineClock clock;
    private final Supplier<Instant> storeTime;
    private final Consumer<String> ring;
    private final Map<String, Instant> next = new HashMap<>();
    private @Nullable Instant set;
    private boolean closed;
    private EngineClock.@Nullable Timer timer;

    Alarm(EngineClock clock, Supplier<Instant> storeTime, Consumer<String> ring) {
        this.clock = clock;
        this.storeTime = storeTime;
        this.ring = ring;
    }

    /** Rings for the topic at that moment, if not for an earlier one. */
    synchronized void at(String topic, Instant moment) {
        if (closed) {
            return;
        }
        next.merge(topic, moment, (known, other) -> known.isBefore(other) ? known : other);
        if (set == null || moment.isBefore(set)) {
            arm(moment);
        }
    }

    private void arm(Instant moment) {
        if (timer != null) {
            timer.cancel();
        }
        set = moment;
        Duration delay = Duration.between(storeTime.get(), moment);
        timer = clock.after(bounded(delay), this::ring);
    }

    /** What is far away is looked at again every day. */
    private static Duration bounded(Duration delay) {
        if (delay.isNegative()) {
            return Duration.ZERO;
        }
        return delay.compareTo(FURTHEST) > 0 ? FURTHEST : delay;
    }

    private void ring() {
        List<String> due = new ArrayList<>();
        synchronized (this) {
            set = null;
            timer = null;
            Instant now = storeTime.get();
            next.entrySet().removeIf(entry -> !entry.getValue().isAfter(now) && due.add(entry.getKey()));
            next.values().stream().min(Instant::compareTo).ifPresent(this::arm);
        }
        due.forEach(ring);
    }

    synchronized void close() {
        closed = true;
        next.clear();
        if (timer != null) {
            timer.cancel();
        }
    }
}
