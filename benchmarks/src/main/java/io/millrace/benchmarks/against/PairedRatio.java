package io.millrace.benchmarks.against;

import java.util.Arrays;
import java.util.List;

/**
 * The ratio of figures measured in pairs, with a confidence interval of 95 %.
 *
 * <p>The estimate is that of Hodges and Lehmann on the logarithms of the pairs' ratios: the median of the means of every two
 * of them, each also with itself. The interval is that of Wilcoxon's signed-rank test, whose distribution is exact for any
 * number of rounds. It asks that these logarithms are distributed symmetrically around the true one, and nothing else;
 * they are where both sides are disturbed alike, since a pair's logarithm is the difference of two such disturbances. One
 * round that goes wrong moves neither much.
 */
record PairedRatio(double estimate, double low, double high) {
    private static final int FEWEST = 6;
    private static final double TAIL = 0.025;

    static PairedRatio of(List<Double> ours, List<Double> theirs) {
        int rounds = ours.size();
        if (rounds < FEWEST || theirs.size() != rounds) {
            throw new IllegalArgumentException("an interval needs at least " + FEWEST + " pairs, and there are "
                    + rounds + " and " + theirs.size() + " figures");
        }
        double[] logarithms = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            logarithms[i] = Math.log(ours.get(i) / theirs.get(i));
        }
        double[] means = new double[rounds * (rounds + 1) / 2];
        int count = 0;
        for (int i = 0; i < rounds; i++) {
            for (int j = i; j < rounds; j++) {
                means[count++] = (logarithms[i] + logarithms[j]) / 2;
            }
        }
        Arrays.sort(means);
        int outside = criticalSum(rounds);
        double middle = (means[(count - 1) / 2] + means[count / 2]) / 2;
        return new PairedRatio(Math.exp(middle), Math.exp(means[outside]), Math.exp(means[count - 1 - outside]));
    }

    /** The largest sum of ranks that the test rejects: so many means are left out at either end. */
    static int criticalSum(int rounds) {
        int largest = rounds * (rounds + 1) / 2;
        // how probable it is that a random choice of the ranks 1..rounds has a sum
        double[] probability = new double[largest + 1];
        probability[0] = 1;
        for (int rank = 1; rank <= rounds; rank++) {
            for (int sum = largest; sum >= 0; sum--) {
                double with = sum >= rank ? probability[sum - rank] : 0;
                probability[sum] = (probability[sum] + with) / 2;
            }
        }
        double below = 0;
        int sum = 0;
        while (below + probability[sum] <= TAIL) {
            below += probability[sum++];
        }
        return sum - 1;
    }

    /** Whether the interval leaves it open that the true ratio is at least this. */
    boolean holds(double bound) {
        return high >= bound;
    }
}
