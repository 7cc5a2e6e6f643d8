package io.millrace.examples;

import io.millrace.DeadLetterCause;
import io.millrace.Discard;
import io.millrace.Enqueuer;
import io.millrace.ItemOptions;
import io.millrace.Leak;
import io.millrace.StopException;
import io.millrace.WorkQueue;
import io.millrace.WorkQueueBuilder;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A full queue that leaks at its rear or its front, into another queue or into nothing; and dead letters. */
public final class QueueLeak {
    private QueueLeak() {}

    public static void main(String[] arguments) throws InterruptedException {
        // the new items leak, into another queue
        List<String> elsewhere = new CopyOnWriteArrayList<>();
        WorkQueue<String> spare = WorkQueue.<String>builder()
                .name("spare")
                .capacity(100)
                .workers(1)
                .handler(elsewhere::add)
                .build();
        try (spare) {
            System.out.println("rear leak, handled here: " + overfill(Leak.REAR, spare));
        }
        System.out.println("rear leak, handled by the spare queue: " + elsewhere);

        // the oldest items leak, and nobody wants them
        var discard = new Discard<String>();
        System.out.println("front leak, handled here: " + overfill(Leak.FRONT, discard));
        System.out.println("front leak, discarded: " + discard.count());

        deadLetters();
    }

    /** Puts five items into a queue whose worker is busy and which has room for two. */
    private static List<String> overfill(Leak side, Enqueuer<String> target) throws InterruptedException {
        List<String> handled = new CopyOnWriteArrayList<>();
        var desk = new Desk();
        WorkQueue<String> queue = desk.queue(2, handled)
                .deadLetter(target, EnumSet.of(DeadLetterCause.FULL))
                .leak(side)
                .build();
        try (queue) {
            queue.put("item 1");
            desk.begun.await();
            for (int i = 2; i <= 5; i++) {
                queue.put("item " + i); // waits for nobody
            }
            desk.mayEnd.countDown();
        }
        return handled;
    }

    /** Without the cause FULL the queue does not leak: producers wait, and only what cannot be done is a dead letter. */
    private static void deadLetters() throws InterruptedException {
        List<String> handled = new CopyOnWriteArrayList<>();
        List<String> letters = new CopyOnWriteArrayList<>();
        var desk = new Desk();
        WorkQueue<String> queue = desk.queue(10, handled)
                .deadLetter(letters::add, EnumSet.of(DeadLetterCause.FAILED, DeadLetterCause.EXPIRED))
                .build();
        try (queue) {
            queue.put("good item");
            desk.begun.await();
            queue.put("late item", ItemOptions.DEFAULT.deadline(Duration.ofMillis(20)));
            queue.put("bad item");
            Thread.sleep(60);
            desk.mayEnd.countDown();
        }
        System.out.println("dead letters: " + letters + ", handled: " + handled + ", " + queue.totals());
    }

    /** A worker that begins, and goes on when it is told to. */
    private static final class Desk {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);

        WorkQueueBuilder<String> queue(int capacity, List<String> handled) {
            return WorkQueue.<String>builder().capacity(capacity).workers(1).handler(item -> {
                begun.countDown();
                mayEnd.await();
                if (item.startsWith("bad")) {
                    throw new StopException("it will never work");
                }
                handled.add(item);
            });
        }
    }
}
