package io.millrace.examples;

import io.millrace.Staffing;
import io.millrace.WorkQueue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Load goes up and down, and the number of workers follows. Takes 8 s. With the name of a file it draws what it has seen:
 * {@code examples/run QueueBalancing balancing.svg}.
 */
public final class QueueBalancing {
    private static final long TICK_MILLIS = 10;
    private static final int TICKS = 800;
    private static final int TICKS_PER_SAMPLE = 5;

    record Sample(double seconds, double fillRate, int active, int sleeping) {}

    private QueueBalancing() {}

    public static void main(String[] arguments) throws InterruptedException, IOException {
        WorkQueue<Long> queue = WorkQueue.<Long>builder()
                .capacity(100)
                .workers(1, 8)
                .calibrateEvery(Duration.ofMillis(100)) // a second, if nothing is said
                .sleepInterval(Duration.ofMillis(700)) // 5 s
                .handler(item -> Thread.sleep(20)) // so that a worker does 50 a second
                .build();
        List<Sample> samples;
        try (queue) {
            samples = drive(queue);
        }
        summarise(samples);
        if (arguments.length > 0) {
            Files.writeString(
                    Path.of(arguments[0]),
                    BalancingChart.draw(samples, Staffing.DEFAULT_WAKE_UP_FACTOR, Staffing.DEFAULT_SLEEP_FACTOR));
            System.out.println("drawn in " + arguments[0]);
        }
    }

    private static int itemsASecond(double second) {
        return second < 0.5 ? 20 : second < 3.5 ? 280 : second < 5.5 ? 130 : 0;
    }

    private static List<Sample> drive(WorkQueue<Long> queue) throws InterruptedException {
        List<Sample> samples = new ArrayList<>();
        long start = System.nanoTime();
        double owed = 0;
        for (int tick = 0; tick < TICKS; tick++) {
            double seconds = (System.nanoTime() - start) / 1e9;
            if (tick % TICKS_PER_SAMPLE == 0) {
                WorkQueue.Workers workers = queue.workers();
                samples.add(new Sample(seconds, queue.fillRate(), workers.active(), workers.sleeping()));
            }
            for (owed += itemsASecond(seconds) * TICK_MILLIS / 1e3; owed >= 1; owed--) {
                queue.put((long) tick); // waits if there is no room
            }
            Thread.sleep(Math.max(0, (tick + 1) * TICK_MILLIS - (System.nanoTime() - start) / 1_000_000));
        }
        return samples;
    }

    private static void summarise(List<Sample> samples) {
        Sample busiest =
                samples.stream().max(Comparator.comparingInt(Sample::active)).orElseThrow();
        Sample last = samples.get(samples.size() - 1);
        System.out.printf("at the start: %d active%n", samples.get(0).active());
        System.out.printf("at most: %d active, after %.1f s%n", busiest.active(), busiest.seconds());
        System.out.printf(
                "at the end: %d active, %d sleeping, fill rate %.2f%n",
                last.active(), last.sleeping(), last.fillRate());
    }
}
