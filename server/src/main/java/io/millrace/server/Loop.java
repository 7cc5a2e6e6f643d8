package io.millrace.server;

import io.vertx.core.Context;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An event loop and its only thread. */
record Loop(Context context, Thread thread) {
    private static final Logger log = LoggerFactory.getLogger(Loop.class);

    /** Runs something on the loop: at once, if this is its thread, and not at all if the loop has ended with the server. */
    void run(Runnable action) {
        if (Thread.currentThread() == thread) {
            action.run();
        } else {
            try {
                context.runOnContext(any -> action.run());
            } catch (RejectedExecutionException e) {
                log.debug("The server has stopped, and nobody is there to be answered", e);
            }
        }
    }
}
