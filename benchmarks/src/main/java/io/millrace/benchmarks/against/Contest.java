package io.millrace.benchmarks.against;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rounds of two sides. Every round has two new JVMs, since what the compiler makes of the same code differs from one to the
 * next by more than most changes do. Both live through the round, one works at a time, and they take turns at being first.
 *
 * @param warmUps measurements of every workload that do not count
 * @param repeats those that do; their median is the figure of the round
 */
record Contest(int rounds, int warmUps, int repeats, Measure measure) {
    /** Starts a side. */
    interface Start {
        Side start() throws Exception;
    }

    /** Measures one side once. */
    interface Measure {
        double rate(Side side, String workload) throws Exception;
    }

    /** Tasks a second, round by round. */
    record Figures(List<Double> ours, List<Double> theirs) {}

    /** The figures of every workload. */
    Map<String, Figures> run(List<String> workloads, Start ours, Start theirs) throws Exception {
        Map<String, Figures> all = new LinkedHashMap<>();
        workloads.forEach(workload -> all.put(workload, new Figures(new ArrayList<>(), new ArrayList<>())));
        for (int round = 0; round < rounds; round++) {
            boolean oursFirst = round % 2 == 0;
            try (Side our = ours.start();
                    Side their = theirs.start()) {
                for (Map.Entry<String, Figures> entry : all.entrySet()) {
                    List<Double> first = new ArrayList<>();
                    List<Double> second = new ArrayList<>();
                    for (int i = -warmUps; i < repeats; i++) {
                        double one = measure.rate(oursFirst ? our : their, entry.getKey());
                        double other = measure.rate(oursFirst ? their : our, entry.getKey());
                        if (i >= 0) {
                            first.add(one);
                            second.add(other);
                        }
                    }
                    entry.getValue().ours.add(median(oursFirst ? first : second));
                    entry.getValue().theirs.add(median(oursFirst ? second : first));
                }
            }
        }
        return all;
    }

    static double median(List<Double> figures) {
        List<Double> sorted = figures.stream().sorted().toList();
        int size = sorted.size();
        return (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
    }
}
