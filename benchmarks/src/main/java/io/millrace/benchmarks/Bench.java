package io.millrace.benchmarks;

import io.millrace.benchmarks.against.Against;
import io.millrace.testkit.servers.DatabaseProduct;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** {@code ./bench} lists the benchmarks, {@code ./bench NAME [--long]} runs one, with
 * {@code --against DIR} beside another checkout. */
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
        List<String> words = new ArrayList<>(List.of(arguments));
        if (words.isEmpty()) {
            System.out.println("usage: ./bench NAME [--long] [--against DIR]");
            ALL.forEach((name, any) -> System.out.printf("  %-10s %s%n", name, any.about()));
            System.out.println("with --against DIR, another checkout: " + String.join(", ", Against.names()));
            return;
        }
        boolean isLong = words.remove("--long");
        int against = words.indexOf("--against");
        if (against >= 0 && against + 1 < words.size()) {
            words.remove(against);
            Path other = Path.of(words.remove(against));
            if (words.size() == 1 && Against.names().contains(words.get(0))) {
                Against.run(words.get(0), other, isLong);
                return;
            }
            refuse("with --against, give one of " + Against.names(), arguments);
        }
        Benchmark benchmark = words.size() == 1 ? ALL.get(words.get(0)) : null;
        if (benchmark == null) {
            refuse("give one of " + ALL.keySet() + ", and --long, --against DIR or nothing", arguments);
            return;
        }
        Report report = new Report(words.get(0), isLong);
        benchmark.run(report, isLong);
        report.print();
    }

    private static void refuse(String what, String[] arguments) {
        System.err.println("bench: " + what + "; not " + String.join(" ", arguments));
        System.exit(2);
    }
}
