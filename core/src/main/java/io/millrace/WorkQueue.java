package io.millrace;

import io.millrace.internal.pool.Pool;
import io.millrace.internal.queue.Exit;
import io.millrace.internal.queue.ItemQueue;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue of plain objects in this process, with its own workers. Nothing is serialised and nothing outlives the process.
 *
 * <pre>{@code
 * try (var emails = WorkQueue.<Email>builder()
 *         .capacity(10_000)
 *         .workers(1, 16)
 *         .retry(Retry.exponential(Duration.ofSeconds(1)).max(3))
 *         .handler(mailer::send)
 *         .build()) {
 *     emails.put(email);
 * }
 * }</pre>
 *
 * Items are taken in the order in which they were put (of each producer, if there are several streams), by several
 * workers at once. All methods may be called from any thread. Workers are daemons: they do not keep a process alive.
 *
 * <p>When there is no room, {@code put} waits, and {@code offer} and {@code put} with a timeout answer false; with a
 * dead-letter target the queue leaks instead, and nobody waits. As many items again as the capacity may wait for their
 * delay. Retries are always taken back; when, with them, twice the capacity waits, there is no room for other items either.
 */
public final class WorkQueue<T> implements Enqueuer<T>, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WorkQueue.class);

    private static final long FOR_EVER = Long.MAX_VALUE;

    private final ItemQueue<T> queue;
    private final String name;
    private final Duration closeTimeout;

    /** How many workers are in which state. Stopped ones are those that could be started. */
    public record Workers(int active, int sleeping, int stopped) {}

    /**
     * What became of items that were not handled, since the queue began.
     *
     * @param leaked to the dead-letter target, because the queue was full
     * @param failed for the last time
     * @param expired because their deadline had passed
     * @param lost because the queue was closed, or the dead-letter target did not take them
     */
    public record Totals(long leaked, long failed, long expired, long lost) {}

    WorkQueue(ItemQueue<T> queue, String name, Duration closeTimeout) {
        this.queue = queue;
        this.name = name;
        this.closeTimeout = closeTimeout;
    }

    /** Capacity and handler are required; everything else has a default. */
    public static <T> WorkQueueBuilder<T> builder() {
        return new WorkQueueBuilder<>();
    }

    /**
     * Puts an item in, and waits for room.
     *
     * @throws IllegalStateException if the queue is closed; the item was not taken
     * @throws InterruptedException if interrupted while waiting; the item was not taken
     */
    @Override
    public void put(T item) throws InterruptedException {
        var unused = queue.put(Limits.present("item", item), FOR_EVER);
    }

    /** The same with a delay, a deadline or a weight. */
    public void put(T item, ItemOptions options) throws InterruptedException {
        var unused = add(item, options, FOR_EVER);
    }

    /**
     * Puts an item in, and waits for room for a while; throws like {@link #put(Object)}.
     *
     * @return false if there was no room; the item was not taken
     */
    public boolean put(T item, Duration timeout) throws InterruptedException {
        return queue.put(Limits.present("item", item), nanos(timeout));
    }

    /** The same with a delay, a deadline or a weight. */
    public boolean put(T item, ItemOptions options, Duration timeout) throws InterruptedException {
        return add(item, options, nanos(timeout));
    }

    /**
     * Puts an item in if there is room.
     *
     * @return false if there is none; the item was not taken
     * @throws IllegalStateException if the queue is closed, or its dead-letter target was interrupted; the item was not taken
     */
    public boolean offer(T item) {
        try {
            return queue.put(Limits.present("item", item), 0);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** The same with a delay, a deadline or a weight. */
    public boolean offer(T item, ItemOptions options) {
        try {
            return add(item, options, 0);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Only a dead-letter target waits when something is offered. */
    private IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while the queue " + name + " leaked; the item was not taken", e);
    }

    private static long nanos(Duration timeout) {
        return Limits.notNegative("timeout", timeout).toNanos();
    }

    private boolean add(T item, ItemOptions options, long nanos) throws InterruptedException {
        return queue.put(Limits.present("item", item), Limits.present("options", options), nanos);
    }

    public String name() {
        return name;
    }

    /** How many items could run now and wait for a worker. */
    public int size() {
        return queue.size();
    }

    /** How many items wait for their delay or their retry. */
    public int delayed() {
        return queue.delayed();
    }

    public int capacity() {
        return queue.capacity();
    }

    /** Between 0 and 1: how full the queue is. The workers are balanced by it. */
    public double fillRate() {
        return queue.fillRate();
    }

    public Workers workers() {
        Pool.Count count = queue.workers();
        return new Workers(count.active(), count.sleeping(), count.stopped());
    }

    public Totals totals() {
        Exit.Totals totals = queue.totals();
        return new Totals(totals.leaked(), totals.failed(), totals.expired(), totals.lost());
    }

    /**
     * Closes gracefully: takes nothing more, and runs what is in, delays and retries included, within the builder's
     * {@code closeTimeout}. What is left then, or when the caller is interrupted, goes the way of {@link #closeNow}.
     */
    @Override
    public void close() {
        List<T> left = queue.close(closeTimeout);
        if (!left.isEmpty()) {
            log.warn("{} was closed before {} of its items were run; they are lost", name, left.size());
        }
    }

    /**
     * Closes by force: interrupts the handlers, and hands what was not run or was cut off to the dead-letter target.
     *
     * @return what no dead-letter target has taken; it is counted as lost
     */
    public List<T> closeNow() {
        return queue.close(Duration.ZERO);
    }
}
