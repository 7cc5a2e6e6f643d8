package io.millrace.client;

import io.millrace.testkit.environment.Relay;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;

/** Stands between client and server, passes on requests, and cuts connections when the answer comes. */
final class CuttingProxy implements AutoCloseable {
    private final Relay relay;
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicInteger cuts = new AtomicInteger();
    private final AtomicInteger enqueues = new AtomicInteger();
    private final AtomicInteger claimsAlong = new AtomicInteger();
    private volatile IntPredicate cut = number -> false;
    private volatile CountDownLatch held = new CountDownLatch(0);

    CuttingProxy(int target) throws IOException {
        relay = new Relay(target, this::passes);
    }

    String url() {
        return "http://127.0.0.1:" + relay.port();
    }

    /** From now on, cuts those answers, which are numbered from 1. */
    void cut(IntPredicate which) {
        answers.set(0);
        cut = which;
    }

    int cuts() {
        return cuts.get();
    }

    /** How many requests to enqueue have come by. */
    int enqueues() {
        return enqueues.get();
    }

    /** How many reports have come by that took a claim along. */
    int claimsAlong() {
        return claimsAlong.get();
    }

    /** Lets no request through until it is released. */
    void hold() {
        held = new CountDownLatch(1);
    }

    void release() {
        held.countDown();
    }

    private boolean passes(boolean isRequest, byte[] bytes, int size) throws InterruptedException {
        if (isRequest) {
            requested(new String(bytes, 0, size, StandardCharsets.ISO_8859_1));
            return true;
        }
        if (cut.test(answers.incrementAndGet())) {
            cuts.incrementAndGet();
            return false;
        }
        return true;
    }

    private void requested(String text) throws InterruptedException {
        if (text.startsWith("POST /v1/tasks HTTP")) {
            enqueues.incrementAndGet();
        }
        if (text.contains("/outcomes?claim=")) {
            claimsAlong.incrementAndGet();
        }
        held.await();
    }

    @Override
    public void close() throws IOException {
        relay.close();
    }
}
