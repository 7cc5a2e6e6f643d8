package io.millrace.cli;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends a process that was asked to stop and cannot, because its jar was overwritten and classes that the stop needs cannot
 * be loaded any more. Everything used here is loaded at the start.
 */
final class LastResort {
    private static final long PATIENCE_MILLIS = 2_000;

    private final CompletableFuture<Integer> asked;
    private final CountDownLatch broken = new CountDownLatch(1);

    private LastResort(CompletableFuture<Integer> asked) {
        this.asked = asked;
    }

    /** @param asked the number of the signal that asks to stop */
    static void await(CompletableFuture<Integer> asked) {
        LastResort lastResort = new LastResort(asked);
        Thread.setDefaultUncaughtExceptionHandler(lastResort::uncaught);
        Thread thread = new Thread(lastResort::run, "millrace-last-resort");
        thread.setDaemon(true);
        thread.start();
    }

    /** Says what the JVM says without a handler. */
    private void uncaught(Thread thread, Throwable error) {
        System.err.print("Exception in thread \"" + thread.getName() + "\" ");
        error.printStackTrace();
        if (error instanceof LinkageError) {
            broken.countDown();
        }
    }

    private void run() {
        int signal = asked.join();
        try {
            if (canLoad()) {
                broken.await();
            }
            System.err.println(
                    "The jar was overwritten while it ran, so this process cannot stop in order; it ends in 2 s.");
            TimeUnit.MILLISECONDS.sleep(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            // nobody interrupts this thread; if somebody does, the process has to end all the same
        }
        Runtime.getRuntime().halt(128 + signal);
    }

    private static boolean canLoad() {
        try {
            var unused = Class.forName(LastResort.class.getPackageName() + ".Canary");
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
