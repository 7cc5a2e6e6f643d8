package io.millrace.internal.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a worker has taken for itself, open to be stolen by workers that have nothing: nobody's item waits behind
 * another's long handler while a worker is idle.
 *
 * <p>One word holds the state: a generation, the index of the next item, and how many there are. An item is read first
 * and then claimed by advancing the index; the claim fails if anybody was quicker, and the generation tells a refilled
 * batch from the old one. Only the owner fills, and only when the batch is empty.
 */
final class Batch {
    static final int LARGEST = 64;

    private static final VarHandle STATE;
    private static final int COUNT_BITS = 8;
    private static final int NEXT_BITS = 8;
    private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;
    private static final long NEXT_MASK = (1L << NEXT_BITS) - 1;
    private static final long ONE_TAKEN = 1L << COUNT_BITS;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Batch.class, "state", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final @Nullable Object[] items;

    @SuppressWarnings("UnusedVariable") // written through STATE
    private volatile long state;

    Batch(int size) {
        items = new Object[size];
    }

    /** Where the owner puts items before it says {@link #filled}. */
    @Nullable
    Object[] items() {
        return items;
    }

    void filled(int count) {
        long generation = (state >>> (COUNT_BITS + NEXT_BITS)) + 1;
        STATE.setRelease(this, generation << (COUNT_BITS + NEXT_BITS) | count);
    }

    @Nullable
    Object take() {
        while (true) {
            long seen = state;
            int next = (int) ((seen >>> COUNT_BITS) & NEXT_MASK);
            if (next >= (seen & COUNT_MASK)) {
                return null;
            }
            Object item = items[next];
            if (STATE.compareAndSet(this, seen, seen + ONE_TAKEN)) {
                return item;
            }
        }
    }

    List<Object> takeAll() {
        List<Object> taken = new ArrayList<>();
        for (Object item = take(); item != null; item = take()) {
            taken.add(item);
        }
        return taken;
    }

    boolean isEmpty() {
        return size() == 0;
    }

    int size() {
        long seen = state;
        return (int) Math.max(0, (seen & COUNT_MASK) - ((seen >>> COUNT_BITS) & NEXT_MASK));
    }
}
