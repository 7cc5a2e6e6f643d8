package io.millrace.examples;

import io.millrace.DeadLetterCause;
import io.millrace.Discard;
import io.millrace.Event;
import io.millrace.LoggingObserver;
import io.millrace.Observer;
import io.millrace.Retry;
import io.millrace.WorkQueue;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** An observer that counts and measures, next to one that logs. A metrics library would be fed in the same way. */
public final class QueueMetrics {
    private QueueMetrics() {}

    public static void main(String[] arguments) throws InterruptedException {
        var metrics = new Metrics();
        WorkQueue<Integer> queue = WorkQueue.<Integer>builder()
                .name("numbers")
                .capacity(1_000)
                .workers(2)
                .retry(Retry.constant(Duration.ofMillis(10)).max(1))
                .deadLetter(new Discard<>(), EnumSet.of(DeadLetterCause.FAILED))
                .observer(metrics)
                .observer(new LoggingObserver()) // workers at INFO, trouble at WARN, every item at DEBUG
                .handler(number -> {
                    Thread.sleep(2);
                    if (number % 25 == 0) {
                        throw new IllegalArgumentException(number + " is a multiple of 25");
                    }
                })
                .build();
        try (queue) {
            for (int number = 1; number <= 100; number++) {
                queue.put(number);
            }
            // what is there now is asked of the queue, not counted from events
            System.out.println("workers: " + queue.workers().active() + ", some wait: " + (queue.size() > 0));
        }
        metrics.print();
    }

    private static final class Metrics implements Observer {
        private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
        private final LongAdder ranNanos = new LongAdder();
        private final LongAccumulator longestNanos = new LongAccumulator(Math::max, 0);

        /** Called by the queue's workers and by whoever puts, at the same time: quick, and without a lock. */
        @Override
        public void on(Event event) {
            counts.computeIfAbsent(event.getClass().getSimpleName(), name -> new LongAdder())
                    .increment();
            if (event instanceof Event.ItemHandled handled) {
                ranNanos.add(handled.ran().toNanos());
                longestNanos.accumulate(handled.ran().toNanos());
            }
        }

        void print() {
            new TreeMap<>(counts).forEach((name, count) -> System.out.println(name + ": " + count));
            long handled = counts.getOrDefault("ItemHandled", new LongAdder()).sum();
            System.out.printf(
                    "a handler ran for %.1f ms on average, %.1f ms at most%n",
                    ranNanos.sum() / 1e6 / Math.max(1, handled), longestNanos.get() / 1e6);
        }
    }
}
