package io.millrace.cli;

import io.millrace.Millrace;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.Retention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Load in a closed loop: every caller has one request under way, and makes the next when that is answered; or, with a
 * worker, when its tasks are done.
 */
final class BenchLoad {
    private static final Duration LONGEST_LIFE = Duration.ofMinutes(1);
    private static final Duration KEPT = Duration.ofSeconds(10);
    private static final long LOOK_MILLIS = 100;

    private final BenchPlan plan;
    private final Payload payload;
    private final Latencies enqueues = new Latencies();
    private final Latencies lives = new Latencies();
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong done = new AtomicLong();
    private final Map<UUID, Flight> flights = new ConcurrentHashMap<>();
    private volatile boolean failed;

    /** Tasks of one request on their way. */
    private record Flight(long start, CountDownLatch left) {}

    BenchLoad(BenchPlan plan) {
        this.plan = plan;
        payload = Payload.json("\"" + "x".repeat(plan.payload() - 2) + "\"");
    }

    Latencies enqueues() {
        return enqueues;
    }

    /** From the enqueue to the end of the handler. */
    Latencies lives() {
        return lives;
    }

    /** Ends a task that a worker got. */
    void handled(UUID id) {
        Flight flight = flights.remove(id);
        if (flight != null) {
            lives.record(System.nanoTime() - flight.start);
            flight.left.countDown();
        }
    }

    /** @return how long it took, in nanoseconds */
    long run(Supplier<Millrace> clients, ProgressBar progress) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(plan.callers());
        List<Millrace> opened = new ArrayList<>();
        try {
            for (int i = 0; i < plan.callers(); i++) {
                opened.add(clients.get());
            }
            long start = System.nanoTime();
            List<Future<Long>> callers = new ArrayList<>();
            for (Millrace millrace : opened) {
                callers.add(threads.submit(caller(millrace)));
            }
            for (Future<Long> caller : callers) {
                await(caller, progress);
            }
            return System.nanoTime() - start;
        } finally {
            failed = true;
            threads.shutdownNow();
            opened.forEach(Millrace::close);
        }
    }

    private void await(Future<Long> caller, ProgressBar progress) throws Exception {
        while (true) {
            try {
                var unused = caller.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                progress.show((double) done.get() / plan.tasks(), done.get() + " tasks");
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }
    }

    private Callable<Long> caller(Millrace millrace) {
        return () -> {
            long count = 0;
            for (long from = next(); from < plan.tasks() && !failed; from = next()) {
                int size = (int) Math.min(plan.batch(), plan.tasks() - from);
                enqueue(millrace, size);
                count += size;
            }
            return count;
        };
    }

    private long next() {
        return begun.getAndAdd(plan.batch());
    }

    private void enqueue(Millrace millrace, int size) throws InterruptedException {
        List<NewTask> tasks = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            tasks.add(NewTask.builder(plan.topic())
                    .payload(payload)
                    .retention(new Retention(KEPT, KEPT))
                    .build());
        }
        long start = System.nanoTime();
        Flight flight = new Flight(start, new CountDownLatch(size));
        if (plan.work()) {
            tasks.forEach(task -> flights.put(task.id(), flight));
        }
        var unused = millrace.enqueue(tasks);
        enqueues.record(System.nanoTime() - start);
        if (plan.work() && !flight.left.await(LONGEST_LIFE.toSeconds(), TimeUnit.SECONDS)) {
            throw new FailedException(flight.left.getCount() + " tasks were not done within " + LONGEST_LIFE.toSeconds()
                    + " s; does another worker take tasks of " + plan.topic() + ", or is it paused?");
        }
        done.addAndGet(size);
    }
}
