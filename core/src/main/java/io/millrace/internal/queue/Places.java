package io.millrace.internal.queue;

import io.millrace.InvalidValueException;
import io.millrace.Qos;
import java.util.List;

/** Where an item stands: in which lane. */
interface Places {
    /** A user's function decides; so it is called without a lock, and what it throws is the producer's. */
    Object placeOf(Object item, int weight);

    /** The lane at a place; under the lock. */
    Lane laneAt(Object place);

    String nameOf(Object place);

    /** For items of which the place cannot be told any more; under the lock. */
    Lane lastLane();

    /** By priority: each lane has a part of the scale, the first one that of the highest priorities. */
    final class ByPriority implements Places {
        private final List<Lane> lanes;
        /** By lane: the lowest priority that it takes, itself excluded. */
        private final double[] above;

        private final Qos.Priority<Object> priority;

        @SuppressWarnings("unchecked") // it is asked for items of its queue only
        ByPriority(Qos<?> qos, List<Lane> lanes) {
            this.lanes = lanes;
            priority = (Qos.Priority<Object>) qos.priority();
            above = new double[lanes.size()];
            double sum =
                    qos.lanes().stream().mapToDouble(Qos.Lane::ingressWeight).sum();
            double rest = sum;
            for (int i = 0; i < above.length - 1; i++) {
                rest -= qos.lanes().get(i).ingressWeight();
                above[i] = 100 * rest / sum;
            }
            above[above.length - 1] = -1;
        }

        @Override
        public Object placeOf(Object item, int weight) {
            double percent = priority.of(item, weight);
            boolean allowed = percent >= 0 && percent <= 100;
            if (!allowed) {
                throw new InvalidValueException("qos.priority", percent, "it must be between 0 and 100 percent");
            }
            int index = 0;
            while (percent <= above[index]) {
                index++;
            }
            return lanes.get(index);
        }

        @Override
        public Lane laneAt(Object place) {
            return (Lane) place;
        }

        @Override
        public String nameOf(Object place) {
            return ((Lane) place).name;
        }

        @Override
        public Lane lastLane() {
            return lanes.get(lanes.size() - 1);
        }
    }
}
