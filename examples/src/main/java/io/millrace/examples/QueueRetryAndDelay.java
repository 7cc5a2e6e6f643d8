package io.millrace.examples;

import io.millrace.Discard;
import io.millrace.Event;
import io.millrace.ItemOptions;
import io.millrace.Jitter;
import io.millrace.Retry;
import io.millrace.StopException;
import io.millrace.WorkQueue;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Retries with back-off and jitter, a handler that stops them, delays and deadlines; one worker does it all. */
public final class QueueRetryAndDelay {
    private QueueRetryAndDelay() {}

    public static void main(String[] arguments) throws InterruptedException {
        var attempts = new AtomicInteger();
        var slowBegun = new CountDownLatch(1);
        var slowMayEnd = new CountDownLatch(1);
        WorkQueue<String> queue = WorkQueue.<String>builder()
                .capacity(100)
                .workers(1)
                .retry(Retry.exponential(Duration.ofMillis(400)).max(3).jitter(Jitter.HALF))
                .deadLetter(new Discard<>())
                .observer(QueueRetryAndDelay::tell)
                .handler(item -> {
                    if (item.equals("flaky") && attempts.incrementAndGet() < 3) {
                        throw new IllegalStateException("no connection");
                    }
                    if (item.equals("hopeless")) {
                        throw new StopException("no such address");
                    }
                    if (item.equals("slow")) {
                        slowBegun.countDown();
                        slowMayEnd.await();
                    }
                })
                .build();
        try (queue) {
            queue.put("flaky");
            queue.put("hopeless");
            queue.put("later", ItemOptions.DEFAULT.delay(Duration.ofSeconds(1)));
            queue.put("slow");
            slowBegun.await();
            System.out.println("the only worker runs \"slow\", meanwhile wait for their time: " + queue.delayed());

            queue.put("impatient", ItemOptions.DEFAULT.deadline(Duration.ofMillis(20)));
            Thread.sleep(50);
            slowMayEnd.countDown();
        } // waits for retries and delays too
        System.out.println(queue.totals());
    }

    private static void tell(Event event) {
        if (event instanceof Event.ItemRetried retried) {
            // at least half of 400 ms, then of 800 ms; the other half by chance
            long millis = retried.delay().toMillis();
            System.out.println("failed: " + retried.item() + ", retry " + retried.retry() + " in " + millis + " ms");
        } else if (event instanceof Event.ItemFailed failed) {
            String why = failed.cause().getMessage();
            System.out.println("failed for good: " + failed.item() + ", " + why);
        } else if (event instanceof Event.ItemExpired expired) {
            System.out.println("too late: " + expired.item());
        } else if (event instanceof Event.ItemHandled handled) {
            System.out.println("done: " + handled.item());
        }
    }
}
