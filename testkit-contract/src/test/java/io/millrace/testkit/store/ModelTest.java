package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.heap.HeapStore;
import io.millrace.testkit.mutants.Mutant;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The model, too, has to notice faults, though nobody tells it where to look. */
class ModelTest {
    private static final int SEEDS = 20;
    private static final int CALLS = 1_000;

    /**
     * Records, wake-ups, rates, the oldest first, the age of topics, the owners of workers, unwanted reads and the
     * finer filters are not part of the model. Random calls are too few for a history that is cut.
     */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {
                "IGNORES_THE_RATE",
                "IGNORES_THE_ORDER",
                "TAKES_ANY_CURSOR",
                "FORGETS_WHOSE_A_WORKER_IS",
                "COUNTS_WITHOUT_FILTERS",
                "TAKES_THE_NEWEST_FOR_THE_OLDEST",
                "READS_ON_FOR_NOBODY",
                "LOOKS_AT_THE_FIRST_TAG_ONLY",
                "LOOKS_AT_THE_CASE_OF_ERRORS",
                "LETS_THE_LAST_WRITE_WIN",
                "REMOVES_ANY_VERSION",
                "USES_VERSIONS_AGAIN",
                "LISTS_IN_NO_ORDER",
                "TAKES_A_PREFIX_FOR_A_PATTERN",
                "DROPS_THE_NEWEST_ATTEMPT",
                "IS_SILENT_ON_ENQUEUES",
                "IS_SILENT_ON_COMPLETIONS",
                "IS_SILENT_ON_CHANGES",
                "IS_SILENT_ON_RECORDS"
            })
    void calls_by_chance_bring_the_fault_to_light(Mutant mutant) {
        Optional<AssertionError> failure = LongStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> failureOf(mutant, seed))
                .flatMap(Optional::stream)
                .findFirst();

        assertThat(failure).isPresent();
        assertThat(failure.get()).hasMessageContaining("seed ").hasMessageContaining("Last calls:");
    }

    private static Optional<AssertionError> failureOf(Mutant mutant, long seed) {
        try (StoreFixture fixture = StoreFixture.of(clock -> mutant.of(new HeapStore(clock)))) {
            new RandomOperations(fixture, seed).run(CALLS);
            return Optional.empty();
        } catch (AssertionError e) {
            return Optional.of(e);
        }
    }
}
