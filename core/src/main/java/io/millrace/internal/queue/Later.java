package io.millrace.internal.queue;

import io.millrace.spi.EngineClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What waits for its time, by delay or for a retry. One timer waits for all; no worker is held. */
final class Later {
    private final EngineClock clock;
    private final Consumer<Envelope> due;
    private final Runnable moved;
    private final ReentrantLock lock = new ReentrantLock();
    private final PriorityQueue<Envelope> waiting = new PriorityQueue<>(
            Comparator.comparingLong((Envelope each) -> each.due).thenComparingLong(each -> each.number));
    private long numbers;
    private volatile int size;
    private volatile long firstDue = Envelope.NEVER;
    private boolean closed;
    private boolean ended;
    private long armedFor = Envelope.NEVER;
    private EngineClock.@Nullable Timer timer;

    /**
     * @param due gets what has waited long enough; it must take it
     * @param moved is told afterwards that fewer wait
     */
    Later(EngineClock clock, Consumer<Envelope> due, Runnable moved) {
        this.moved = moved;
        this.clock = clock;
        this.due = due;
    }

    int size() {
        return size;
    }

    /** @return false if it is closed, or so many wait already */
    boolean offer(Envelope envelope, Duration delay, int most) {
        return add(envelope, delay, false, most);
    }

    /**
     * Takes back what was taken in before, also when closed.
     *
     * @return false after the end
     */
    boolean again(Envelope envelope, Duration delay) {
        return add(envelope, delay, true, Integer.MAX_VALUE);
    }

    private boolean add(Envelope envelope, Duration delay, boolean again, int most) {
        lock.lock();
        try {
            if (ended || (closed && !again) || waiting.size() >= most) {
                return false;
            }
            envelope.due = clock.elapsedNanos() + delay.toNanos();
            envelope.number = numbers++;
            waiting.add(envelope);
            changed();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void changed() {
        Envelope first = waiting.peek();
        if (first != null && first.due < armedFor) {
            arm(first);
        }
        // after the timer is set: who sees that something waits may move the clock
        size = waiting.size();
        firstDue = first == null ? Envelope.NEVER : first.due;
    }

    private void arm(Envelope first) {
        if (timer != null) {
            timer.cancel();
        }
        armedFor = first.due;
        timer = clock.after(Duration.ofNanos(Math.max(0, first.due - clock.elapsedNanos())), this::ring);
    }

    private void ring() {
        lock.lock();
        try {
            armedFor = Envelope.NEVER;
            long now = clock.elapsedNanos();
            Envelope first = waiting.peek();
            while (!ended && first != null && first.due <= now) {
                // given before it is taken out: at no moment is it nowhere
                due.accept(first);
                waiting.remove();
                first = waiting.peek();
            }
            changed();
        } finally {
            lock.unlock();
        }
        moved.run();
    }

    /** By the clock's elapsed time; {@link Envelope#NEVER} if nothing waits. What is due is handed on before this changes. */
    long firstDue() {
        return firstDue;
    }

    void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes nothing more, and gives back what waits, in the order in which it would have come. */
    List<Envelope> end() {
        lock.lock();
        try {
            closed = true;
            ended = true;
            if (timer != null) {
                timer.cancel();
            }
            List<Envelope> left = new ArrayList<>(waiting.size());
            for (Envelope first = waiting.poll(); first != null; first = waiting.poll()) {
                left.add(first);
            }
            changed();
            return left;
        } finally {
            lock.unlock();
        }
    }
}
