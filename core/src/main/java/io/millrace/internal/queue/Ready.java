package io.millrace.internal.queue;

import org.jspecify.annotations.Nullable;

/** What can run now, in the order in which it is to run. An element is an item, or an {@link Envelope} around one. */
interface Ready {
    /** @return false if there is no room, or it is closed */
    boolean offer(Object element);

    /** Takes in again what was taken in before: always. */
    void force(Object element);

    int drain(@Nullable Object[] into, int most);

    /** Takes out the oldest of those that stand where this one wants to go. */
    @Nullable
    Object evict(Object newcomer);

    /** Finds the place of an envelope; what a user's function throws comes out here. */
    void place(Envelope envelope);

    /** The name of its sub-queue, or its key; null where there is none. */
    @Nullable
    String placeName(Envelope envelope);

    /** Where to wait for room for this element. */
    Room roomFor(Object element);

    boolean isEmpty();

    int size();

    int capacity();

    /** Between 0 and 1: how full it is, where it is fullest. */
    double fillRate();

    /** How many are in over the capacity. */
    int overflow();

    /** Takes nothing more from {@link #offer}; those who wait for room are told. */
    void close();

    /** Closed, and all is taken out that ever was or will be in, but for what is forced in. */
    boolean isDrained();
}
