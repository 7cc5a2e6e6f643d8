package io.millrace;

import java.util.concurrent.atomic.LongAdder;

/** Takes everything and keeps nothing but the count: for queues that rather lose items than slow down. */
public final class Discard<T> implements Enqueuer<T> {
    private final LongAdder count = new LongAdder();

    @Override
    public void put(T item) {
        Limits.present("item", item);
        count.increment();
    }

    /** How many items were discarded. */
    public long count() {
        return count.sum();
    }
}
