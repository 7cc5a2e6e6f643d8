package io.millrace.benchmarks;

import io.millrace.testkit.servers.DatabaseProduct;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** {@code ./bench} lists the benchmarks, {@code ./bench NAME [--long]} runs one. */
public final class Bench {
    /** One benchmark. */
    interface Benchmark {
        String about();

        void run(Report report, boolean isLong) throws Exception;
    }

    private static final Map<String, Benchmark> ALL = new TreeMap<>(Map.of(
            "embedded",
            new EmbeddedBenchmark(),
            "heap",
            new HeapBenchmark(),
            "http",
            new HttpBenchmark(),
            "mariadb",
            new SqlBenchmark(DatabaseProduct.MARIADB),
            "postgres",
            new SqlBenchmark(DatabaseProduct.POSTGRES),
            "workqueue",
            new WorkQueueBenchmark()));

    private Bench() {}

    public static void main(String[] arguments) throws Exception {
        List<String> names =
                Arrays.stream(arguments).filter(word -> !word.startsWith("--")).toList();
        List<String> flags =
                Arrays.stream(arguments).filter(word -> word.startsWith("--")).toList();
        if (names.isEmpty() && flags.isEmpty()) {
            System.out.println("usage: ./bench NAME [--long]");
            ALL.forEach((name, any) -> System.out.printf("  %-10s %s%n", name, any.about()));
            return;
        }
        Benchmark benchmark = names.size() == 1 ? ALL.get(names.get(0)) : null;
        if (benchmark == null || !List.of("--long").containsAll(flags)) {
            System.err.println("bench: give one of " + ALL.keySet() + ", and --long or nothing; not "
                    + String.join(" ", arguments));
            System.exit(2);
            return;
        }
        boolean isLong = flags.contains("--long");
        Report report = new Report(names.get(0), isLong);
        benchmark.run(report, isLong);
        report.print();
    }
}
