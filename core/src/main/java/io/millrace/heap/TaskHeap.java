package io.millrace.heap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A binary heap of tasks, the least {@link TaskNode#key} first and, of equals, the oldest. Every task knows its index,
 * so that it can be removed or moved in logarithmic time; tasks that finish early leave no garbage behind.
 */
final class TaskHeap {
    private @Nullable TaskNode[] nodes = new @Nullable TaskNode[16];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    @Nullable
    TaskNode peek() {
        return nodes[0];
    }

    /** Those whose key is not greater, in any order; what is greater is not looked at. */
    List<TaskNode> upTo(long key) {
        List<TaskNode> found = new ArrayList<>();
        collect(0, key, found);
        return found;
    }

    private void collect(int index, long key, List<TaskNode> into) {
        if (index < size && at(index).key <= key) {
            into.add(at(index));
            collect(2 * index + 1, key, into);
            collect(2 * index + 2, key, into);
        }
    }

    void add(TaskNode node) {
        if (size == nodes.length) {
            nodes = Arrays.copyOf(nodes, size * 2);
        }
        siftUp(size++, node);
    }

    void remove(TaskNode node) {
        int hole = node.heapIndex;
        node.heapIndex = -1;
        TaskNode moved = at(--size);
        nodes[size] = null;
        if (hole < size) {
            place(hole, moved);
        }
        if (size > 1024 && size < nodes.length / 4) {
            nodes = Arrays.copyOf(nodes, nodes.length / 2);
        }
    }

    /** Restores the order after the node's key has changed. */
    void moved(TaskNode node) {
        place(node.heapIndex, node);
    }

    private void place(int index, TaskNode node) {
        siftDown(index, node);
        if (at(index) == node) {
            siftUp(index, node);
        }
    }

    private void siftUp(int from, TaskNode node) {
        int index = from;
        while (index > 0) {
            int parent = (index - 1) >>> 1;
            if (!before(node, at(parent))) {
                break;
            }
            set(index, at(parent));
            index = parent;
        }
        set(index, node);
    }

    private void siftDown(int from, TaskNode node) {
        int index = from;
        while (2 * index + 1 < size) {
            int child = 2 * index + 1;
            if (child + 1 < size && before(at(child + 1), at(child))) {
                child++;
            }
            if (!before(at(child), node)) {
                break;
            }
            set(index, at(child));
            index = child;
        }
        set(index, node);
    }

    private void set(int index, TaskNode node) {
        nodes[index] = node;
        node.heapIndex = index;
    }

    private TaskNode at(int index) {
        TaskNode node = nodes[index];
        if (node == null) {
            throw new IllegalStateException("a hole in the heap at " + index + " of " + size);
        }
        return node;
    }

    private static boolean before(TaskNode a, TaskNode b) {
        return a.key != b.key ? a.key < b.key : a.sequence < b.sequence;
    }
}
