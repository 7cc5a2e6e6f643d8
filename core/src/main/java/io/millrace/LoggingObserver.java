package io.millrace;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes events to a log: what somebody should look at as a warning, what happens to workers and leaks as information, and
 * everything else for debugging. Payloads and items are logged as their {@code toString} tells them; leave it out where
 * that tells too much.
 */
public final class LoggingObserver implements Observer {
    private final Logger log;

    /** Logs as {@code io.millrace.events}. */
    public LoggingObserver() {
        this("io.millrace.events");
    }

    public LoggingObserver(String logger) {
        log = LoggerFactory.getLogger(Limits.present("logger", logger));
    }

    @Override
    public void on(Event event) {
        if (isTrouble(event)) {
            log.warn("{}", event);
        } else if (isNotable(event)) {
            log.info("{}", event);
        } else {
            log.debug("{}", event);
        }
    }

    private static boolean isTrouble(Event event) {
        return event instanceof Event.ItemLost
                || event instanceof Event.ItemFailed
                || event instanceof Event.ItemExpired
                || event instanceof Event.WorkerExpired
                || event instanceof Event.WorkerThreadReplaced;
    }

    private static boolean isNotable(Event event) {
        return event instanceof Event.ItemLeaked
                || event instanceof Event.WorkersChanged
                || event instanceof Event.WorkerStarted
                || event instanceof Event.WorkerSlept
                || event instanceof Event.WorkerWoken
                || event instanceof Event.WorkerStopped
                || event instanceof Event.WorkerRegistered
                || event instanceof Event.WorkerLeft;
    }
}
