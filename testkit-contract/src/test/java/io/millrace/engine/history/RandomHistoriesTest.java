package io.millrace.engine.history;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ten thousand histories; with {@code -Dmillrace.long=true}, a hundred times as many. */
class RandomHistoriesTest {
    private static final int PER_TEST = 500;

    static LongStream ranges() {
        return LongStream.range(0, Boolean.getBoolean("millrace.long") ? 2_000 : 20);
    }

    @ParameterizedTest
    @MethodSource("ranges")
    void no_task_is_lost_none_is_applied_twice_and_all_end_as_the_model_says(long range) {
        for (long seed = range * PER_TEST; seed < (range + 1) * PER_TEST; seed++) {
            try (History history = new History(seed)) {
                history.run(60);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("history " + seed + ": " + e.getMessage(), e);
            }
        }
    }
}
