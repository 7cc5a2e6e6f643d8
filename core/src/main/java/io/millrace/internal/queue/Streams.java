package io.millrace.internal.queue;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** First in, first out: one ring, or several against contention, where each producer's thread keeps to one. */
final class Streams implements Ready {
    private static final int SPREAD = 0x9E3779B9;

    private final Ring[] rings;
    private final Room[] rooms;
    private final int capacity;
    /** What has waited for its time and is older than all that is in the rings. */
    private final ConcurrentLinkedQueue<Object> due = new ConcurrentLinkedQueue<>();

    private final AtomicInteger dueCount = new AtomicInteger();
    private int turn;

    Streams(int capacity, int streams) {
        this.capacity = capacity;
        rings = new Ring[streams];
        rooms = new Room[streams];
        for (int i = 0; i < streams; i++) {
            rings[i] = new Ring(capacity / streams + (i < capacity % streams ? 1 : 0));
            rooms[i] = new Room();
        }
    }

    private int mine() {
        return rings.length == 1
                ? 0
                : Integer.remainderUnsigned((int) Thread.currentThread().getId() * SPREAD, rings.length);
    }

    @Override
    public boolean offer(Object element) {
        return rings[mine()].offer(element);
    }

    @Override
    public void force(Object element) {
        dueCount.incrementAndGet();
        due.add(element);
    }

    @Override
    public int drain(@Nullable Object[] into, int most) {
        int count = dueCount.get() == 0 ? 0 : drainDue(into, most);
        // in turns, or a ring that is never empty would starve the others; a race costs nothing but the turn
        int first = rings.length == 1 ? 0 : Integer.remainderUnsigned(turn++, rings.length);
        for (int i = 0; i < rings.length && count < most; i++) {
            int stream = (first + i) % rings.length;
            int taken = rings[stream].drain(into, count, most - count);
            if (taken > 0) {
                rooms[stream].freed(taken);
                count += taken;
            }
        }
        return count;
    }

    private int drainDue(@Nullable Object[] into, int most) {
        int count = 0;
        while (count < most) {
            Object element = due.poll();
            if (element == null) {
                break;
            }
            into[count++] = element;
        }
        dueCount.addAndGet(-count);
        return count;
    }

    @Override
    public @Nullable Object evict(Object newcomer) {
        @Nullable Object[] oldest = new Object[1];
        return rings[mine()].drain(oldest, 0, 1) == 1 ? oldest[0] : null;
    }

    @Override
    public void place(Envelope envelope) {}

    @Override
    public @Nullable String placeName(Envelope envelope) {
        return null;
    }

    @Override
    public Room roomFor(Object element) {
        return rooms[mine()];
    }

    @Override
    public boolean isEmpty() {
        if (!due.isEmpty()) {
            return false;
        }
        for (Ring ring : rings) {
            if (!ring.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int size() {
        int size = dueCount.get();
        for (Ring ring : rings) {
            size += ring.size();
        }
        return size;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public double fillRate() {
        double fullest = (double) dueCount.get() / capacity;
        for (Ring ring : rings) {
            fullest = Math.max(fullest, ring.fillRate());
        }
        return Math.min(1, fullest);
    }

    @Override
    public int overflow() {
        return dueCount.get();
    }

    @Override
    public void close() {
        for (Ring ring : rings) {
            ring.close();
        }
        for (Room room : rooms) {
            room.freedForAll();
        }
    }

    @Override
    public boolean isDrained() {
        for (Ring ring : rings) {
            if (!ring.isDrained()) {
                return false;
            }
        }
        return dueCount.get() == 0;
    }
}
