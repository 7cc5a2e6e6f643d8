package io.millrace.internal;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * UUIDs of version 7: 48 bits of milliseconds, a 12-bit counter, 62 random bits. Within a process each is greater than
 * the one before, even if the clock goes back; when the counter runs over it borrows from the next millisecond.
 */
public final class TimeOrderedIds {
    private static final int COUNTER_BITS = 12;
    private static final long VERSION_7 = 0x7000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    /** Keeps two processes apart whose thread-local generators were seeded in the same nanosecond. */
    private static final long PROCESS = new SecureRandom().nextLong();

    private static final AtomicLong LAST = new AtomicLong();

    private TimeOrderedIds() {}

    public static UUID next() {
        long now = System.currentTimeMillis() << COUNTER_BITS;
        long tick = LAST.updateAndGet(last -> Math.max(last + 1, now));
        long high = (tick >>> COUNTER_BITS << 16) | VERSION_7 | (tick & ((1 << COUNTER_BITS) - 1));
        long low = ((ThreadLocalRandom.current().nextLong() ^ PROCESS) >>> 2) | VARIANT;
        return new UUID(high, low);
    }
}
