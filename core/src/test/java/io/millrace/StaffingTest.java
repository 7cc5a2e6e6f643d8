package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StaffingTest {
    private static final String WORKERS = "it must be between 1 and 1000000";
    private static final String FACTOR = "it must be between 0 and 0.999999";
    private static final Staffing PLAIN = Staffing.between(1, 2);

    @Test
    void between_takes_the_default_factors() {
        assertThat(Staffing.between(5, 10).wakeUpFactor()).isEqualTo(0.75);
        assertThat(Staffing.between(5, 10).sleepFactor()).isEqualTo(0.5);
        assertThat(Staffing.DEFAULT_WAKE_UP_FACTOR).isEqualTo(0.75);
        assertThat(Staffing.DEFAULT_SLEEP_FACTOR).isEqualTo(0.5);
    }

    @Test
    void fixed_has_one_number() {
        assertThat(Staffing.fixed(7)).isEqualTo(Staffing.between(7, 7));
    }

    @Test
    void each_factor_is_set_without_touching_the_rest() {
        Staffing late = Staffing.between(5, 10).wakeUpFactor(0.9);
        assertThat(late).hasToString("Staffing[min=5, max=10, wakeUpFactor=0.9]");
        assertThat(late.sleepFactor()).isEqualTo(0.5);
        Staffing patient = Staffing.between(5, 10).sleepFactor(0.1);
        assertThat(patient).hasToString("Staffing[min=5, max=10, sleepFactor=0.1]");
        assertThat(patient.wakeUpFactor()).isEqualTo(0.75);
        assertThat(late).isNotEqualTo(patient).isEqualTo(Staffing.between(5, 10).wakeUpFactor(0.9));
        assertThat(late).hasSameHashCodeAs(Staffing.between(5, 10).wakeUpFactor(0.9));
    }

    @Test
    void factors_that_are_not_set_are_those_of_the_base() {
        Staffing base = Staffing.between(1, 2).sleepFactor(0.1).wakeUpFactor(0.3);
        assertThat(Staffing.between(5, 10).over(base))
                .isEqualTo(Staffing.between(5, 10).sleepFactor(0.1).wakeUpFactor(0.3));
        assertThat(Staffing.between(5, 10).wakeUpFactor(0.4).over(base))
                .isEqualTo(Staffing.between(5, 10).sleepFactor(0.1).wakeUpFactor(0.4));
        assertThat(Staffing.between(5, 10).sleepFactor(0.2).over(base))
                .isEqualTo(Staffing.between(5, 10).sleepFactor(0.2).wakeUpFactor(0.3));
    }

    @Test
    void the_bounds_themselves_are_allowed() {
        Staffing widest = Staffing.between(1, 1_000_000).wakeUpFactor(0.999999).sleepFactor(0);
        assertThat(widest.min()).isEqualTo(1);
        assertThat(widest.max()).isEqualTo(1_000_000);
        assertThat(widest.wakeUpFactor()).isEqualTo(0.999999);
        assertThat(widest.sleepFactor()).isZero();
        assertThat(Staffing.fixed(1_000_000).min()).isEqualTo(1_000_000);
    }

    @Test
    void a_minimum_above_the_maximum_is_told_with_both() {
        assertThatThrownBy(() -> Staffing.between(5, 3))
                .hasMessage("workers.min: 5 is not allowed; it must not be more than workers.max, which is 3");
    }

    @ParameterizedTest
    @MethodSource("badStaffings")
    void is_refused_by_name(BadInput input) {
        input.assertRefused();
    }

    static Stream<BadInput> badStaffings() {
        return Stream.of(
                bad(() -> Staffing.between(0, 3), "min", "0", WORKERS),
                bad(() -> Staffing.between(-1, 3), "min", "-1", WORKERS),
                bad(() -> Staffing.between(1_000_001, 1_000_001), "min", "1000001", WORKERS),
                new BadInput("fixed 0", () -> Staffing.fixed(0), "workers", "0", WORKERS),
                bad(() -> Staffing.between(1, 0), "max", "0", WORKERS),
                bad(() -> Staffing.between(1, 1_000_001), "max", "1000001", WORKERS),
                bad(() -> PLAIN.wakeUpFactor(1), "wakeUpFactor", "1.0", FACTOR),
                bad(() -> PLAIN.wakeUpFactor(0.9999991), "wakeUpFactor", "0.9999991", FACTOR),
                bad(() -> PLAIN.wakeUpFactor(-0.1), "wakeUpFactor", "-0.1", FACTOR),
                bad(() -> PLAIN.wakeUpFactor(Double.NaN), "wakeUpFactor", "NaN", FACTOR),
                bad(() -> PLAIN.wakeUpFactor(Double.POSITIVE_INFINITY), "wakeUpFactor", "Infinity", FACTOR),
                bad(() -> PLAIN.sleepFactor(-0.1), "sleepFactor", "-0.1", FACTOR),
                bad(() -> PLAIN.sleepFactor(1), "sleepFactor", "1.0", FACTOR),
                bad(() -> PLAIN.sleepFactor(Double.NaN), "sleepFactor", "NaN", FACTOR),
                bad(
                        () -> PLAIN.wakeUpFactor(0.75).sleepFactor(0.8),
                        "sleepFactor",
                        "0.8",
                        "less than workers.wakeUpFactor, which is 0.75"),
                bad(
                        () -> PLAIN.sleepFactor(0.5).wakeUpFactor(0.4),
                        "sleepFactor",
                        "0.5",
                        "workers.wakeUpFactor, which is 0.4"),
                bad(
                        () -> PLAIN.sleepFactor(0.75).over(PLAIN),
                        "sleepFactor",
                        "0.75",
                        "less than workers.wakeUpFactor, which is 0.75"),
                bad(
                        () -> PLAIN.wakeUpFactor(0.4).over(PLAIN),
                        "sleepFactor",
                        "0.5",
                        "which is 0.4; this is its default, so set both"),
                bad(
                        () -> PLAIN.sleepFactor(0).wakeUpFactor(0),
                        "sleepFactor",
                        "0.0",
                        "workers.wakeUpFactor, which is 0.0"),
                bad(() -> Staffing.fixed(2).wakeUpFactor(2), "wakeUpFactor", "2.0", FACTOR));
    }

    private static BadInput bad(ThrowingCallable attempt, String setting, String value, String allowed) {
        return new BadInput(setting + " " + value, attempt, "workers." + setting, value, allowed);
    }
}
