package io.millrace.internal.queue;

import org.jspecify.annotations.Nullable;

/** An item about which there is more to know than that it is there. Plain items travel without one. */
final class Envelope {
    static final long NEVER = Long.MAX_VALUE;

    final Object item;
    final int weight;
    /** By the clock's elapsed time. */
    final long deadline;

    /** When it may run, by the clock's elapsed time. */
    long due;
    /** In which order it came to wait, among those that are due at the same time. */
    long number;

    int failures;
    /** Where it stands in a queue with lanes, once that is known. */
    @Nullable
    Object place;

    Envelope(Object item, int weight, long deadline) {
        this.item = item;
        this.weight = weight;
        this.deadline = deadline;
    }

    static Object itemOf(Object element) {
        return element instanceof Envelope envelope ? envelope.item : element;
    }

    static Envelope of(Object element) {
        return element instanceof Envelope envelope ? envelope : new Envelope(element, 1, NEVER);
    }
}
