package io.millrace.heap;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Finds a task by its sequence number, and hands the numbers out. Blocks that have become empty are dropped. */
final class SequenceTable {
    private static final int BLOCK_BITS = 10;
    private static final int BLOCK = 1 << BLOCK_BITS;

    private static final class Block {
        final @Nullable TaskNode[] nodes = new @Nullable TaskNode[BLOCK];
        int size;
    }

    private final Map<Long, Block> blocks = new HashMap<>();
    private final SequenceSet present = new SequenceSet();
    private long last;

    long nextSequence() {
        return ++last;
    }

    void add(TaskNode node) {
        Block block = blocks.computeIfAbsent(node.sequence >>> BLOCK_BITS, any -> new Block());
        block.nodes[slot(node.sequence)] = node;
        block.size++;
        present.add(node.sequence);
    }

    void remove(TaskNode node) {
        long number = node.sequence >>> BLOCK_BITS;
        Block block = blocks.get(number);
        if (block == null) {
            throw new IllegalStateException(node.given + " is not in the table");
        }
        block.nodes[slot(node.sequence)] = null;
        if (--block.size == 0) {
            blocks.remove(number);
        }
        present.remove(node.sequence);
    }

    /** All numbers in use. */
    SequenceSet present() {
        return present;
    }

    void forEach(Consumer<TaskNode> action) {
        for (long next = present.next(0); next != SequenceSet.END; next = present.next(next + 1)) {
            action.accept(get(next));
        }
    }

    @Nullable
    TaskNode find(long sequence) {
        Block block = blocks.get(sequence >>> BLOCK_BITS);
        return block == null ? null : block.nodes[slot(sequence)];
    }

    /** No number up to this one is handed out. */
    void startAfter(long sequence) {
        last = Math.max(last, sequence);
    }

    TaskNode get(long sequence) {
        TaskNode node = find(sequence);
        if (node == null) {
            throw new IllegalStateException("sequence " + sequence + " is not in the table");
        }
        return node;
    }

    private static int slot(long sequence) {
        return (int) sequence & (BLOCK - 1);
    }
}
