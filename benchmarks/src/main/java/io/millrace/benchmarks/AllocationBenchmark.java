package io.millrace.benchmarks;

import io.millrace.WorkQueue;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** What the plain path of an item allocates, over all threads. */
@State(Scope.Benchmark)
public class AllocationBenchmark {
    private static final int ITEMS = 100_000;

    private @Nullable WorkQueue<Runnable> queue;

    @Setup
    public void open() {
        queue = WorkQueue.<Runnable>builder()
                .capacity(1 << 16)
                .workers(2)
                .handler(Runnable::run)
                .build();
    }

    @TearDown
    public void close() {
        if (queue != null) {
            queue.close();
        }
    }

    @Benchmark
    @OperationsPerInvocation(ITEMS)
    public void put() throws InterruptedException {
        WorkQueue<Runnable> open = queue;
        for (int i = 0; open != null && i < ITEMS; i++) {
            open.put(WorkQueueBenchmark.Nothing.TO_DO);
        }
    }

    static double bytesPerItem() throws RunnerException {
        Options options = new OptionsBuilder()
                .include(AllocationBenchmark.class.getName())
                .addProfiler(GCProfiler.class)
                .forks(0)
                .warmupIterations(3)
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(3)
                .measurementTime(TimeValue.seconds(1))
                .verbosity(VerboseMode.SILENT)
                .build();
        Collection<RunResult> results = new Runner(options).run();
        Map<String, ?> secondary = results.iterator().next().getSecondaryResults();
        return ((Result<?>) Objects.requireNonNull(secondary.get("gc.alloc.rate.norm"))).getScore();
    }
}
