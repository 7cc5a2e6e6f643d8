package io.millrace.examples;

import io.millrace.Qos;
import io.millrace.WorkQueue;
import io.millrace.WorkQueueBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Who goes first: three lanes by weight, and a noisy and a quiet tenant side by side. */
public final class QueueQos {
    record Mail(String tenant, int urgency) {}

    private QueueQos() {}

    public static void main(String[] arguments) throws InterruptedException {
        threeLanes();
        twoTenants();
    }

    /** While all lanes have something, 60, 30 and 10 of 100 items come from them. */
    private static void threeLanes() throws InterruptedException {
        List<Mail> mails = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            mails.add(new Mail("any", 5));
            mails.add(new Mail("any", 50));
            mails.add(new Mail("any", 95));
        }
        Qos<Mail> qos = Qos.<Mail>weightedRoundRobin()
                .lane("urgent", 200, 20, 60) // priorities above 80 %
                .lane("normal", 200, 50, 30) // above 30 %
                .lane("bulk", 200, 30, 10)
                .priority((mail, weight) -> mail.urgency());
        List<Mail> taken = inTheOrderTaken(WorkQueue.<Mail>builder().qos(qos), mails);
        System.out.println("weighted round robin, by urgency, first 100 of 300: "
                + shares(taken.subList(0, 100), mail -> "urgency " + mail.urgency()));
    }

    /** The noisy tenant came first with a hundred times as much; the quiet one waits for its turn, and no longer. */
    private static void twoTenants() throws InterruptedException {
        List<Mail> mails = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            mails.add(new Mail("noisy", 50));
        }
        for (int i = 0; i < 10; i++) {
            mails.add(new Mail("quiet", 50));
        }
        List<Mail> plain = inTheOrderTaken(WorkQueue.<Mail>builder().capacity(2_000), mails);
        System.out.println("first in, first out, first 20 of 1010: " + shares(plain.subList(0, 20), Mail::tenant));

        Qos<Mail> byTenant = Qos.fair(Mail::tenant);
        List<Mail> fair =
                inTheOrderTaken(WorkQueue.<Mail>builder().capacity(2_000).qos(byTenant), mails);
        System.out.println("fair queueing, first 20 of 1010: " + shares(fair.subList(0, 20), Mail::tenant));
    }

    /** Holds the only worker until everything is in; then there is a choice to be made. */
    private static List<Mail> inTheOrderTaken(WorkQueueBuilder<Mail> builder, List<Mail> mails)
            throws InterruptedException {
        var allIn = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        var first = new Mail("none", 0);
        List<Mail> taken = new ArrayList<>();
        WorkQueue<Mail> queue = builder.workers(1)
                .handler(mail -> {
                    begun.countDown();
                    allIn.await();
                    if (!mail.equals(first)) {
                        taken.add(mail); // there is one worker only
                    }
                })
                .build();
        try (queue) {
            queue.put(first);
            begun.await();
            for (Mail mail : mails) {
                queue.put(mail);
            }
            allIn.countDown();
        }
        return taken;
    }

    private static Map<String, Long> shares(List<Mail> taken, Function<Mail, String> by) {
        return taken.stream().collect(Collectors.groupingBy(by, TreeMap::new, Collectors.counting()));
    }
}
