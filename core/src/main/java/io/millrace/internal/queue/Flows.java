package io.millrace.internal.queue;

import io.millrace.Limits;
import io.millrace.Qos;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A lane for each key, served by weighted fair queueing. The first element of a lane would finish, if all lanes were
 * served at the same time, at the lane's last finish plus cost / weight; the earliest finish goes first. A lane that was
 * empty starts at the present virtual time: it neither saved up turns nor, by being empty for a moment, paid back a debt.
 */
final class Flows implements Places, Turns {
    private static final int REMEMBERED = 1_000;
    private static final int HEAVIEST = 1_000_000;

    private final Function<Object, ?> key;
    private final ToIntFunction<Object> weight;
    private final ToIntFunction<Object> cost;
    private final int keyCapacity;
    private final Room room;
    private final Map<Object, Lane> lanes = new HashMap<>();
    private final PriorityQueue<Lane> waiting =
            new PriorityQueue<>(Comparator.comparingDouble((Lane lane) -> lane.virtualFinish));
    private double now;
    private int forgetAt = REMEMBERED;

    @SuppressWarnings("unchecked") // they are asked for items of their queue only
    Flows(Qos<?> qos, ToIntFunction<Object> cost, int capacity, Room room) {
        key = (Function<Object, ?>) qos.key();
        weight = qos.keyWeight();
        this.cost = cost;
        keyCapacity = Math.min(capacity, qos.keyCapacity());
        this.room = room;
    }

    @Override
    public Object placeOf(Object item, int itemWeight) {
        return Limits.present("qos.key", key.apply(item));
    }

    @Override
    public Lane laneAt(Object place) {
        Lane lane = lanes.get(place);
        if (lane == null) {
            int share = Limits.between("qos.keyWeight", weight.applyAsInt(place), 1, HEAVIEST);
            lane = new Lane(nameOf(place), keyCapacity, share, room);
            lanes.put(place, lane);
        }
        return lane;
    }

    @Override
    public String nameOf(Object place) {
        return String.valueOf(place);
    }

    @Override
    public Lane lastLane() {
        return lanes.computeIfAbsent("", any -> new Lane("", keyCapacity, 1, room));
    }

    @Override
    public void filled(Lane lane) {
        lane.virtualFinish = Math.max(now, lane.virtualFinish);
        line(lane);
    }

    private void line(Lane lane) {
        lane.virtualFinish += (double) cost.applyAsInt(lane.elements.element()) / lane.weight;
        waiting.add(lane);
    }

    @Override
    public @Nullable Lane next() {
        Lane first = waiting.poll();
        if (first != null) {
            double start = first.virtualFinish - (double) cost.applyAsInt(first.elements.element()) / first.weight;
            now = Math.max(now, start);
        }
        return first;
    }

    @Override
    public void served(Lane lane) {
        if (!lane.isEmpty()) {
            line(lane);
        } else if (lanes.size() > forgetAt) {
            lanes.values().removeIf(any -> any.isEmpty() && any.virtualFinish <= now);
            forgetAt = Math.max(REMEMBERED, 2 * lanes.size());
        }
    }

    @Override
    public void evicted(Lane lane, Object oldest) {
        waiting.remove(lane);
        lane.virtualFinish -= (double) cost.applyAsInt(oldest) / lane.weight;
        if (!lane.isEmpty()) {
            line(lane);
        }
    }
}
