package io.millrace.internal.queue;

import io.millrace.Qos;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Several lanes that take turns. */
final class Lanes implements Ready {
    private static final Logger log = LoggerFactory.getLogger(Lanes.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final Places places;
    private final Turns turns;
    private final int capacity;
    private final List<Room> rooms = new ArrayList<>();
    /** Whether those who wait in a room all wait for the same. */
    private final boolean anyoneFits;

    /** Lanes with a capacity of their own; those of keys share one. */
    private final List<Lane> named;

    private int count;
    /** The count, for those who do not hold the lock. */
    private volatile int size;

    private boolean closed;

    Lanes(Qos<?> qos, int capacity) {
        this.capacity = capacity;
        ToIntFunction<Object> cost = safely(qos);
        if (qos.algorithm().isByKey()) {
            Room room = new Room();
            rooms.add(room);
            Flows flows = new Flows(qos, cost, capacity, room);
            places = flows;
            turns = flows;
            anyoneFits = qos.keyCapacity() >= capacity;
            named = List.of();
        } else {
            List<Lane> lanes = qos.lanes().stream()
                    .map(lane -> new Lane(lane.name(), lane.capacity(), lane.egressWeight(), new Room()))
                    .toList();
            lanes.forEach(lane -> rooms.add(lane.room));
            places = new Places.ByPriority(qos, lanes);
            turns = turnsOf(qos, lanes, cost);
            anyoneFits = true;
            named = lanes;
        }
    }

    private static Turns turnsOf(Qos<?> qos, List<Lane> lanes, ToIntFunction<Object> cost) {
        return switch (qos.algorithm()) {
            case STRICT -> new Turns.Strict(lanes);
            case ROUND_ROBIN -> new Turns.RoundRobin(lanes);
            case WEIGHTED_ROUND_ROBIN -> new Turns.Weighted(lanes);
            case DEFICIT_ROUND_ROBIN -> new Turns.Deficit(lanes, cost);
            case FAIR, WEIGHTED_FAIR -> throw new AssertionError("they have no lanes of their own");
        };
    }

    /** A cost of an element that is always there and never throws: it is asked for where nobody could be told. */
    @SuppressWarnings("unchecked") // it is asked for items of its queue only
    private static ToIntFunction<Object> safely(Qos<?> qos) {
        ToIntFunction<Object> cost = (ToIntFunction<Object>) qos.cost();
        return element -> {
            try {
                return Math.max(1, cost.applyAsInt(Envelope.itemOf(element)));
            } catch (RuntimeException e) {
                log.warn("The cost of an item cannot be told and counts as 1", e);
                return 1;
            }
        };
    }

    @Override
    public void place(Envelope envelope) {
        envelope.place = places.placeOf(envelope.item, envelope.weight);
    }

    @Override
    public @Nullable String placeName(Envelope envelope) {
        return envelope.place == null ? null : places.nameOf(envelope.place);
    }

    private Object placeOf(Object element) {
        if (element instanceof Envelope envelope) {
            if (envelope.place == null) {
                place(envelope);
            }
            return Objects.requireNonNull(envelope.place);
        }
        return places.placeOf(element, 1);
    }

    @Override
    public boolean offer(Object element) {
        Object place = placeOf(element);
        lock.lock();
        try {
            Lane lane = places.laneAt(place);
            if (closed || lane.isFull() || (named.isEmpty() && count >= capacity)) {
                return false;
            }
            add(lane, element);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void add(Lane lane, Object element) {
        lane.elements.add(element);
        if (lane.elements.size() == 1) {
            turns.filled(lane);
        }
        size = ++count;
    }

    @Override
    public void force(Object element) {
        lock.lock();
        try {
            add(laneInAnyCase(element), element);
        } finally {
            lock.unlock();
        }
    }

    /** A user's function that fails now, having answered before, must not cost the item. */
    private Lane laneInAnyCase(Object element) {
        try {
            return places.laneAt(placeOf(element));
        } catch (RuntimeException e) {
            log.warn("The place of an item that comes again cannot be told; it stands with the least urgent", e);
            return places.lastLane();
        }
    }

    @Override
    public int drain(@Nullable Object[] into, int most) {
        if (size == 0) {
            return 0;
        }
        int taken = 0;
        lock.lock();
        try {
            while (taken < most) {
                Lane lane = turns.next();
                if (lane == null) {
                    break;
                }
                into[taken++] = lane.elements.remove();
                turns.served(lane);
            }
            count -= taken;
            size = count;
        } finally {
            lock.unlock();
        }
        tellRooms(taken);
        return taken;
    }

    /** Not under the lock, which those who wait take after that of their room. */
    private void tellRooms(int freed) {
        for (Room room : rooms) {
            room.freed(anyoneFits ? freed : Integer.MAX_VALUE);
        }
    }

    @Override
    public @Nullable Object evict(Object newcomer) {
        Object place = placeOf(newcomer);
        lock.lock();
        try {
            Lane lane = places.laneAt(place);
            Object oldest = lane.elements.poll();
            if (oldest != null) {
                turns.evicted(lane, oldest);
                size = --count;
            }
            return oldest;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Room roomFor(Object element) {
        Object place = placeOf(element);
        lock.lock();
        try {
            return places.laneAt(place).room;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isEmpty() {
        return size == 0;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public double fillRate() {
        lock.lock();
        try {
            double fullest = (double) count / capacity;
            for (Lane lane : named) {
                fullest = Math.max(fullest, (double) lane.elements.size() / lane.capacity);
            }
            return Math.min(1, fullest);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int overflow() {
        return Math.max(0, size - capacity);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        rooms.forEach(Room::freedForAll);
    }

    @Override
    public boolean isDrained() {
        lock.lock();
        try {
            return closed && count == 0;
        } finally {
            lock.unlock();
        }
    }
}
