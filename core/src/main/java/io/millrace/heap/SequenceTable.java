package io.millrace.heap;

import java.util.HashMap;
import java.util.Map;
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

    TaskNode get(long sequence) {
        Block block = blocks.get(sequence >>> BLOCK_BITS);
        TaskNode node = block == null ? null : block.nodes[slot(sequence)];
        if (node == null) {
            throw new IllegalStateException("sequence " + sequence + " is not in the table");
        }
        return node;
    }

    private static int slot(long sequence) {
        return (int) sequence & (BLOCK - 1);
    }
}
