package io.millrace.testkit;

import io.millrace.InvalidValueException;
import io.millrace.spi.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until a test moves it. Moving it forward runs the timers that become due, in the thread
 * that moves it: when {@link #advance} returns, all that time alone would have started has been started. What runs on other
 * threads, such as handlers, is not waited for: advance in small steps and {@code drain()} between them.
 *
 * <pre>{@code
 * var clock = new SettableClock();
 * clock.after(Duration.ofMinutes(5), () -> reminders.send());
 * clock.advance(Duration.ofHours(1));
 * }</pre>
 *
 * <p>Timers run in the order of their due times, then of their registration. While one runs, the clock shows the moment
 * it was due at. What a timer registers runs in the same advance if it is due within it. Safe for use by several
 * threads; if two move the clock at once, one waits for the other.
 */
public final class SettableClock implements EngineClock {
    /** What a clock shows if it was told nothing else. */
    public static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private final ReentrantLock moving = new ReentrantLock();
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>(Alarm.ORDER);
    private Instant now;
    /** Goes on with the clock, but not with its steps. */
    private Duration elapsed = Duration.ZERO;

    private long registered;

    public SettableClock() {
        this(START);
    }

    public SettableClock(Instant start) {
        now = start;
    }

    @Override
    public synchronized Instant instant() {
        return now;
    }

    @Override
    public boolean isSettable() {
        return true;
    }

    @Override
    public synchronized long elapsedNanos() {
        return elapsed.toNanos();
    }

    /**
     * Registers something to run when the clock has been moved this far. It never runs inside this call: what is due at
     * once waits for the next move, which may be one of no time at all.
     */
    @Override
    public synchronized Timer after(Duration delay, Runnable action) {
        Alarm alarm = new Alarm(elapsed.plus(delay), registered++, action);
        alarms.add(alarm);
        return () -> forget(alarm);
    }

    /**
     * Moves the clock forward and runs the timers that become due. What a timer throws comes out here; the clock then
     * stands at that timer's due time and the later ones are left for the next move.
     *
     * @throws InvalidValueException if the time is negative
     */
    public void advance(Duration time) {
        if (time.isNegative()) {
            throw new InvalidValueException("time", time, "a clock advances forward; use set to put it back");
        }
        moving.lock();
        try {
            runFor(time);
        } finally {
            moving.unlock();
        }
    }

    /** Sets the clock. Forward, this is the same as {@link #advance}; backward, the same as {@link #step}. */
    public void set(Instant moment) {
        moving.lock();
        try {
            Duration time = Duration.between(instant(), moment);
            if (time.isNegative()) {
                step(time);
            } else {
                runFor(time);
            }
        } finally {
            moving.unlock();
        }
    }

    /**
     * Lets the clock show another time although none has passed, as when somebody corrects it: forward or, if the step is
     * negative, backward. No timer runs, and none runs earlier or later for it.
     */
    public synchronized void step(Duration step) {
        now = now.plus(step);
    }

    private synchronized Duration elapsedAfter(Duration time) {
        return elapsed.plus(time);
    }

    private void runFor(Duration time) {
        Duration end = elapsedAfter(time);
        for (Alarm next = takeNext(end); next != null; next = takeNext(end)) {
            next.action().run();
        }
    }

    /** Moves the clock to the next timer that is due by {@code end}, or to {@code end} if there is none. */
    private synchronized @Nullable Alarm takeNext(Duration end) {
        Alarm first = alarms.peek();
        boolean isDue = first != null && first.due().compareTo(end) <= 0;
        Duration reached = isDue ? first.due() : end;
        if (reached.compareTo(elapsed) > 0) {
            now = now.plus(reached.minus(elapsed));
            elapsed = reached;
        }
        return isDue ? alarms.poll() : null;
    }

    private synchronized void forget(Alarm alarm) {
        alarms.remove(alarm);
    }

    /** How many timers are registered that have not run. */
    public synchronized int pending() {
        return alarms.size();
    }

    @Override
    public String toString() {
        return "SettableClock at " + instant();
    }

    private record Alarm(Duration due, long number, Runnable action) {
        static final Comparator<Alarm> ORDER = Comparator.comparing(Alarm::due).thenComparing(Alarm::number);
    }
}
