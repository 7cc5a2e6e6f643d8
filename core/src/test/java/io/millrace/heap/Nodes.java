package io.millrace.heap;

import io.millrace.NewTask;

/** Tasks for the structures that hold them. */
final class Nodes {
    private static final NewTask TASK = NewTask.builder("email").build();

    private final TopicQueue topic = new TopicQueue("email");
    private long sequence;

    /** The next task, with this key. */
    TaskNode node(long key) {
        TaskNode node = numbered(++sequence);
        node.key = key;
        return node;
    }

    /** The next task, which queues up behind all before it. */
    TaskNode inLine() {
        return node(sequence + 1);
    }

    TaskNode numbered(long number) {
        return new TaskNode(TASK, topic, number, 0);
    }
}
