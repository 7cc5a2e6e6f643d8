package io.millrace.internal.queue;

import io.millrace.Event;
import io.millrace.InvalidValueException;
import io.millrace.ItemOptions;
import io.millrace.Leak;
import io.millrace.StopException;
import io.millrace.internal.Events;
import io.millrace.internal.lifecycle.RetryDelay;
import io.millrace.internal.pool.Pool;
import io.millrace.internal.pool.Work;
import io.millrace.spi.EngineClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The way of an item: it is put, waits in {@link Ready} or first in {@link Later}, is run by a worker of the
 * {@link Pool}, and if that fails it waits again, until it leaves through the {@link Exit}.
 */
public final class ItemQueue<T> implements Work {
    private final QueueSettings<T> settings;
    private final EngineClock clock;
    private final Events events;
    private final String name;
    private final Ready ready;
    private final Later later;
    /** Where producers wait while too many items wait for their time. */
    private final Room laterRoom = new Room();

    private final Pool pool;
    private final Exit<T> exit;
    /** Whether items travel without an envelope unless something is said about them. */
    private final boolean plain;

    private volatile boolean closed;

    public ItemQueue(QueueSettings<T> settings) {
        this.settings = settings;
        clock = settings.pool().clock();
        events = settings.pool().events();
        name = settings.pool().name();
        ready = settings.ready();
        later = new Later(clock, this::due, this::moved);
        pool = new Pool(settings.pool(), this);
        exit = new Exit<>(settings, ready, later, pool);
        boolean tellsPlaces = settings.qos() != null && events.wanted();
        plain = settings.delay().isZero() && settings.deadline() == null && !tellsPlaces;
    }

    public void start() {
        pool.start();
    }

    // putting

    /**
     * @param nanos how long to wait for room
     * @return false if there was none
     */
    public boolean put(T item, long nanos) throws InterruptedException {
        return plain ? put(item, Duration.ZERO, nanos) : put(item, ItemOptions.DEFAULT, nanos);
    }

    public boolean put(T item, ItemOptions options, long nanos) throws InterruptedException {
        return put(envelope(item, options), delayOf(options), nanos);
    }

    private boolean put(Object element, Duration delay, long nanos) throws InterruptedException {
        Room full = tryPut(element, delay);
        return full == null || putWhenFull(element, delay, full, nanos);
    }

    private Duration delayOf(ItemOptions options) {
        return options.delay() == null ? settings.delay() : options.delay();
    }

    private Envelope envelope(T item, ItemOptions options) {
        Duration within = options.deadline() == null ? settings.deadline() : options.deadline();
        if (within != null && within.compareTo(delayOf(options)) <= 0) {
            throw new InvalidValueException(
                    "deadline", within, "it must be longer than the delay, which is " + delayOf(options));
        }
        long deadline = within == null ? Envelope.NEVER : clock.elapsedNanos() + within.toNanos();
        Envelope envelope = new Envelope(item, options.weight(), deadline);
        ready.place(envelope);
        return envelope;
    }

    /** @return where to wait for room, or null if the element is in */
    private @Nullable Room tryPut(Object element, Duration delay) {
        long waiting = (long) later.size() + ready.overflow();
        if (!delay.isZero()) {
            if (!later.offer((Envelope) element, delay, settings.capacity() - ready.overflow())) {
                return laterRoom;
            }
            tellPut(element, delay);
        } else if (waiting >= 2L * settings.capacity()) {
            // retries are always taken back, so they must not become more and more
            return laterRoom;
        } else if (ready.offer(element)) {
            pool.wakeUp();
            tellPut(element, delay);
        } else {
            return ready.roomFor(element);
        }
        return null;
    }

    private void tellPut(Object element, Duration delay) {
        if (events.wanted()) {
            Object item = Envelope.itemOf(element);
            events.tell(() -> delay.isZero()
                    ? new Event.ItemPut(name, item, placeName(element))
                    : new Event.ItemDelayed(name, item, delay));
        }
    }

    private @Nullable String placeName(Object element) {
        return element instanceof Envelope envelope ? ready.placeName(envelope) : null;
    }

    private boolean putWhenFull(Object element, Duration delay, Room full, long nanos) throws InterruptedException {
        checkOpen();
        pool.crowded();
        if (settings.leaks()) {
            leak(element, delay, settings.leak() == Leak.FRONT && !full.equals(laterRoom));
            return true;
        }
        return nanos > 0 && Room.enter(full, () -> tryPutOpen(element, delay), nanos);
    }

    private @Nullable Room tryPutOpen(Object element, Duration delay) {
        Room full = tryPut(element, delay);
        if (full != null) {
            checkOpen();
        }
        return full;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the queue " + name + " is closed; the item was not taken");
        }
    }

    private void leak(Object element, Duration delay, boolean front) throws InterruptedException {
        for (int i = 0; front && i < settings.leakAttempts(); i++) {
            Object oldest = ready.evict(element);
            if (oldest == null) {
                break;
            }
            try {
                exit.leak(oldest, Leak.FRONT, placeName(oldest));
            } catch (InterruptedException | RuntimeException | Error e) {
                // it was taken in, so it stays
                exit.takeBack(oldest);
                pool.wakeUp();
                throw e;
            }
            if (tryPut(element, delay) == null) {
                return;
            }
        }
        exit.leak(element, Leak.REAR, placeName(element));
    }

    // waiting

    private void moved() {
        laterRoom.freedForAll();
        pool.tellQuieter();
    }

    private void due(Envelope envelope) {
        ready.force(envelope);
        pool.wakeUp();
    }

    @Override
    public int drain(@Nullable Object[] into, int most) {
        int count = ready.drain(into, most);
        laterRoom.freed(count);
        return count;
    }

    @Override
    public boolean isEmpty() {
        return ready.isEmpty();
    }

    @Override
    public double fillRate() {
        return ready.fillRate();
    }

    // running

    @Override
    @SuppressWarnings("unchecked") // what was put
    public void run(Object element) {
        T item = (T) Envelope.itemOf(element);
        if (element instanceof Envelope envelope && isLate(envelope)) {
            exit.expired(item);
            return;
        }
        if (events.wanted()) {
            events.tell(() -> new Event.ItemPulled(name, item, placeName(element)));
        }
        long start = events.wanted() ? System.nanoTime() : 0;
        try {
            settings.handler().handle(item);
        } catch (Throwable e) {
            failed(element, item, e, start);
            if (e instanceof Error error) {
                throw error;
            }
            return;
        }
        if (events.wanted()) {
            events.tell(() -> new Event.ItemHandled(name, item, since(start)));
        }
    }

    @Override
    @SuppressWarnings("unchecked") // what was put
    public void leftBehind(Object element) {
        exit.leftOver((T) Envelope.itemOf(element));
    }

    private boolean isLate(Envelope envelope) {
        return envelope.deadline != Envelope.NEVER && clock.elapsedNanos() > envelope.deadline;
    }

    private static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @SuppressWarnings("ReturnValueIgnored")
    private void failed(Object element, T item, Throwable cause, long start) {
        // an interrupt that the handler did not answer must not hit the dead-letter target
        Thread.interrupted();
        Envelope envelope = Envelope.of(element);
        int failures = ++envelope.failures;
        if (exit.keptByForce(item)) {
            return;
        }
        if (cause instanceof StopException || failures > settings.retry().max()) {
            boolean kept = exit.failed(item, cause);
            events.tell(() -> new Event.ItemFailed(name, item, cause, kept, since(start)));
            return;
        }
        Duration delay = RetryDelay.of(settings.retry(), failures, ThreadLocalRandom.current());
        events.tell(() -> new Event.ItemRetried(name, item, failures, delay, cause, since(start)));
        if (!later.again(envelope, delay)) {
            exit.leftOver(item);
        }
    }

    // looking and ending

    /** What can run and does not yet. */
    public int size() {
        return ready.size() + pool.held();
    }

    /** What waits for its delay or its retry. */
    public int delayed() {
        return later.size();
    }

    public int capacity() {
        return settings.capacity();
    }

    public Pool.Count workers() {
        return pool.count();
    }

    public Exit.Totals totals() {
        return exit.totals();
    }

    public List<T> close(Duration patience) {
        closed = true;
        ready.close();
        later.close();
        laterRoom.freedForAll();
        return exit.close(patience);
    }
}
