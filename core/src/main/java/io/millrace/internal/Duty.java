package io.millrace.internal;

import io.millrace.StoreUnavailableException;
import io.millrace.spi.EngineClock;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does something again and again: a fixed time after it was last done. Trouble is logged, and it goes on. */
public final class Duty implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Duty.class);

    private final String name;
    private final Duration every;
    private final EngineClock clock;
    private final Executor executor;
    private final Runnable action;
    private EngineClock.@Nullable Timer timer;
    private boolean closed;

    public Duty(String name, Duration every, EngineClock clock, Executor executor, Runnable action) {
        this.name = name;
        this.every = every;
        this.clock = clock;
        this.executor = executor;
        this.action = action;
        arm();
    }

    private synchronized void arm() {
        if (!closed) {
            timer = clock.after(every, this::start);
        }
    }

    private void start() {
        try {
            executor.execute(this::run);
        } catch (RuntimeException | Error e) {
            log.error("{} could not be started and tries again in {}", name, every, e);
            arm();
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private void run() {
        if (isClosed()) {
            return;
        }
        try {
            action.run();
        } catch (StoreUnavailableException e) {
            tellUnavailable(e);
        } catch (RuntimeException | Error e) {
            log.error("{} failed and tries again in {}", name, every, e);
        } finally {
            arm();
        }
    }

    private void tellUnavailable(StoreUnavailableException e) {
        if (isClosed()) {
            log.debug("{} was under way when it was closed", name, e);
        } else {
            log.warn("{} could not reach the store and tries again in {}: {}", name, every, e.getMessage());
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (timer != null) {
            timer.cancel();
        }
    }
}
