package io.millrace.examples;

import io.millrace.ItemOptions;
import io.millrace.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A queue in this process: the ways to put something in, how full it is, and the two ways to close it. */
public final class QueueFirstSteps {
    private QueueFirstSteps() {}

    public static void main(String[] arguments) throws InterruptedException {
        puttingAndClosing();
        closingByForce();
    }

    private static void puttingAndClosing() throws InterruptedException {
        var begun = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        WorkQueue<String> queue = WorkQueue.<String>builder()
                .name("mails")
                .capacity(2)
                .workers(1)
                .handler(mail -> {
                    begun.countDown();
                    mayEnd.await();
                    System.out.println("sent " + mail);
                })
                .build();
        try (queue) {
            queue.put("mail 1");
            begun.await(); // the worker has it, so that the queue is empty again
            queue.put("mail 2");
            queue.put("mail 3");
            System.out.println(queue.size() + " of " + queue.capacity() + " wait, fill rate " + queue.fillRate());

            System.out.println("offer: " + queue.offer("mail 4"));
            boolean inTime = queue.put("mail 4", ItemOptions.DEFAULT, Duration.ofMillis(50));
            System.out.println("put within 50 ms: " + inTime);

            mayEnd.countDown();
            queue.put("mail 4"); // waits until there is room
        } // closes gracefully: what is in will be run
        System.out.println("closed, " + queue.size() + " wait, fill rate " + queue.fillRate());
        try {
            queue.put("mail 5");
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }

    private static void closingByForce() throws InterruptedException {
        var begun = new CountDownLatch(1);
        WorkQueue<String> queue = WorkQueue.<String>builder()
                .capacity(10)
                .workers(1)
                .handler(mail -> {
                    begun.countDown();
                    Thread.sleep(Duration.ofMinutes(1).toMillis());
                })
                .build();
        queue.put("slow mail");
        queue.put("waiting mail");
        begun.await();

        List<String> back = queue.closeNow(); // interrupts the handler
        System.out.println("closed by force, came back: " + back + ", lost: "
                + queue.totals().lost());
    }
}
