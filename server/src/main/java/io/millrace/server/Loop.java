package io.millrace.server;

import io.vertx.core.Context;

/** An event loop and its only thread. */
record Loop(Context context, Thread thread) {
    /** Runs something on the loop: at once, if this is its thread. */
    void run(Runnable action) {
        if (Thread.currentThread() == thread) {
            action.run();
        } else {
            context.runOnContext(any -> action.run());
        }
    }
}
