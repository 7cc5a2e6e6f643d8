package io.millrace.embedded;

import io.millrace.StoreUnavailableException;
import io.millrace.spi.EngineClock;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Forces some time after a write, if the log is set to that. */
final class LazyForce {
    private final GroupCommit commit;
    private final Duration every;
    private final EngineClock clock;
    private final Executor background;
    private final ReentrantLock lock = new ReentrantLock();
    private EngineClock.@Nullable Timer timer;
    private boolean closed;

    LazyForce(GroupCommit commit, LogSettings settings) {
        this.commit = commit;
        every = settings.forceEvery();
        clock = settings.clock();
        background = settings.background();
    }

    boolean isOn() {
        return !every.isZero();
    }

    /** Sees to it that what was written so far will be forced. */
    void arm() {
        if (!isOn() || commit.forced() >= commit.written()) {
            return;
        }
        lock.lock();
        try {
            if (timer == null && !closed) {
                timer = clock.after(every, this::forceInBackground);
            }
        } finally {
            lock.unlock();
        }
    }

    private void forceInBackground() {
        try {
            background.execute(this::force);
        } catch (RejectedExecutionException e) {
            // late is better than never
            force();
        }
    }

    private void force() {
        lock.lock();
        try {
            timer = null;
            if (closed) {
                return;
            }
        } finally {
            lock.unlock();
        }
        try {
            commit.await(commit.written(), true);
        } catch (StoreUnavailableException e) {
            // it is logged, and whoever appends or waits next is told
            return;
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            if (timer != null) {
                timer.cancel();
            }
        } finally {
            lock.unlock();
        }
    }
}
