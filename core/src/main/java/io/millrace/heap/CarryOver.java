package io.millrace.heap;

import io.millrace.TaskQuery;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

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

    /** For a segment that cannot be read any more. */
    void all() {
        store.table().bySequence().forEach(this::task);
        store.workerTable().all().forEach(this::worker);
        store.heapRecords().all().forEach(this::record);
        store.table().topicsOf(TaskQuery.ALL).forEach(this::pace);
        store.journaling().carryOverEpoch(segment);
    }

    private void entry(int kind, EntryReader in) {
        switch (kind) {
            case Journaling.TASK, Journaling.TASK_2 ->
                task(store.table().bySequence().find(in.number()));
            case Journaling.WORKER, Journaling.WORKER_2 ->
                worker(store.workerTable().find(in.id()));
            case Journaling.RECORD -> record(store.heapRecords().find(in.text()));
            case Journaling.OPENED -> store.journaling().carryOverEpoch(segment);
            case Journaling.PACE -> pace(store.table().topic(in.text()));
            default -> {
                // what changed a task, or ended something, that stands in no older segment
            }
        }
    }

    private void pace(@Nullable TopicQueue topic) {
        if (topic != null && topic.paceSegment == segment) {
            store.journaling().pace(topic);
        }
    }

    private void task(@Nullable TaskNode node) {
        if (node != null && node.segment == segment) {
            store.journaling().carriedOver(node);
        }
    }

    private void worker(@Nullable WorkerNode worker) {
        if (worker != null && worker.segment == segment) {
            store.journaling().worker(worker);
        }
    }

    private void record(HeapRecords.@Nullable Kept kept) {
        if (kept != null && kept.segment == segment) {
            store.journaling().record(kept);
        }
    }
}
