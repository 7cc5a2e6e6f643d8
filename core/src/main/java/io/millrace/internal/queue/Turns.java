package io.millrace.internal.queue;

import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Decides which of several lanes gives the next element. Called under the lock of the lanes. */
interface Turns {
    /** A lane that was empty has got an element. */
    default void filled(Lane lane) {}

    /** A lane that is not empty, and has its turn now; null if all are empty. */
    @Nullable
    Lane next();

    /** The lane whose turn it was has given an element. */
    default void served(Lane lane) {}

    /** The oldest element of a lane was taken out, out of turn. */
    default void evicted(Lane lane, Object oldest) {}

    /** The first lane that has something: the others wait, for ever if need be. */
    record Strict(List<Lane> lanes) implements Turns {
        @Override
        public @Nullable Lane next() {
            for (Lane lane : lanes) {
                if (!lane.isEmpty()) {
                    return lane;
                }
            }
            return null;
        }
    }

    /** One after the other. */
    final class RoundRobin implements Turns {
        private final List<Lane> lanes;
        private int last;

        RoundRobin(List<Lane> lanes) {
            this.lanes = lanes;
            last = lanes.size() - 1;
        }

        @Override
        public @Nullable Lane next() {
            for (int i = 1; i <= lanes.size(); i++) {
                int index = (last + i) % lanes.size();
                if (!lanes.get(index).isEmpty()) {
                    last = index;
                    return lanes.get(index);
                }
            }
            return null;
        }
    }

    /**
     * By weight, in small portions: with every turn each lane that has something earns its weight, the richest one has
     * the turn and pays what all have earned. Lanes without elements earn nothing, so they save up nothing.
     */
    record Weighted(List<Lane> lanes) implements Turns {
        @Override
        public @Nullable Lane next() {
            Lane richest = null;
            long earned = 0;
            for (Lane lane : lanes) {
                if (!lane.isEmpty()) {
                    lane.credit += lane.weight;
                    earned += lane.weight;
                    if (richest == null || lane.credit > richest.credit) {
                        richest = lane;
                    }
                } else {
                    lane.credit = 0;
                }
            }
            if (richest != null) {
                richest.credit -= earned;
            }
            return richest;
        }
    }

    /**
     * By weight, where elements cost differently: a lane that comes to its turn may spend its weight, and keeps what
     * does not suffice for its next element. An empty lane keeps nothing.
     */
    final class Deficit implements Turns {
        private final List<Lane> lanes;
        private final ToIntFunction<Object> cost;
        private int current;
        private boolean earned;

        Deficit(List<Lane> lanes, ToIntFunction<Object> cost) {
            this.lanes = lanes;
            this.cost = cost;
        }

        @Override
        public @Nullable Lane next() {
            int passed = 0;
            while (passed < lanes.size()) {
                Lane lane = lanes.get(current);
                if (!lane.isEmpty()) {
                    lane.credit += earned ? 0 : lane.weight;
                    earned = true;
                    int price = cost.applyAsInt(lane.elements.element());
                    if (price <= lane.credit) {
                        lane.credit -= price;
                        return lane;
                    }
                } else {
                    lane.credit = 0;
                }
                current = (current + 1) % lanes.size();
                earned = false;
                passed++;
            }
            return saveUp() ? next() : null;
        }

        /** Nobody could pay: as many rounds at once as it takes until only one is missing for somebody. */
        private boolean saveUp() {
            long rounds = Long.MAX_VALUE;
            for (Lane lane : lanes) {
                if (!lane.isEmpty()) {
                    long missing = cost.applyAsInt(lane.elements.element()) - lane.credit;
                    rounds = Math.min(rounds, (missing - 1) / lane.weight);
                }
            }
            if (rounds == Long.MAX_VALUE) {
                return false;
            }
            for (Lane lane : lanes) {
                lane.credit += lane.isEmpty() ? 0 : rounds * lane.weight;
            }
            return true;
        }
    }
}
