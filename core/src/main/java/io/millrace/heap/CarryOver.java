package io.millrace.heap;

import io.millrace.TaskQuery;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what of an old step is still needed, and has it written anew, in steps of bounded size: what a step brought
 * may be much larger by now.
 */
final class CarryOver {
    private final HeapStore store;
    private final int segment;
    private final EntryReader entries;
    /** Numbers of tasks to look at, besides the entries. */
    private final Queue<Long> tasks = new ArrayDeque<>();

    private CarryOver(HeapStore store, int segment, ByteBuffer entries) {
        this.store = store;
        this.segment = segment;
        this.entries = new EntryReader(entries);
    }

    static CarryOver ofStep(HeapStore store, int segment, ByteBuffer entries) {
        return new CarryOver(store, segment, entries);
    }

    /** For a segment that cannot be read any more. */
    static CarryOver ofAll(HeapStore store, int segment) {
        CarryOver over = new CarryOver(store, segment, ByteBuffer.allocate(0));
        store.table().bySequence().forEach(node -> over.tasks.add(node.sequence));
        store.workerTable().all().forEach(over::worker);
        store.heapRecords().all().forEach(over::record);
        store.table().topicsOf(TaskQuery.ALL).forEach(over::pace);
        store.journaling().carryOverEpoch(segment);
        return over;
    }

    /** Collects as much as one step should have. @return whether there is more */
    boolean some() {
        while (hasMore() && !store.journaling().isLarge()) {
            Long task = tasks.poll();
            if (task == null) {
                entry(entries.kind(), entries.body());
            } else {
                task(store.table().bySequence().find(task));
            }
        }
        return hasMore();
    }

    private boolean hasMore() {
        return !tasks.isEmpty() || entries.hasMore();
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
