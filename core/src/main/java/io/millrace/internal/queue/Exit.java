package io.millrace.internal.queue;

import io.millrace.DeadLetterCause;
import io.millrace.Enqueuer;
import io.millrace.Event;
import io.millrace.Leak;
import io.millrace.internal.Events;
import io.millrace.internal.pool.Pool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How items leave the queue that were not handled: to the dead-letter target, or counted and told. Also the end of it all. */
public final class Exit<T> {
    private static final Logger log = LoggerFactory.getLogger(Exit.class);
    /** How long handlers that were interrupted may take to end. */
    private static final long GRACE_NANOS = Duration.ofSeconds(5).toNanos();

    private static final long WINK = 50_000;

    /**
     * What became of items that were not handled, since the queue began.
     *
     * @param leaked to the dead-letter target, because the queue was full
     * @param failed for the last time
     * @param expired because their deadline had passed
     * @param lost because nobody could take them
     */
    public record Totals(long leaked, long failed, long expired, long lost) {}

    private final QueueSettings<T> settings;
    private final String name;
    private final Events events;
    private final Ready ready;
    private final Later later;
    private final Pool pool;
    private final LongAdder leaked = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder expired = new LongAdder();
    private final LongAdder lost = new LongAdder();
    /** What was taken in and cannot be run, because the queue is closed by force. */
    private final List<T> leftOver = new ArrayList<>();

    private boolean swept;
    private volatile boolean forced;

    Exit(QueueSettings<T> settings, Ready ready, Later later, Pool pool) {
        this.settings = settings;
        this.name = settings.pool().name();
        this.events = settings.pool().events();
        this.ready = ready;
        this.later = later;
        this.pool = pool;
    }

    Totals totals() {
        return new Totals(leaked.sum(), failed.sum(), expired.sum(), lost.sum());
    }

    @SuppressWarnings("unchecked") // what was put
    void leak(Object element, Leak side, @Nullable String place) throws InterruptedException {
        T item = (T) Envelope.itemOf(element);
        Enqueuer<? super T> target = settings.deadLetter();
        if (target == null) {
            throw new IllegalStateException("a queue without a dead-letter target does not leak");
        }
        target.put(item);
        leaked.increment();
        events.tell(() -> new Event.ItemLeaked(name, item, side, place));
    }

    void expired(T item) {
        expired.increment();
        boolean kept = isFor(DeadLetterCause.EXPIRED) && deadLetter(item);
        events.tell(() -> new Event.ItemExpired(name, item, kept));
    }

    /** @return whether the dead-letter target has it */
    boolean failed(T item, Throwable cause) {
        failed.increment();
        if (isFor(DeadLetterCause.FAILED)) {
            return deadLetter(item);
        }
        log.warn("An item of {} has failed for the last time, and no dead-letter target takes it", name, cause);
        return false;
    }

    private boolean isFor(DeadLetterCause cause) {
        return settings.deadLetter() != null && settings.causes().contains(cause);
    }

    /** Hands over what cannot be run any more. If nobody takes it, it is lost, and that is told. */
    private boolean deadLetter(T item) {
        Enqueuer<? super T> target = settings.deadLetter();
        try {
            if (target != null) {
                target.put(item);
                return true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            if (forced && keptForWhoCloses(item)) {
                return false;
            }
            log.error("The dead-letter target of {} was interrupted; the item is lost", name, e);
        } catch (Throwable e) {
            log.error("The dead-letter target of {} did not take an item; the item is lost", name, e);
        }
        lose(item);
        return false;
    }

    private void lose(T item) {
        lost.increment();
        events.tell(() -> new Event.ItemLost(name, item));
    }

    /** While the queue is closed by force, what fails was cut off: it is kept for whoever closes. */
    boolean keptByForce(T item) {
        if (!forced) {
            return false;
        }
        leftOver(item);
        return true;
    }

    /** An item that can neither run nor wait any more. Who closes the queue takes it; if that is over, it leaves by itself. */
    void leftOver(T item) {
        if (!keptForWhoCloses(item)) {
            var unused = deadLetter(item);
        }
    }

    /** An item that was on its way out and is not taken there. */
    @SuppressWarnings("unchecked") // what was put
    void takeBack(Object element) {
        synchronized (leftOver) {
            if (!swept) {
                ready.force(element);
                return;
            }
        }
        var unused = deadLetter((T) Envelope.itemOf(element));
    }

    private boolean keptForWhoCloses(T item) {
        synchronized (leftOver) {
            return !swept && leftOver.add(item);
        }
    }

    // the end

    /**
     * Waits until all is done, if there is patience for it; then ends the workers and hands over the rest.
     *
     * @return what nobody has taken
     */
    List<T> close(Duration patience) {
        boolean interrupted = false;
        boolean done = false;
        try {
            done = patience.toNanos() > 0 && finish(patience);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        // who closes by force meanwhile gets the rest
        List<T> left = !done && forced ? List.of() : end(done);
        if (interrupted || Thread.interrupted()) {
            Thread.currentThread().interrupt();
        }
        return left;
    }

    private List<T> end(boolean done) {
        boolean interrupted = false;
        if (!done) {
            forced = true;
        }
        try {
            int running = pool.stop(!done, GRACE_NANOS);
            if (running > 0) {
                log.warn(
                        "{} handlers of {} go on although they were interrupted; their items end with them",
                        running,
                        name);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        List<T> left = handOver(rest());
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return left;
    }

    private boolean finish(Duration patience) throws InterruptedException {
        long end = settings.pool().clock().elapsedNanos() + patience.toNanos();
        // what is due after the patience ends is not waited for
        return pool.finish(patience.toNanos(), () -> later.firstDue() > end && ready.isDrained());
    }

    /** All that is still in, oldest first. What comes back later leaves by itself. */
    @SuppressWarnings("unchecked") // what was put
    private List<T> rest() {
        List<Object> elements = new ArrayList<>(pool.takeHeld());
        // before what is ready, or what becomes due meanwhile would be overlooked
        List<Envelope> waiting = later.end();
        synchronized (leftOver) {
            swept = true;
            elements.addAll(0, leftOver);
            leftOver.clear();
            drainReady(elements);
        }
        elements.addAll(waiting);
        return elements.stream()
                .map(element -> (T) Envelope.itemOf(element))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private void drainReady(List<Object> into) {
        @Nullable Object[] next = new Object[1];
        while (!ready.isDrained()) {
            if (ready.drain(next, 1) == 1 && next[0] != null) {
                into.add(next[0]);
            } else {
                // a producer is about to fill its slot
                LockSupport.parkNanos(WINK);
            }
        }
    }

    private List<T> handOver(List<T> rest) {
        if (settings.deadLetter() == null) {
            rest.forEach(this::lose);
            return rest;
        }
        boolean interrupted = false;
        List<T> left = new ArrayList<>();
        for (T item : rest) {
            // an interrupt costs one item, not all that follow
            interrupted |= Thread.interrupted();
            if (!deadLetter(item)) {
                left.add(item);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return left;
    }
}
