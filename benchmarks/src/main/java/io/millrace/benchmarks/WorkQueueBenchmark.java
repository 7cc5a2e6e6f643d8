package io.millrace.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.millrace.Qos;
import io.millrace.WorkQueue;
import io.millrace.WorkQueueBuilder;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;

/** The in-process queue beside a ThreadPoolExecutor with an ArrayBlockingQueue, both with a handler that does nothing. */
final class WorkQueueBenchmark implements Bench.Benchmark {
    private static final int CAPACITY = 1 << 16;
    private static final int[][] PRODUCERS_AND_WORKERS = {{1, 2}, {4, 2}, {4, 4}};

    /** The item that is put again and again. */
    enum Nothing implements Runnable {
        TO_DO;

        @Override
        public void run() {}
    }

    @Override
    public String about() {
        return "the in-process queue beside a ThreadPoolExecutor: throughput, QoS, streams, latency, allocation, idle cost";
    }

    @Override
    public void run(Report report, boolean isLong) throws Exception {
        int items = isLong ? 8_000_000 : 4_000_000;
        int rounds = isLong ? 21 : 9;
        report.setting(
                "settings",
                "capacity " + CAPACITY + ", " + items + " items a round, producers wait for room, " + rounds
                        + " rounds in turns, median (least-most); peer: ThreadPoolExecutor + ArrayBlockingQueue");
        for (int[] setup : PRODUCERS_AND_WORKERS) {
            through(
                    report,
                    "plain",
                    "plain",
                    ">=1.0 (aim 2.0)",
                    setup,
                    items,
                    rounds,
                    builder -> builder.capacity(CAPACITY));
        }
        for (int[] setup : PRODUCERS_AND_WORKERS) {
            through(report, "WRR over three sub-queues", "wrr", ">=0.5", setup, items, rounds, WorkQueueBenchmark::wrr);
        }
        for (int streams : new int[] {2, 4}) {
            through(
                    report,
                    streams + " streams",
                    "streams" + streams,
                    "-",
                    new int[] {4, 4},
                    items,
                    rounds,
                    builder -> builder.capacity(CAPACITY).streams(streams));
        }
        latency(report, isLong ? 20_000 : 3_000);
        report.step("bytes allocated per item, by the GC profiler of JMH");
        double bytes = AllocationBenchmark.bytesPerItem();
        report.row("allocated per item, plain", String.format(Locale.ROOT, "%.3f B", bytes), "-");
        report.ratio("workqueue.allocation", bytes, "<0.1");
        idle(report, isLong ? 30 : 5);
    }

    private static WorkQueueBuilder<Runnable> wrr(WorkQueueBuilder<Runnable> builder) {
        int[] next = new int[1];
        return builder.qos(Qos.<Runnable>weightedRoundRobin()
                .lane("high", CAPACITY / 4, 1, 4)
                .lane("middle", CAPACITY / 4, 1, 2)
                .lane("low", CAPACITY / 2, 1, 1)
                // a race on the counter does no harm: it only spreads items
                .priority((item, weight) -> (next[0]++ & 0x7FFF) % 101));
    }

    private void through(
            Report report,
            String what,
            String key,
            String goal,
            int[] setup,
            int items,
            int rounds,
            UnaryOperator<WorkQueueBuilder<Runnable>> settings)
            throws Exception {
        int producers = setup[0];
        int workers = setup[1];
        String label = what + ", " + producers + " producers, " + workers + " workers";
        report.step(label);
        Rounds measured = Rounds.measure(
                2,
                rounds,
                () -> queueThrough(producers, workers, items, settings),
                () -> poolThrough(producers, workers, items));
        report.row(label, measured.ourRange("/s"), measured.theirRange("/s"));
        report.ratio("workqueue." + key + "." + producers + "p" + workers + "w", measured.ratio(), goal);
    }

    private static double queueThrough(
            int producers, int workers, int items, UnaryOperator<WorkQueueBuilder<Runnable>> settings)
            throws Exception {
        WorkQueue<Runnable> queue = settings.apply(WorkQueue.<Runnable>builder())
                .workers(workers)
                .handler(Runnable::run)
                .build();
        long start = System.nanoTime();
        produce(producers, items, () -> queue.put(Nothing.TO_DO));
        queue.close();
        return items * 1e9 / (System.nanoTime() - start);
    }

    private static double poolThrough(int producers, int workers, int items) throws Exception {
        ThreadPoolExecutor pool = pool(workers);
        long start = System.nanoTime();
        produce(producers, items, () -> pool.execute(Nothing.TO_DO));
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
        return items * 1e9 / (System.nanoTime() - start);
    }

    private static ThreadPoolExecutor pool(int workers) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                workers,
                workers,
                1,
                TimeUnit.MINUTES,
                new ArrayBlockingQueue<>(CAPACITY),
                (task, full) -> putUninterruptibly(full, task));
        pool.prestartAllCoreThreads();
        return pool;
    }

    private static void putUninterruptibly(ThreadPoolExecutor full, Runnable task) {
        try {
            full.getQueue().put(task);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Put {
        void one() throws InterruptedException;
    }

    private static void produce(int producers, int items, Put put) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < producers; i++) {
            Thread thread = new Thread(() -> {
                try {
                    for (int j = 0; j < items / producers; j++) {
                        put.one();
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** From put to handler, with a pause before each item, so that all workers are parked. */
    private void latency(Report report, int samples) throws Exception {
        report.step("latency from put to handler on an idle queue");
        Histogram ours = new Histogram(3);
        Histogram theirs = new Histogram(3);
        ThreadPoolExecutor pool = pool(2);
        Semaphore handled = new Semaphore(0);
        long[] began = new long[1];
        Histogram[] into = {new Histogram(3)};
        Runnable measure = () -> {
            into[0].recordValue(System.nanoTime() - began[0]);
            handled.release();
        };
        try (WorkQueue<Runnable> queue = WorkQueue.<Runnable>builder()
                .capacity(CAPACITY)
                .workers(2)
                .handler(Runnable::run)
                .build()) {
            for (int i = -samples / 10; i < samples; i++) {
                into[0] = i < 0 ? new Histogram(3) : ours;
                oneLatency(began, handled, () -> queue.put(measure));
                into[0] = i < 0 ? new Histogram(3) : theirs;
                oneLatency(began, handled, () -> pool.execute(measure));
            }
        } finally {
            pool.shutdown();
        }
        for (double percentile : new double[] {50, 99}) {
            long our = ours.getValueAtPercentile(percentile);
            long their = theirs.getValueAtPercentile(percentile);
            String name = String.format(Locale.ROOT, "p%.0f", percentile);
            report.row(
                    "put -> handler, idle, " + name,
                    String.format(Locale.ROOT, "%.1f us", our / 1e3),
                    String.format(Locale.ROOT, "%.1f us", their / 1e3));
            report.ratio("workqueue.latency." + name, (double) our / their, "-");
        }
    }

    private static void oneLatency(long[] began, Semaphore handled, Put put) throws InterruptedException {
        Thread.sleep(1);
        began[0] = System.nanoTime();
        put.one();
        handled.acquire();
    }

    private void idle(Report report, int seconds) throws Exception {
        report.step("CPU of an idle queue with balanced workers");
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        CountDownLatch ready = new CountDownLatch(1);
        try (WorkQueue<Runnable> queue = WorkQueue.<Runnable>builder()
                .capacity(CAPACITY)
                .workers(2, 8)
                .handler(Runnable::run)
                .build()) {
            queue.put(ready::countDown);
            ready.await();
            Thread.sleep(1_000);
            long before = system.getProcessCpuTime();
            Thread.sleep(seconds * 1_000L);
            double percent = (system.getProcessCpuTime() - before) / 1e7 / seconds;
            report.row("CPU of an idle queue", String.format(Locale.ROOT, "%.2f %%", percent), "-");
            report.ratio("workqueue.idle.percent", percent, "<=1.0");
        }
    }
}
