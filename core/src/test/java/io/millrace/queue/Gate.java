package io.millrace.queue;

import io.millrace.ItemHandler;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** A handler that holds its workers until it is opened, and notes what it is given. */
final class Gate implements ItemHandler<String> {
    private final Queue<String> begun = new ConcurrentLinkedQueue<>();
    private final Queue<String> handled = new ConcurrentLinkedQueue<>();
    private final CountDownLatch opened = new CountDownLatch(1);

    /** A gate that holds nobody. */
    static Gate opened() {
        Gate gate = new Gate();
        gate.open();
        return gate;
    }

    @Override
    public void handle(String item) throws InterruptedException {
        begun.add(item);
        opened.await();
        handled.add(item);
    }

    void open() {
        opened.countDown();
    }

    void awaitBegun(int count) {
        Background.until(() -> begun.size() >= count);
    }

    void awaitHandled(int count) {
        Background.until(() -> handled.size() >= count);
    }

    List<String> begun() {
        return List.copyOf(begun);
    }

    List<String> handled() {
        return List.copyOf(handled);
    }
}
