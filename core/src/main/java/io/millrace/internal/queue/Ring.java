package io.millrace.internal.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A bounded FIFO for many producers, from which consumers take several at once.
 *
 * <p>A producer claims a position by advancing the tail, then fills its slot; a slot that was claimed and is not filled
 * yet ends what can be taken. Consumers take turns under a lock: with a batch for each turn that costs less than to let
 * them compete for every element. Positions only grow; an element's slot is its position modulo the array's length. The
 * ring is closed by a sign on the tail, so that a position was either claimed before the end or never.
 */
final class Ring {
    private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(Object[].class);
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    // indexes of the counters: two cache lines apart, so that producers and consumers do not disturb each other
    private static final int TAIL = 16;
    /** Up to here producers know that there is room, without asking how far the head is. */
    private static final int LIMIT = 32;

    private static final int HEAD = 48;
    private static final long CLOSED = Long.MIN_VALUE;

    private final long[] counters = new long[64];
    private final @Nullable Object[] slots;
    private final int mask;
    private final int capacity;
    private final ReentrantLock consumers = new ReentrantLock();

    Ring(int capacity) {
        this.capacity = capacity;
        int length = Math.max(2, Integer.highestOneBit(Math.max(1, capacity - 1)) * 2);
        slots = new Object[length];
        mask = length - 1;
        counters[LIMIT] = capacity;
    }

    /** @return false if it is full or closed */
    boolean offer(Object element) {
        long tail;
        do {
            tail = (long) LONGS.getVolatile(counters, TAIL);
            if (tail < 0 || (tail >= (long) LONGS.getVolatile(counters, LIMIT) && !raiseLimit(tail))) {
                return false;
            }
        } while (!LONGS.compareAndSet(counters, TAIL, tail, tail + 1));
        SLOTS.setRelease(slots, (int) tail & mask, element);
        return true;
    }

    private boolean raiseLimit(long tail) {
        long limit = (long) LONGS.getVolatile(counters, HEAD) + capacity;
        if (tail >= limit) {
            return false;
        }
        LONGS.setVolatile(counters, LIMIT, limit);
        return true;
    }

    int drain(@Nullable Object[] into, int offset, int most) {
        if (isEmpty()) {
            return 0;
        }
        consumers.lock();
        try {
            long head = (long) LONGS.get(counters, HEAD);
            int count = 0;
            while (count < most) {
                int slot = (int) (head + count) & mask;
                Object element = SLOTS.getAcquire(slots, slot);
                if (element == null) {
                    break;
                }
                into[offset + count++] = element;
                slots[slot] = null;
            }
            LONGS.setVolatile(counters, HEAD, head + count);
            return count;
        } finally {
            consumers.unlock();
        }
    }

    /** Whether the next slot is not filled; who fills it wakes a worker afterwards. */
    boolean isEmpty() {
        long head = (long) LONGS.getVolatile(counters, HEAD);
        return SLOTS.getVolatile(slots, (int) head & mask) == null;
    }

    int size() {
        long head = (long) LONGS.getVolatile(counters, HEAD);
        long tail = (long) LONGS.getVolatile(counters, TAIL) & ~CLOSED;
        return (int) Math.max(0, Math.min(capacity, tail - head));
    }

    double fillRate() {
        return (double) size() / capacity;
    }

    void close() {
        long before = (long) LONGS.getAndBitwiseOr(counters, TAIL, CLOSED);
        assert before >= 0 || (long) LONGS.getVolatile(counters, TAIL) < 0;
    }

    /** Closed, and nothing is in it nor on the way in. */
    boolean isDrained() {
        long tail = (long) LONGS.getVolatile(counters, TAIL);
        return tail < 0 && (tail & ~CLOSED) == (long) LONGS.getVolatile(counters, HEAD);
    }
}
