package io.millrace.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.heap.HeapStore;
import io.millrace.internal.SystemClock;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.FromTopic;
import io.millrace.spi.Completion;
import io.millrace.spi.Ending;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry.Introduction;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The engine over the heap store, beside a plain ThreadPoolExecutor that is given the same calls. */
final class HeapBenchmark implements Bench.Benchmark {
    private static final int WORKERS = 2;
    private static final Payload PAYLOAD = Payload.bytes(new byte[200]);

    @Override
    public String about() {
        return "the engine on the heap store beside a ThreadPoolExecutor: throughput, latency, claims, idle cost";
    }

    @Override
    public void run(Report report, boolean isLong) throws Exception {
        int tasks = isLong ? 500_000 : 200_000;
        int rounds = isLong ? 11 : 5;
        report.setting(
                "settings",
                WORKERS + " worker threads, 1 producer, payload 200 bytes, " + tasks
                        + " tasks a round, finished tasks retained, " + rounds
                        + " rounds in turns, median (least-most)");
        through(report, tasks, rounds);
        enqueueAlone(report, tasks, rounds);
        latency(report, isLong ? 20_000 : 3_000);
        claims(report, isLong ? 2_000 : 300);
        idle(report, Duration.ofSeconds(isLong ? 30 : 5));
    }

    private static Millrace open() {
        return Millrace.open(
                "heap:",
                MillraceOptions.builder().workers(WORKERS).virtualThreads(false).build());
    }

    private static ThreadPoolExecutor pool() {
        return new ThreadPoolExecutor(WORKERS, WORKERS, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
    }

    private static NewTask task() {
        return NewTask.builder("bench").payload(PAYLOAD).build();
    }

    private static double perSecond(int count, long startNanos) {
        return count * 1e9 / (System.nanoTime() - startNanos);
    }

    private void through(Report report, int tasks, int rounds) throws Exception {
        report.step("enqueue -> handler -> completed, one by one");
        Rounds one = Rounds.measure(3, rounds, () -> engineThrough(tasks, 1), () -> poolThrough(tasks));
        report.row("enqueue -> handler -> completed, one by one", one.ourRange("/s"), one.theirRange("/s"));
        report.ratio("heap.through.single", one.ratio(), "-");
        report.step("enqueue -> handler -> completed, 100 a call");
        Rounds hundred = Rounds.measure(1, rounds, () -> engineThrough(tasks, 100), () -> poolThrough(tasks));
        report.row("enqueue -> handler -> completed, 100 a call", hundred.ourRange("/s"), hundred.theirRange("/s"));
        report.ratio("heap.through.batch100", hundred.ratio(), "-");
    }

    private static double engineThrough(int tasks, int batch) throws Exception {
        try (Millrace millrace = open()) {
            CountDownLatch left = new CountDownLatch(tasks);
            millrace.handle("bench", (payload, context) -> left.countDown());
            long start = System.nanoTime();
            enqueue(millrace, tasks, batch);
            left.await();
            millrace.drain();
            return perSecond(tasks, start);
        }
    }

    private static void enqueue(Millrace millrace, int tasks, int batch) {
        for (int i = 0; i < tasks; i += batch) {
            if (batch == 1) {
                millrace.enqueue(task());
                continue;
            }
            List<NewTask> together = new ArrayList<>(batch);
            for (int j = 0; j < batch; j++) {
                together.add(task());
            }
            millrace.enqueue(together);
        }
    }

    private static double poolThrough(int tasks) throws Exception {
        ThreadPoolExecutor pool = pool();
        CountDownLatch left = new CountDownLatch(tasks);
        long start = System.nanoTime();
        for (int i = 0; i < tasks; i++) {
            pool.execute(left::countDown);
        }
        left.await();
        double rate = perSecond(tasks, start);
        pool.shutdown();
        return rate;
    }

    private void enqueueAlone(Report report, int tasks, int rounds) throws Exception {
        report.step("enqueue alone");
        Rounds alone = Rounds.measure(2, rounds, () -> engineEnqueue(tasks, 1), () -> poolEnqueue(tasks));
        report.row("enqueue alone, one by one", alone.ourRange("/s"), alone.theirRange("/s"));
        report.ratio("heap.enqueue.single", alone.ratio(), "-");
        Rounds hundred = Rounds.measure(1, rounds, () -> engineEnqueue(tasks, 100), () -> poolEnqueue(tasks));
        report.row("enqueue alone, 100 a call", hundred.ourRange("/s"), hundred.theirRange("/s"));
        report.ratio("heap.enqueue.batch100", hundred.ratio(), "-");
    }

    private static double engineEnqueue(int tasks, int batch) {
        try (Millrace millrace = open()) {
            long start = System.nanoTime();
            enqueue(millrace, tasks, batch);
            return perSecond(tasks, start);
        }
    }

    private static double poolEnqueue(int tasks) {
        ThreadPoolExecutor pool = pool();
        CountDownLatch gate = new CountDownLatch(1);
        for (int i = 0; i < WORKERS; i++) {
            pool.execute(() -> awaitQuietly(gate));
        }
        long start = System.nanoTime();
        for (int i = 0; i < tasks; i++) {
            pool.execute(() -> {});
        }
        double rate = perSecond(tasks, start);
        pool.shutdownNow();
        gate.countDown();
        return rate;
    }

    private static void awaitQuietly(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void latency(Report report, int samples) throws Exception {
        report.step("latency from enqueue to start, idle");
        Histogram ours = new Histogram(3);
        Histogram theirs = new Histogram(3);
        long[] started = new long[1];
        Semaphore done = new Semaphore(0);
        ThreadPoolExecutor pool = pool();
        pool.prestartAllCoreThreads();
        try (Millrace millrace = open()) {
            millrace.handle("bench", (payload, context) -> {
                started[0] = System.nanoTime();
                done.release();
            });
            for (int i = -samples / 4; i < samples; i++) {
                long ourNanos = once(() -> millrace.enqueue(task()), started, done);
                long theirNanos = once(
                        () -> pool.execute(() -> {
                            started[0] = System.nanoTime();
                            done.release();
                        }),
                        started,
                        done);
                if (i >= 0) {
                    ours.recordValue(ourNanos);
                    theirs.recordValue(theirNanos);
                }
            }
        }
        pool.shutdown();
        report.row("latency enqueue -> start, idle, p50", micros(ours, 50), micros(theirs, 50));
        report.row("latency enqueue -> start, idle, p99", micros(ours, 99), micros(theirs, 99));
        report.ratio("heap.latency.p50", (double) ours.getValueAtPercentile(50) / theirs.getValueAtPercentile(50), "-");
    }

    /** A pause before each sample lets the workers go to sleep: the latency of an idle system is wanted. */
    private static long once(Runnable enqueue, long[] started, Semaphore done) throws InterruptedException {
        TimeUnit.MICROSECONDS.sleep(200);
        long start = System.nanoTime();
        enqueue.run();
        done.acquire();
        return Math.max(0, started[0] - start);
    }

    private static String micros(Histogram histogram, double percentile) {
        return String.format(Locale.ROOT, "%.1f us", histogram.getValueAtPercentile(percentile) / 1e3);
    }

    /** A claim of 100 with a million tasks ready, and with a thousand. */
    private void claims(Report report, int claimsPerRound) throws Exception {
        report.step("claim of 100 with a million and with a thousand ready tasks");
        System.gc();
        try (TaskStore large = filled(1_000_000);
                TaskStore small = filled(1_000)) {
            UUID forLarge = large.workers().register(Introduction.ANONYMOUS, Duration.ofHours(1));
            UUID forSmall = small.workers().register(Introduction.ANONYMOUS, Duration.ofHours(1));
            Rounds rounds = Rounds.measure(
                    5,
                    11,
                    () -> claimAndRefill(large, forLarge, claimsPerRound),
                    () -> claimAndRefill(small, forSmall, claimsPerRound));
            report.row("claim of 100: 1,000,000 | 1,000 ready", rounds.ourRange("ns"), rounds.theirRange("ns"));
            report.ratio("heap.claim100.million-vs-thousand", rounds.ratio(), "<=2.0");
        }
    }

    private static TaskStore filled(int tasks) {
        TaskStore store = new HeapStore(SystemClock.shared());
        for (int i = 0; i < tasks; i++) {
            store.enqueue(List.of(EnqueueRequest.of(NewTask.builder("bench")
                    .payload(Payload.EMPTY)
                    .priority(i % 4)
                    .build())));
        }
        return store;
    }

    private static double claimAndRefill(TaskStore store, UUID worker, int claims) {
        FromTopic from = new FromTopic("bench", 100, TopicPolicy.DEFAULT);
        Next gone = Next.Finish.as(TaskState.SUCCEEDED, Duration.ZERO);
        double[] nanos = new double[claims];
        for (int i = 0; i < claims; i++) {
            long start = System.nanoTime();
            List<LeasedTask> leased = store.claim(List.of(new ClaimRequest(worker, List.of(from), 100)))
                    .get(0)
                    .tasks();
            nanos[i] = System.nanoTime() - start;
            store.complete(leased.stream()
                    .map(task -> new Completion(task.lease(), Ending.Succeeded.PLAIN.outcome(), null, gone, gone))
                    .toList());
            for (LeasedTask task : leased) {
                store.enqueue(List.of(EnqueueRequest.of(NewTask.builder("bench")
                        .priority(task.task().given().priority())
                        .build())));
            }
        }
        // the median: a pause of the collector falls on a few claims and says nothing about the others
        return Rounds.median(nanos);
    }

    private void idle(Report report, Duration time) throws Exception {
        report.step("CPU of an idle engine over " + time.toSeconds() + " s");
        try (Millrace millrace = open()) {
            millrace.handle("bench", (payload, context) -> {});
            millrace.enqueue(task());
            millrace.drain();
            var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            // what the rounds before left behind, garbage and code to compile, is not the engine's idleness
            System.gc();
            Thread.sleep(3_000);
            long before = system.getProcessCpuTime();
            Thread.sleep(time.toMillis());
            double percent = (system.getProcessCpuTime() - before) * 100.0 / time.toNanos();
            report.row("CPU when idle, of one core", String.format(Locale.ROOT, "%.2f %%", percent), "");
            report.ratio("heap.idle.cpu-percent", percent, "<=1.0");
        }
    }
}
