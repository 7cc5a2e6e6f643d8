package io.millrace.internal.worker;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** How many tasks this process takes in all. */
final class Quota {
    private static final long NONE = Long.MAX_VALUE;

    private final long most;
    /** Waiting for a thread, running, or ended. */
    private final AtomicLong taken = new AtomicLong();

    private final AtomicLong begun = new AtomicLong();

    /** @param most null for any number */
    Quota(@Nullable Integer most) {
        this.most = most == null ? NONE : most;
    }

    /** How many of those that are wanted may be fetched. */
    int allowed(int wanted) {
        return most == NONE ? wanted : (int) Math.min(wanted, most - taken.get());
    }

    /** Takes a task that was fetched, unless that is one too many. */
    boolean take() {
        return most == NONE || taken.getAndUpdate(count -> Math.min(most, count + 1)) < most;
    }

    /** A task that was taken does not begin. */
    void giveBack() {
        if (most != NONE) {
            taken.decrementAndGet();
        }
    }

    /** A task that was taken begins. @return whether it is the last */
    boolean begin() {
        return most != NONE && begun.incrementAndGet() == most;
    }

    /** The last task has begun. */
    boolean isUsedUp() {
        return begun.get() >= most;
    }
}
