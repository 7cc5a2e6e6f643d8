package io.millrace.testkit.store;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Thousands of calls by chance, each answer checked by a {@link Model} that was written without regard to speed. A
 * failure names its seed; {@code -Dmillrace.seed=…} runs that one alone, {@code -Dmillrace.long=true} runs many more.
 */
abstract class RandomOperationsContract extends StoreGroup {
    private static final boolean LONG = Boolean.getBoolean("millrace.long");
    private static final int SEEDS = LONG ? 500 : 20;
    private static final int LONGER = LONG ? 4 : 1;

    static LongStream seeds() {
        Long chosen = Long.getLong("millrace.seed");
        return chosen == null ? LongStream.rangeClosed(1, SEEDS) : LongStream.of(chosen);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void the_store_does_as_the_model_with_seed(long seed) {
        new RandomOperations(fixture, seed).run(fixture.randomCalls() * LONGER);
    }
}
