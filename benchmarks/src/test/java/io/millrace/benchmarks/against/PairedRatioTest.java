package io.millrace.benchmarks.against;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PairedRatioTest {
    /** Figures of the other side for which the ratios are 1.01, 1.02, … */
    private static PairedRatio rising(int rounds) {
        List<Double> ours =
                IntStream.rangeClosed(1, rounds).mapToObj(i -> 100.0 + i).toList();
        List<Double> theirs = Collections.nCopies(rounds, 100.0);
        return PairedRatio.of(ours, theirs);
    }

    @Test
    void the_ranks_are_those_of_the_published_tables() {
        // critical values of the signed-rank test at 0.05, two-sided
        assertThat(PairedRatio.criticalSum(6)).isZero();
        assertThat(PairedRatio.criticalSum(10)).isEqualTo(8);
        assertThat(PairedRatio.criticalSum(15)).isEqualTo(25);
        assertThat(PairedRatio.criticalSum(20)).isEqualTo(52);
        assertThat(PairedRatio.criticalSum(30)).isEqualTo(137);
    }

    @Test
    void the_estimate_is_the_middle_of_symmetric_ratios() {
        PairedRatio ratio = rising(15);
        assertThat(ratio.estimate()).isCloseTo(1.08, within(0.001));
        assertThat(ratio.low()).isBetween(1.01, 1.08);
        assertThat(ratio.high()).isBetween(1.08, 1.15);
    }

    @Test
    void equal_sides_have_the_ratio_one() {
        List<Double> figures = List.of(5.0, 9.0, 7.0, 6.0, 8.0, 5.0);
        PairedRatio ratio = PairedRatio.of(figures, figures);
        assertThat(ratio.estimate()).isEqualTo(1);
        assertThat(ratio.low()).isEqualTo(1);
        assertThat(ratio.high()).isEqualTo(1);
    }

    @Test
    void the_interval_covers_the_true_ratio_in_95_of_100_comparisons() {
        Random random = new Random(4711);
        int covered = 0;
        int comparisons = 4_000;
        for (int i = 0; i < comparisons; i++) {
            List<Double> ours = new ArrayList<>();
            List<Double> theirs = new ArrayList<>();
            for (int j = 0; j < 15; j++) {
                // what disturbs a machine slows both sides down, now and then by much
                double disturbed = random.nextInt(5) == 0 ? 0.5 : 1;
                ours.add(0.9 * disturbed * Math.exp(random.nextGaussian() / 10));
                theirs.add(disturbed * Math.exp(random.nextGaussian() / 10));
            }
            PairedRatio ratio = PairedRatio.of(ours, theirs);
            covered += ratio.low() <= 0.9 && 0.9 <= ratio.high() ? 1 : 0;
        }
        assertThat((double) covered / comparisons).isBetween(0.94, 0.965);
    }

    @Test
    void a_bound_holds_unless_the_interval_lies_below_it() {
        PairedRatio ratio = rising(15);
        assertThat(ratio.holds(ratio.high())).isTrue();
        assertThat(ratio.holds(ratio.high() + 0.001)).isFalse();
        assertThat(ratio.holds(0.97)).isTrue();
    }

    @Test
    void fewer_than_six_rounds_have_no_interval() {
        assertThatThrownBy(() -> rising(5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("6");
    }
}
