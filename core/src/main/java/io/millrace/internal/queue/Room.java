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
            Room here = room;
            boolean in = false;
            here.lock.lockInterruptibly();
            here.waiting.incrementAndGet();
            try {
                room = attempt.tryNow();
                while (here.equals(room)) {
                    if (left <= 0) {
                        return false;
                    }
                    left = here.freed.awaitNanos(left);
                    room = attempt.tryNow();
                }
                in = room == null;
            } finally {
                here.waiting.decrementAndGet();
                if (!in) {
                    // the room that it was told of may be the next one's
                    here.freed.signal();
                }
                here.lock.unlock();
            }
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
