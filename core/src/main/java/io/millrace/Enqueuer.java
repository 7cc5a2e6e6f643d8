package io.millrace;

/**
 * Takes items in: a {@link WorkQueue}, a topic of a {@link Millrace}, a {@link Dump} on disk. A queue leaks into one, and
 * hands its dead letters to one.
 */
@FunctionalInterface
public interface Enqueuer<T> {
    /**
     * Takes an item in, and waits for room if need be. When it returns, the item is the enqueuer's.
     *
     * @throws InterruptedException if interrupted while waiting; the item was not taken
     * @throws RuntimeException if the item cannot be taken
     */
    void put(T item) throws InterruptedException;
}
