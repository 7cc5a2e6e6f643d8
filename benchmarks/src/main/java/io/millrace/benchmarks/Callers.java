package io.millrace.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that make the same call again and again. */
final class Callers {
    private Callers() {}

    interface Call {
        void make() throws Exception;
    }

    /** How often a second so many threads make a call, each waiting for its end before the next. */
    static double rate(int threads, int calls, Call call) throws Exception {
        AtomicInteger left = new AtomicInteger(calls);
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            all.add(new Thread(() -> {
                try {
                    while (left.getAndDecrement() > 0) {
                        call.make();
                    }
                } catch (Throwable e) {
                    failures.add(e);
                }
            }));
        }
        long start = System.nanoTime();
        all.forEach(Thread::start);
        for (Thread thread : all) {
            thread.join();
        }
        double rate = calls * 1e9 / (System.nanoTime() - start);
        if (!failures.isEmpty()) {
            throw new IllegalStateException("a call failed", failures.get(0));
        }
        return rate;
    }
}
