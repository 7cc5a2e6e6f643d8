package io.millrace.internal.pool;

import java.util.ArrayDeque;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** One owner fills a batch whenever it is empty, and anybody takes: each item once, in order. */
@Isolated("Lincheck rewrites classes while it runs")
@Param(name = "value", gen = IntGen.class, conf = "1:3")
public class BatchLincheckTest {
    private final Batch batch = new Batch(4);

    @Operation(nonParallelGroup = "owner")
    public boolean fill(@Param(name = "value") int value) {
        if (!batch.isEmpty()) {
            return false;
        }
        batch.items()[0] = value;
        batch.items()[1] = value + 10;
        batch.filled(2);
        return true;
    }

    @Operation
    public @Nullable Object take() {
        return batch.take();
    }

    @Test
    void every_item_is_taken_once_in_every_interleaving() {
        new ModelCheckingOptions()
                .iterations(Boolean.getBoolean("millrace.long") ? 100 : 3)
                .invocationsPerIteration(500)
                .threads(3)
                .actorsPerThread(3)
                .sequentialSpecification(TwoAtATime.class)
                .check(BatchLincheckTest.class);
    }

    @Test
    void every_item_is_taken_once_under_stress() {
        new StressOptions()
                .iterations(Boolean.getBoolean("millrace.long") ? 100 : 2)
                .invocationsPerIteration(1_000)
                .threads(3)
                .actorsPerThread(3)
                .sequentialSpecification(TwoAtATime.class)
                .check(BatchLincheckTest.class);
    }

    /** What a batch is meant to be. */
    public static final class TwoAtATime {
        private final ArrayDeque<Object> items = new ArrayDeque<>();

        public boolean fill(int value) {
            return items.isEmpty() && items.add(value) && items.add(value + 10);
        }

        public @Nullable Object take() {
            return items.poll();
        }
    }
}
