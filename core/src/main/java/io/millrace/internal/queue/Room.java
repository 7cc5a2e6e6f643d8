package io.millrace.internal.queue;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Where producers wait until there is room. Costs those who make room nothing while nobody waits. */
final class Room {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final AtomicInteger waiting = new AtomicInteger();

    /** One attempt to get in; answers where to wait if there is no room, or null if it is done. */
    interface Attempt {
        @Nullable
        Room tryNow();
    }

    /**
     * Tries until it is done.
     *
     * @return false if that took too long
     */
    static boolean enter(Room first, Attempt attempt, long nanos) throws InterruptedException {
        @Nullable Room room = first;
        long left = nanos;
        while (room != null) {
            @Nullable Room next;
            room.lock.lockInterruptibly();
            try {
                room.waiting.incrementAndGet();
                next = attempt.tryNow();
                if (next == room) {
                    if (left <= 0) {
                        return false;
                    }
                    left = room.freed.awaitNanos(left);
                }
            } finally {
                room.waiting.decrementAndGet();
                room.lock.unlock();
            }
            room = next;
        }
        return true;
    }

    /** So many more have room now. The change that made room comes before this call. */
    void freed(int count) {
        if (waiting.get() == 0) {
            return;
        }
        lock.lock();
        try {
            for (int i = Math.min(count, waiting.get()); i > 0; i--) {
                freed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    void freedForAll() {
        freed(Integer.MAX_VALUE);
    }
}
