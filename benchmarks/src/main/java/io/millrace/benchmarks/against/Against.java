package io.millrace.benchmarks.against;

import io.millrace.testkit.servers.DatabaseProduct;
import io.millrace.testkit.servers.OwnServer;
import io.millrace.testkit.servers.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * {@code ./bench NAME --against DIR}: the same workloads on this checkout and on another, in turns. Every measurement has a
 * store of its own, which is empty at first.
 */
public final class Against {
    /** A side is not to be called slower unless its ratio is below this for certain. */
    private static final double BOUND = 0.97;

    private static final Path SOURCES = Path.of("benchmarks", "src", "main");
    private static final Path TARGET = Path.of("benchmarks", "target");

    /**
     * How much is measured.
     *
     * @param drain tasks in one measurement of this workload, as are {@code singles} and {@code bulk}
     */
    private record Sizes(int drain, int singles, int bulk, int warmUps, int repeats) {
        int of(String workload) {
            return switch (workload) {
                case "drain" -> drain;
                case "singles" -> singles;
                default -> bulk;
            };
        }
    }

    private static final List<String> WORKLOADS = List.of("drain", "singles", "bulk");
    private static final Map<String, Sizes> SIZES = new TreeMap<>(Map.of(
            "heap", new Sizes(200_000, 200_000, 300_000, 6, 5),
            "embedded", new Sizes(150_000, 60_000, 150_000, 2, 2),
            "postgres", new Sizes(150_000, 40_000, 150_000, 2, 1),
            "mariadb", new Sizes(80_000, 30_000, 80_000, 2, 1)));

    private final String name;
    private final Sizes sizes;
    private final Path other;
    private final int rounds;
    private final List<String> jvmOptions;

    private Against(String name, Sizes sizes, Path other, int rounds, List<String> jvmOptions) {
        this.name = name;
        this.sizes = sizes;
        this.other = other;
        this.rounds = rounds;
        this.jvmOptions = jvmOptions;
    }

    /** The benchmarks that can be compared. */
    public static Set<String> names() {
        return SIZES.keySet();
    }

    public static void run(String name, Path other, boolean isLong) throws Exception {
        String options = System.getenv().getOrDefault("BENCH_JAVA_OPTS", "-Xms2g -Xmx2g");
        new Against(
                        name,
                        Objects.requireNonNull(SIZES.get(name)),
                        other,
                        isLong ? 45 : 15,
                        Arrays.asList(options.strip().split("\\s+", -1)))
                .run();
    }

    private void run() throws Exception {
        System.out.printf("benchmark  %s, this checkout against another%n", name);
        System.out.printf(
                "machine    %s %s, %d cores%n",
                System.getProperty("os.name"),
                System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors());
        System.out.printf(
                "versions   Java %s, this %s, other %s (%s)%n",
                System.getProperty("java.version"),
                Checkout.version(Path.of("").toAbsolutePath()),
                Checkout.version(other),
                other);
        System.out.printf(
                "settings   %s; %d rounds, each with two new JVMs in turns; %d measurements to warm up, then the median of %d%n%n",
                String.join(" ", jvmOptions), rounds, sizes.warmUps, sizes.repeats);
        switch (name) {
            case "heap" -> compare((side, workload) -> measure(side, workload, "heap:"));
            case "embedded" -> compare(this::onDisk);
            default -> onServer();
        }
    }

    private double measure(Side side, String workload, String url) throws IOException {
        return side.measure(workload, sizes.of(workload), url);
    }

    /** On the disk of this checkout for both. */
    private double onDisk(Side side, String workload) throws IOException {
        Path directory = Files.createTempDirectory(TARGET, "against-");
        try {
            return measure(side, workload, "embedded:" + directory.toAbsolutePath());
        } finally {
            try (Stream<Path> files = Files.walk(directory).sorted(Comparator.reverseOrder())) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private void onServer() throws Exception {
        DatabaseProduct product = name.equals("postgres") ? DatabaseProduct.POSTGRES : DatabaseProduct.MARIADB;
        try (OwnServer server = product.startOwn()) {
            compare((side, workload) -> {
                try (TestDatabase database = server.newDatabase()) {
                    String separator = database.url().contains("?") ? "&" : "?";
                    return measure(side, workload, database.url() + separator + "millraceConnections=64");
                }
            });
        }
    }

    private void compare(Contest.Measure measure) throws Exception {
        Contest contest = new Contest(rounds, sizes.warmUps, sizes.repeats, measure);
        Map<String, Contest.Figures> all = contest.run(WORKLOADS, start("this", Path.of("")), start("other", other));
        System.out.printf("%-10s %32s %32s%n", "tasks/s", "this", "other");
        all.forEach((workload, figures) ->
                System.out.printf("%-10s %32s %32s%n", workload, range(figures.ours()), range(figures.theirs())));
        System.out.println();
        all.forEach((workload, figures) ->
                System.out.println(line(workload, PairedRatio.of(figures.ours(), figures.theirs()))));
    }

    private Contest.Start start(String side, Path checkout) throws IOException {
        String classPath = Checkout.compile(SOURCES, Checkout.classPath(checkout), TARGET.resolve("against-" + side));
        return () -> Side.start(side, classPath, jvmOptions);
    }

    private String line(String workload, PairedRatio ratio) {
        return String.format(
                Locale.ROOT,
                "ratio %s.%s.against %.3f interval %.3f-%.3f bound %.2f %s",
                name,
                workload,
                ratio.estimate(),
                ratio.low(),
                ratio.high(),
                BOUND,
                ratio.holds(BOUND) ? "holds" : "slower");
    }

    private static String range(List<Double> rates) {
        return String.format(
                Locale.ROOT,
                "%,.0f (%,.0f-%,.0f)",
                Contest.median(rates),
                Collections.min(rates),
                Collections.max(rates));
    }
}
