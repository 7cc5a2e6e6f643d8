package io.millrace.heap;

import java.nio.ByteBuffer;

/** Finds out what of an old step is still needed, and has it written anew. */
final class CarryOver {
    private final HeapStore store;
    private final int segment;

    CarryOver(HeapStore store, int segment) {
        this.store = store;
        this.segment = segment;
    }

    void step(ByteBuffer entries) {
        EntryReader in = new EntryReader(entries);
        while (in.hasMore()) {
            entry(in.kind(), in.body());
        }
    }

    private void entry(int kind, EntryReader in) {
        switch (kind) {
            case Journaling.TASK -> task(in.number());
            case Journaling.WORKER -> worker(in);
            case Journaling.RECORD -> record(in.text());
            case Journaling.OPENED -> store.journaling().carryOverEpoch(segment);
            case Journaling.PACE -> pace(in.text());
            default -> {
                // what changed a task, or ended something, that stands in no older segment
            }
        }
    }

    private void pace(String name) {
        TopicQueue topic = store.table().topic(name);
        if (topic != null && topic.paceSegment == segment) {
            store.journaling().pace(topic);
        }
    }

    private void task(long sequence) {
        TaskNode node = store.table().bySequence().find(sequence);
        if (node != null && node.segment == segment) {
            store.journaling().carriedOver(node);
        }
    }

    private void worker(EntryReader in) {
        WorkerNode worker = store.workerTable().find(in.id());
        if (worker != null && worker.segment == segment) {
            store.journaling().worker(worker);
        }
    }

    private void record(String key) {
        HeapRecords.Kept kept = store.heapRecords().find(key);
        if (kept != null && kept.segment == segment) {
            store.journaling().record(kept);
        }
    }
}
