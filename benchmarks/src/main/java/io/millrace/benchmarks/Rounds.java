package io.millrace.benchmarks;

import java.util.Arrays;
import java.util.Locale;

/** Measures two things in turns, so that what disturbs the machine disturbs both; the median of the rounds counts. */
final class Rounds {
    private final double[] ours;
    private final double[] theirs;

    private Rounds(int count) {
        ours = new double[count];
        theirs = new double[count];
    }

    /** One round; returns the figure measured. */
    interface Round {
        double run() throws Exception;
    }

    static Rounds measure(int warmups, int count, Round our, Round their) throws Exception {
        for (int i = 0; i < warmups; i++) {
            our.run();
            their.run();
        }
        Rounds rounds = new Rounds(count);
        for (int i = 0; i < count; i++) {
            rounds.ours[i] = our.run();
            rounds.theirs[i] = their.run();
        }
        return rounds;
    }

    double ours() {
        return median(ours);
    }

    double theirs() {
        return median(theirs);
    }

    double ratio() {
        double[] ratios = new double[ours.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = ours[i] / theirs[i];
        }
        return median(ratios);
    }

    String ourRange(String unit) {
        return range(ours, unit);
    }

    String theirRange(String unit) {
        return range(theirs, unit);
    }

    private static String range(double[] values, String unit) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return String.format(
                Locale.ROOT, "%,.0f (%,.0f-%,.0f) %s", median(values), sorted[0], sorted[sorted.length - 1], unit);
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
