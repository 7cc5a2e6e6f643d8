package io.millrace.server;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs what may fail with every request: the first failure of a kind with its stack, then, every ten seconds at most,
 * how many there were since. After ten seconds without one, the next is a first one again.
 */
final class TroubleLog {
    static final long WINDOW_MILLIS = 10_000;

    private static final Logger log = LoggerFactory.getLogger(TroubleLog.class);
    /** Kinds that are told apart at the same time. */
    private static final int MOST_KINDS = 100;

    private final Consumer<Runnable> afterWindow;
    private final Map<String, Repeats> kinds = new HashMap<>();

    /** Failures of one kind since the last line about it. */
    private static final class Repeats {
        private int count;
        private String last = "";
    }

    /** @param afterWindow runs something when {@link #WINDOW_MILLIS} are over */
    TroubleLog(Consumer<Runnable> afterWindow) {
        this.afterWindow = afterWindow;
    }

    void unavailable(Throwable error) {
        add("unavailable", Level.WARN, "The store cannot be reached; the client is asked to try again", error);
    }

    void internal(Throwable error) {
        StackTraceElement[] stack = error.getStackTrace();
        String place = error.getClass().getName() + (stack.length == 0 ? "" : " at " + stack[0]);
        add(place, Level.ERROR, "A request failed for a reason that is not the client's", error);
    }

    void notAccepted(Throwable error) {
        add("accept", Level.WARN, OpenFiles.adviceOn("No connection can be accepted", error), error);
    }

    private void add(String place, Level level, String message, Throwable error) {
        synchronized (kinds) {
            String kind = kinds.size() < MOST_KINDS ? place : "others";
            Repeats repeats = kinds.get(kind);
            if (repeats != null) {
                repeats.count++;
                repeats.last = error.toString();
                return;
            }
            kinds.put(kind, new Repeats());
            endWindowLater(kind, level, message);
        }
        log.atLevel(level).setCause(error).log(message);
    }

    private void endWindowLater(String kind, Level level, String message) {
        try {
            afterWindow.accept(() -> endWindow(kind, level, message));
        } catch (RejectedExecutionException e) {
            // the server has stopped
            kinds.remove(kind);
        }
    }

    private void endWindow(String kind, Level level, String message) {
        int count;
        String last;
        synchronized (kinds) {
            Repeats repeats = kinds.remove(kind);
            if (repeats == null || repeats.count == 0) {
                return;
            }
            count = repeats.count;
            last = repeats.last;
            kinds.put(kind, new Repeats());
            endWindowLater(kind, level, message);
        }
        log.atLevel(level).log("{} ({} more times in {} s; last: {})", message, count, WINDOW_MILLIS / 1_000, last);
    }
}
