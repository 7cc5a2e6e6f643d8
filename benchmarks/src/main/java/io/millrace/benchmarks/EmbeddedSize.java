package io.millrace.benchmarks;

import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.Retention;
import io.millrace.TaskQuery;
import io.millrace.TopicPolicy;
import io.millrace.embedded.EmbeddedProvider;
import io.millrace.spi.TaskStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** What the embedded store needs: time to open, memory for what is pending, disk for what passes through. */
final class EmbeddedSize {
    private static final int PENDING = 1_000_000;
    private static final int PAYLOAD_BYTES = 200;
    private static final int MOST_PENDING = 10_000;

    private final Report report;
    private final Scratch scratch;

    EmbeddedSize(Report report, Scratch scratch) {
        this.report = report;
        this.scratch = scratch;
    }

    void run(boolean isLong) throws Exception {
        restart();
        through(isLong ? 10_000_000 : 500_000);
    }

    private void restart() throws IOException {
        report.step("restart with " + PENDING + " pending tasks");
        Path directory = scratch.fresh();
        fill(directory);
        long before = usedHeap();
        long start = System.nanoTime();
        try (TaskStore store = open(directory)) {
            double seconds = (System.nanoTime() - start) / 1e9;
            double bytes = (double) (usedHeap() - before) / PENDING - PAYLOAD_BYTES;
            if (store.count(TaskQuery.ALL).get(0).count() != PENDING) {
                throw new IllegalStateException("tasks are missing");
            }
            report.row("restart with 1,000,000 pending", String.format(Locale.ROOT, "%.1f s", seconds), "");
            report.ratio("embedded.restart.seconds", seconds, "<10");
            report.row("heap for a pending task, beyond payload", String.format(Locale.ROOT, "%.0f bytes", bytes), "");
            report.ratio("embedded.heap.bytes-per-task", bytes, "<=500");
        } finally {
            Scratch.delete(directory);
        }
    }

    /** Apart, so that no frame of the caller's keeps the store. */
    private static void fill(Path directory) {
        try (TaskStore store = open(directory)) {
            EmbeddedBenchmark.fill(store, PENDING);
        }
    }

    private static TaskStore open(Path directory) {
        return new EmbeddedProvider().open("embedded:" + directory, MillraceOptions.DEFAULT.clock());
    }

    private static long usedHeap() {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** So many tasks pass through, with few of them there at any time. */
    private void through(int tasks) throws Exception {
        report.step(String.format(Locale.ROOT, "%,d tasks through, at most %,d pending", tasks, MOST_PENDING));
        Path directory = scratch.fresh();
        AtomicLong mostBytes = new AtomicLong();
        AtomicBoolean over = new AtomicBoolean();
        long start = System.nanoTime();
        try (Millrace millrace = Millrace.open("embedded:" + directory)) {
            Thread watch = new Thread(() -> watch(directory, mostBytes, over));
            watch.start();
            pass(millrace, tasks);
            over.set(true);
            watch.join();
        } finally {
            Scratch.delete(directory);
        }
        double rate = tasks * 1e9 / (System.nanoTime() - start);
        String what = String.format(Locale.ROOT, "%,d through, <= %,d pending", tasks, MOST_PENDING);
        report.row(what, String.format(Locale.ROOT, "%,.0f /s", rate), "");
        report.row("  most disk", String.format(Locale.ROOT, "%,d MiB", mostBytes.get() >> 20), "");
        report.ratio("embedded.disk.gib", mostBytes.get() / (double) (1 << 30), "<1");
    }

    private static void pass(Millrace millrace, int tasks) throws InterruptedException {
        Semaphore room = new Semaphore(MOST_PENDING);
        TopicPolicy policy = TopicPolicy.builder()
                .retention(new Retention(Duration.ZERO, Duration.ZERO))
                .build();
        millrace.topics().setPolicy("bench", policy);
        millrace.handle("bench", (payload, context) -> room.release());
        List<NewTask> together = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            room.acquire();
            together.add(NewTask.builder("bench")
                    .payload(Payload.bytes(new byte[PAYLOAD_BYTES]))
                    .build());
            if (together.size() == 1_000 || i == tasks - 1) {
                millrace.enqueue(together);
                together.clear();
            }
        }
        millrace.drain();
    }

    private static void watch(Path directory, AtomicLong most, AtomicBoolean over) {
        try {
            while (!over.get()) {
                most.accumulateAndGet(Scratch.bytes(directory), Math::max);
                Thread.sleep(20);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
