package io.millrace;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Who goes first in a {@link WorkQueue} whose items are not all alike.
 *
 * <p>With <em>sub-queues</em>, each item has a priority between 0 and 100 percent, which chooses its sub-queue: those
 * named first are for the highest priorities, and each has a part of the scale by its ingress weight. Workers take from
 * them in strict order, in turns, or by egress weight:
 *
 * <pre>{@code
 * Qos.<Mail>weightedRoundRobin()
 *         .lane("urgent", 1_000, 20, 70)   // priorities above 80 %; 70 % of the workers' turns
 *         .lane("normal", 10_000, 80, 30)
 *         .priority((mail, weight) -> mail.urgency())
 * }</pre>
 *
 * <p>With <em>fair queueing</em> each key (a tenant, say) has a line of its own, which comes and goes with its items, and
 * all keys get the same, or what their weights allow:
 *
 * <pre>{@code Qos.<Mail>weightedFair(Mail::tenant, tenant -> plan(tenant).weight()).keyCapacity(500)}</pre>
 *
 * The functions are called by producers and workers, under a lock: they must be quick and always answer the same.
 */
public final class Qos<T> {
    /** How the next line is chosen. */
    public enum Algorithm {
        /** PQ: the first sub-queue that has something. */
        STRICT,
        /** RR: one sub-queue after the other. */
        ROUND_ROBIN,
        /** WRR: so many items as the egress weight says. */
        WEIGHTED_ROUND_ROBIN,
        /** DWRR: as much cost as the egress weight says. */
        DEFICIT_ROUND_ROBIN,
        /** FQ: all keys alike. */
        FAIR,
        /** WFQ: keys by their weights. */
        WEIGHTED_FAIR;

        public boolean isByKey() {
            return this == FAIR || this == WEIGHTED_FAIR;
        }
    }

    /** How urgent an item is, from 0 to 100 percent. */
    @FunctionalInterface
    public interface Priority<T> {
        /** @param weight of the item, as it was put; 1 if nothing was said */
        double of(T item, int weight);
    }

    /**
     * A sub-queue.
     *
     * @param ingressWeight its part of the scale of priorities
     * @param egressWeight its part of what workers take
     */
    public record Lane(String name, int capacity, int ingressWeight, int egressWeight) {
        public Lane {
            Limits.text("qos.lane.name", name, Limits.TAG_LENGTH);
            Limits.between("qos.lane.capacity", capacity, 1, Limits.QUEUE_CAPACITY);
            Limits.between("qos.lane.ingressWeight", ingressWeight, 1, HEAVIEST);
            Limits.between("qos.lane.egressWeight", egressWeight, 1, HEAVIEST);
        }
    }

    static final int HEAVIEST = 1_000_000;
    private static final int FEWEST_LANES = 2;
    private static final int MOST_LANES = 1_000;

    private final Algorithm algorithm;
    private final List<Lane> lanes;
    private final @Nullable Priority<? super T> priority;
    private final @Nullable Function<? super T, ?> key;
    private final ToIntFunction<Object> keyWeight;
    private final ToIntFunction<? super T> cost;
    private final int keyCapacity;

    private Qos(
            Algorithm algorithm,
            List<Lane> lanes,
            @Nullable Priority<? super T> priority,
            @Nullable Function<? super T, ?> key,
            ToIntFunction<Object> keyWeight,
            ToIntFunction<? super T> cost,
            int keyCapacity) {
        this.algorithm = algorithm;
        this.lanes = lanes;
        this.priority = priority;
        this.key = key;
        this.keyWeight = keyWeight;
        this.cost = cost;
        this.keyCapacity = keyCapacity;
    }

    private static <T> Qos<T> over(Algorithm algorithm) {
        return new Qos<>(algorithm, List.of(), null, null, key -> 1, item -> 1, Limits.QUEUE_CAPACITY);
    }

    /** The sub-queues in strict order: as long as the first has something, the others wait. */
    public static <T> Qos<T> strict() {
        return over(Algorithm.STRICT);
    }

    /** The sub-queues in turns, an item each. */
    public static <T> Qos<T> roundRobin() {
        return over(Algorithm.ROUND_ROBIN);
    }

    /** The sub-queues in turns, as many items each as its egress weight says. */
    public static <T> Qos<T> weightedRoundRobin() {
        return over(Algorithm.WEIGHTED_ROUND_ROBIN);
    }

    /** The sub-queues in turns, items of as much {@link #cost} each as its egress weight says. */
    public static <T> Qos<T> deficitRoundRobin() {
        return over(Algorithm.DEFICIT_ROUND_ROBIN);
    }

    /** A line for each key; all get the same. */
    public static <T> Qos<T> fair(Function<? super T, ?> key) {
        return new Qos<>(
                Algorithm.FAIR,
                List.of(),
                null,
                Limits.present("qos.key", key),
                any -> 1,
                item -> 1,
                Limits.QUEUE_CAPACITY);
    }

    /** A line for each key, by weight: from 1 to 1,000,000. A weight is asked for when a key's line begins. */
    @SuppressWarnings("unchecked") // the weights are asked for keys only
    public static <T, K> Qos<T> weightedFair(Function<? super T, K> key, ToIntFunction<? super K> weight) {
        return new Qos<>(
                Algorithm.WEIGHTED_FAIR,
                List.of(),
                null,
                Limits.present("qos.key", key),
                (ToIntFunction<Object>) Limits.present("qos.keyWeight", weight),
                item -> 1,
                Limits.QUEUE_CAPACITY);
    }

    /** A priority by the weight with which an item was put: the heaviest have 100 percent. */
    public static <T> Priority<T> byWeight(int heaviest) {
        Limits.between("qos.heaviest", heaviest, 1, HEAVIEST);
        return (item, weight) -> Math.min(100, 100.0 * weight / heaviest);
    }

    /** Adds a sub-queue whose two weights are the same. */
    public Qos<T> lane(String name, int capacity, int weight) {
        return lane(name, capacity, weight, weight);
    }

    /** Adds a sub-queue, for items that are less urgent than those of the sub-queues before it. */
    public Qos<T> lane(String name, int capacity, int ingressWeight, int egressWeight) {
        Lane added = new Lane(name, capacity, ingressWeight, egressWeight);
        if (algorithm.isByKey()) {
            throw new InvalidValueException("qos.lane", name, algorithm + " has a line for each key, and no others");
        }
        if (lanes.stream().anyMatch(lane -> lane.name().equals(name))) {
            throw new InvalidValueException("qos.lane.name", name, "there is a sub-queue of that name already");
        }
        Limits.between("qos.lanes", lanes.size() + 1, 1, MOST_LANES);
        List<Lane> more = new ArrayList<>(lanes);
        more.add(added);
        return new Qos<>(algorithm, List.copyOf(more), priority, key, keyWeight, cost, keyCapacity);
    }

    /** How urgent an item is; {@link #byWeight} or any function. */
    public Qos<T> priority(Priority<? super T> function) {
        Limits.present("qos.priority", function);
        if (algorithm.isByKey()) {
            throw new InvalidValueException("qos.priority", "a function", algorithm + " goes by keys");
        }
        return new Qos<>(algorithm, lanes, function, key, keyWeight, cost, keyCapacity);
    }

    /** What an item costs, 1 or more, where not every item costs the same: its size, say. */
    public Qos<T> cost(ToIntFunction<? super T> function) {
        Limits.present("qos.cost", function);
        if (!algorithm.isByKey() && algorithm != Algorithm.DEFICIT_ROUND_ROBIN) {
            throw new InvalidValueException("qos.cost", "a function", algorithm + " counts items, not their cost");
        }
        return new Qos<>(algorithm, lanes, priority, key, keyWeight, function, keyCapacity);
    }

    /** How many items of one key may be in the queue, so that one key cannot fill it; by default as many as fit. */
    public Qos<T> keyCapacity(int items) {
        if (!algorithm.isByKey()) {
            throw new InvalidValueException("qos.keyCapacity", items, algorithm + " has no keys");
        }
        Limits.between("qos.keyCapacity", items, 1, Limits.QUEUE_CAPACITY);
        return new Qos<>(algorithm, lanes, priority, key, keyWeight, cost, items);
    }

    /** Checks what can only be said of the whole. */
    void checkComplete() {
        if (algorithm.isByKey()) {
            return;
        }
        if (lanes.size() < FEWEST_LANES) {
            throw new InvalidValueException("qos.lanes", lanes.size(), "there must be at least " + FEWEST_LANES);
        }
        Limits.present("qos.priority", priority);
    }

    public Algorithm algorithm() {
        return algorithm;
    }

    /** In the order of their urgency; empty where lines go by keys. */
    public List<Lane> lanes() {
        return lanes;
    }

    /** What was set, or a function that gives all items 0 percent. */
    public Priority<? super T> priority() {
        return priority == null ? (item, weight) -> 0 : priority;
    }

    /** What was set, or a function that gives all items the same key. */
    public Function<? super T, ?> key() {
        return key == null ? item -> "" : key;
    }

    public ToIntFunction<Object> keyWeight() {
        return keyWeight;
    }

    public ToIntFunction<? super T> cost() {
        return cost;
    }

    public int keyCapacity() {
        return keyCapacity;
    }
}
