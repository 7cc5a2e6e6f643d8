package io.millrace.heap;

import org.jspecify.annotations.Nullable;

/** A linked list whose links are the tasks themselves: adding and removing anywhere costs the same few steps. */
final class TaskList {
    /** How far a task that returns to the front looks for its old place; beyond that it stands a little too early. */
    private static final int SEARCH = 1_000;

    private @Nullable TaskNode first;
    private @Nullable TaskNode last;
    private int size;

    @Nullable
    TaskNode first() {
        return first;
    }

    int size() {
        return size;
    }

    void addLast(TaskNode node) {
        insert(node, last, null);
    }

    /** Puts a task back that stood here before: at the front, but behind those that stood before it (by their keys). */
    void addBack(TaskNode node) {
        TaskNode behind = first;
        for (int i = 0; behind != null && behind.key < node.key && i < SEARCH; i++) {
            behind = behind.next;
        }
        insert(node, behind == null ? last : behind.previous, behind);
    }

    private void insert(TaskNode node, @Nullable TaskNode before, @Nullable TaskNode after) {
        node.list = this;
        node.previous = before;
        node.next = after;
        if (before == null) {
            first = node;
        } else {
            before.next = node;
        }
        if (after == null) {
            last = node;
        } else {
            after.previous = node;
        }
        size++;
    }

    void remove(TaskNode node) {
        if (node.previous == null) {
            first = node.next;
        } else {
            node.previous.next = node.next;
        }
        if (node.next == null) {
            last = node.previous;
        } else {
            node.next.previous = node.previous;
        }
        node.list = null;
        node.previous = null;
        node.next = null;
        size--;
    }
}
