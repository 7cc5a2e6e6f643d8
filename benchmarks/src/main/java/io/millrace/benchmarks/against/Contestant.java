package io.millrace.benchmarks.against;

import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * One side of a comparison of two checkouts: reads {@code WORKLOAD TASKS URL} line by line, and answers each with a rate.
 *
 * <p>It is compiled against either checkout. So it is alone in its file, and uses only what the oldest checkout to compare
 * with has as well.
 */
public final class Contestant {
    static final String RATE = "rate ";
    static final String FAILED = "failed ";

    private static final String TOPIC = "bench";
    private static final Payload PAYLOAD = Payload.bytes(new byte[200]);
    private static final int WORKERS = 2;
    private static final int CALLERS = 64;
    private static final int BULK = 10_000;

    private Contestant() {}

    public static void main(String[] arguments) throws Exception {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split(" ", 3);
            String answer;
            try {
                answer = RATE + measure(words[0], Integer.parseInt(words[1]), words[2]);
            } catch (Exception e) {
                answer = FAILED + e;
            }
            System.out.println(answer.replace('\n', ' '));
            System.out.flush();
        }
    }

    private static double measure(String workload, int tasks, String url) throws Exception {
        // the garbage of the round before is no part of this one
        System.gc();
        MillraceOptions options = MillraceOptions.builder().workers(WORKERS).build();
        try (Millrace millrace = Millrace.open(url, options)) {
            return switch (workload) {
                case "drain" -> fillAndDrain(millrace, tasks);
                case "singles" -> singles(millrace, tasks);
                case "bulk" -> bulk(millrace, tasks);
                default -> throw new IllegalArgumentException("no such workload: " + workload);
            };
        }
    }

    private static NewTask task() {
        return NewTask.builder(TOPIC).payload(PAYLOAD).build();
    }

    private static double perSecond(int tasks, long startNanos) {
        return tasks * 1e9 / (System.nanoTime() - startNanos);
    }

    /** Many callers, each with one task at a time. */
    private static double singles(Millrace millrace, int tasks) throws Exception {
        AtomicInteger left = new AtomicInteger(tasks);
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            long start = System.nanoTime();
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                all.add(callers.submit(() -> {
                    while (left.getAndDecrement() > 0) {
                        var unused = millrace.enqueue(task());
                    }
                }));
            }
            for (Future<?> caller : all) {
                caller.get();
            }
            return perSecond(tasks, start);
        } finally {
            callers.shutdown();
        }
    }

    /** One caller with many tasks at a time. */
    private static double bulk(Millrace millrace, int tasks) {
        long start = System.nanoTime();
        for (int left = tasks; left > 0; left -= BULK) {
            List<NewTask> together = new ArrayList<>();
            for (int i = 0; i < Math.min(left, BULK); i++) {
                together.add(task());
            }
            var unused = millrace.enqueue(together);
        }
        return perSecond(tasks, start);
    }

    /** From the moment there is a handler until all tasks have succeeded. */
    private static double fillAndDrain(Millrace millrace, int tasks) throws InterruptedException {
        var unused = bulk(millrace, tasks);
        CountDownLatch left = new CountDownLatch(tasks);
        long start = System.nanoTime();
        millrace.handle(TOPIC, (payload, context) -> left.countDown());
        left.await();
        while (succeeded(millrace) < tasks) {
            LockSupport.parkNanos(1_000_000);
        }
        return perSecond(tasks, start);
    }

    private static long succeeded(Millrace millrace) {
        return millrace.count(TaskQuery.ALL.topic(TOPIC).state(TaskState.SUCCEEDED)).stream()
                .mapToLong(TaskCount::count)
                .sum();
    }
}
