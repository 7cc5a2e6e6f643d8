package io.millrace.internal.queue;

import java.util.ArrayDeque;

/** One sub-queue: named by the user, or of one key. Guarded by the lock of its {@link Lanes}. */
final class Lane {
    final String name;
    final int capacity;
    final int weight;
    final Room room;
    final ArrayDeque<Object> elements = new ArrayDeque<>();

    // what those who decide whose turn it is keep about a lane
    long credit;
    double virtualFinish;

    Lane(String name, int capacity, int weight, Room room) {
        this.name = name;
        this.capacity = capacity;
        this.weight = weight;
        this.room = room;
    }

    boolean isEmpty() {
        return elements.isEmpty();
    }

    boolean isFull() {
        return elements.size() >= capacity;
    }
}
