package io.millrace.queue;

import io.millrace.ItemHandler;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** A handler that stops at items that contain "stop", until it is let go, and notes all others in their order. */
final class Stops implements ItemHandler<String> {
    private final Queue<String> handled = new ConcurrentLinkedQueue<>();
    private final AtomicInteger stops = new AtomicInteger();
    private final Semaphore goes = new Semaphore(0);

    @Override
    public void handle(String item) throws InterruptedException {
        if (item.contains("stop")) {
            stops.incrementAndGet();
            goes.acquire();
        } else {
            handled.add(item);
        }
    }

    void awaitStop(int count) {
        Background.until(() -> stops.get() >= count);
    }

    void go() {
        goes.release();
    }

    /** What was handled since the last call, when there are so many. */
    List<String> take(int count) {
        Background.until(() -> handled.size() >= count);
        List<String> taken = List.copyOf(handled);
        handled.clear();
        return taken;
    }
}
