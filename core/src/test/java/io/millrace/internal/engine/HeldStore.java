package io.millrace.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Something to batch calls for: answers each request with its text, and can be held up in the middle of a call. */
final class HeldStore implements Function<List<Integer>, List<String>> {
    private final List<List<Integer>> batches = new CopyOnWriteArrayList<>();
    private final Semaphore entered = new Semaphore(0);
    private final Semaphore allowed;

    private HeldStore(int allowed) {
        this.allowed = new Semaphore(allowed);
    }

    /** Holds every call until it is let through. */
    static HeldStore held() {
        return new HeldStore(0);
    }

    static HeldStore open() {
        return new HeldStore(Integer.MAX_VALUE / 2);
    }

    @Override
    public List<String> apply(List<Integer> requests) {
        batches.add(List.copyOf(requests));
        entered.release();
        allowed.acquireUninterruptibly();
        return requests.stream().map(String::valueOf).toList();
    }

    /** Waits until one more call has begun. */
    void awaitCall() throws InterruptedException {
        assertThat(entered.tryAcquire(10, TimeUnit.SECONDS)).as("a call began").isTrue();
    }

    void letOneThrough() {
        allowed.release();
    }

    void letAllThrough() {
        allowed.release(Integer.MAX_VALUE / 2);
    }

    /** The requests of each call so far. */
    List<List<Integer>> batches() {
        return batches;
    }
}
