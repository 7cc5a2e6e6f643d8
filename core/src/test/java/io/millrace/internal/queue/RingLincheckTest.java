package io.millrace.internal.queue;

import java.util.ArrayDeque;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Whatever threads do to a ring at the same time, there is an order of their calls in which a plain queue gives the same
 * answers. To find it empty is only a hint (a producer may be about to fill its slot), so that is left out.
 */
@Isolated("Lincheck rewrites classes while it runs")
@Param(name = "value", gen = IntGen.class, conf = "1:3")
public class RingLincheckTest {
    private final Ring ring = new Ring(3);

    @Operation
    public boolean offer(@Param(name = "value") int value) {
        return ring.offer(value);
    }

    /** Waits for a producer that has claimed the first slot, so that the answer is not about a moment in between. */
    @Operation
    public @Nullable Object take() {
        @Nullable Object[] taken = new Object[1];
        while (ring.drain(taken, 0, 1) == 0) {
            if (ring.size() == 0) {
                return null;
            }
        }
        return taken[0];
    }

    @Operation
    public void close() {
        ring.close();
    }

    @Test
    void a_ring_behaves_like_a_queue_in_every_interleaving() {
        new ModelCheckingOptions()
                .iterations(Boolean.getBoolean("millrace.long") ? 100 : 3)
                .invocationsPerIteration(500)
                .threads(3)
                .actorsPerThread(2)
                .sequentialSpecification(BoundedQueue.class)
                .check(RingLincheckTest.class);
    }

    @Test
    void a_ring_behaves_like_a_queue_under_stress() {
        new StressOptions()
                .iterations(Boolean.getBoolean("millrace.long") ? 100 : 2)
                .invocationsPerIteration(1_000)
                .threads(3)
                .actorsPerThread(3)
                .sequentialSpecification(BoundedQueue.class)
                .check(RingLincheckTest.class);
    }

    /** What a ring is meant to be. */
    public static final class BoundedQueue {
        private final ArrayDeque<Object> elements = new ArrayDeque<>();
        private boolean closed;

        public boolean offer(int value) {
            return !closed && elements.size() < 3 && elements.add(value);
        }

        public @Nullable Object take() {
            return elements.poll();
        }

        public void close() {
            closed = true;
        }
    }
}
