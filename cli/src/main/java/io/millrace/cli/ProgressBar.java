package io.millrace.cli;

import java.io.PrintWriter;

/** How far something is: one line on standard error that is written over. Where nobody watches it says nothing. */
final class ProgressBar implements AutoCloseable {
    private static final int WIDTH = 30;
    private static final long EVERY_NANOS = 100_000_000;
    private static final String CLEAR = "\r\u001b[K";

    private final PrintWriter err;
    private final boolean watched;
    private long next = System.nanoTime();

    ProgressBar(Shell shell) {
        err = shell.err();
        watched = shell.errIsTerminal();
    }

    /** @param part between 0 and 1; negative if nobody knows */
    synchronized void show(double part, String text) {
        if (!watched || System.nanoTime() - next < 0) {
            return;
        }
        next = System.nanoTime() + EVERY_NANOS;
        err.print(CLEAR + bar(part) + text);
        err.flush();
    }

    private static String bar(double part) {
        if (part < 0) {
            return "";
        }
        int filled = (int) (Math.min(1, part) * WIDTH);
        return "[" + "#".repeat(filled) + "-".repeat(WIDTH - filled) + "] " + (int) (Math.min(1, part) * 100) + " %  ";
    }

    /** Leaves an empty line for what is printed next. */
    @Override
    public synchronized void close() {
        if (watched) {
            err.print(CLEAR);
            err.flush();
        }
    }
}
