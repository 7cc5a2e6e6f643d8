package io.millrace.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a benchmark prints: the machine, a table, and one line for every ratio that is claimed. */
final class Report {
    private final List<String[]> rows = new ArrayList<>();
    private final List<String> ratios = new ArrayList<>();

    Report(String name, boolean isLong) {
        Runtime runtime = Runtime.getRuntime();
        System.out.printf("benchmark  %s%s%n", name, isLong ? " --long" : "");
        System.out.printf(
                "machine    %s %s, %d cores, %d MiB heap%n",
                System.getProperty("os.name"),
                System.getProperty("os.arch"),
                runtime.availableProcessors(),
                runtime.maxMemory() >> 20);
        System.out.printf(
                "versions   Java %s (%s), Millrace %s%n",
                System.getProperty("java.version"), System.getProperty("java.vm.name"), version());
    }

    private static String version() {
        String version = Report.class.getPackage().getImplementationVersion();
        return version == null ? "of this checkout" : version;
    }

    void setting(String name, Object value) {
        System.out.printf("%-10s %s%n", name, value);
    }

    /** Tells what is being done, for those who wait. */
    void step(String what) {
        System.err.println("... " + what);
    }

    void row(String what, String millrace, String peer) {
        rows.add(new String[] {what, millrace, peer});
    }

    /** The goal with its direction, such as {@code <=2.0}; a dash where none was set. */
    void ratio(String name, double value, String goal) {
        ratios.add(String.format(Locale.ROOT, "ratio %s %.3g goal %s", name, value, goal));
    }

    void print() {
        System.out.println();
        System.out.printf("%-44s %22s %22s%n", "", "Millrace", "peer");
        for (String[] row : rows) {
            System.out.printf("%-44s %22s %22s%n", row[0], row[1], row[2]);
        }
        System.out.println();
        ratios.forEach(System.out::println);
    }
}
