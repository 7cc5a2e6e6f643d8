package io.millrace.internal.pool;

import org.jspecify.annotations.Nullable;

/** What a pool works on. All calls come from several threads. */
public interface Work {
    /** Takes up to {@code most} items, in the order in which they are to run; returns how many. */
    int drain(@Nullable Object[] into, int most);

    /** Whether nothing can be taken now. Who adds something calls {@link Pool#wakeUp} afterwards. */
    boolean isEmpty();

    /** Between 0 and 1: how much waits, of what may wait. The pool is balanced by it. */
    double fillRate();

    /** An item that a worker had taken when it was stopped. */
    default void leftBehind(Object item) {}

    /** Runs an item. An error that comes out costs the worker its thread. */
    void run(Object item);
}
