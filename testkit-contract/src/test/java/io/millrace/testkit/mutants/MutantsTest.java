package io.millrace.testkit.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract is worth something if it notices what is wrong, and only that. */
class MutantsTest {
    @Test
    void a_store_without_a_fault_passes() {
        ContractRun run = ContractRun.ofAll(MutantContract.class);

        assertThat(run.failed()).isEmpty();
        assertThat(run.succeeded()).isGreaterThan(300);
    }

    @ParameterizedTest
    @EnumSource
    void the_test_that_names_the_fault_fails(Mutant mutant) {
        Map<String, String> choice = Map.of(MutantContract.CHOICE, mutant.name());

        ContractRun run = ContractRun.ofGroupWith(mutant.caughtBy(), MutantContract.class, choice);

        assertThat(run.failed()).contains(mutant.caughtBy());
        assertThat(run.succeeded()).as("tests that do not concern the fault").isPositive();
    }
}
