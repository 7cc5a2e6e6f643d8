package io.millrace.heap;

import io.millrace.spi.EngineClock;
import io.millrace.spi.Records;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Builds a heap store from the steps that a {@link Journal} has kept, given in their order. */
public final class HeapRestore {
    /** Each opening hands out tokens and versions of its own, so that none comes twice even if some were lost. */
    private static final int EPOCH_BITS = 40;

    private final HeapStore store;
    /** Workers that only leases know: they left, or were lost with the last steps. */
    private final Map<UUID, WorkerNode> strangers = new HashMap<>();

    private long epoch;
    private int firstSegment = 1;

    /**
     * @param journal where the store goes on; it is not used before {@link #finish}
     * @param memoryLimit how many bytes of memory the tasks may take, about, before new ones are refused
     */
    public HeapRestore(Journal journal, EngineClock clock, long memoryLimit) {
        store = new HeapStore(clock, journal, memoryLimit);
    }

    /**
     * @param segment of the journal, where the step stands
     * @throws IllegalStateException if the step makes no sense: it is damaged, or of another version
     */
    public void step(int segment, ByteBuffer entries) {
        EntryReader in = new EntryReader(entries);
        while (in.hasMore()) {
            entry(in.kind(), in.body(), segment);
        }
    }

    private void entry(int kind, EntryReader in, int segment) {
        switch (kind) {
            case Journaling.TASK -> task(in, segment);
            case Journaling.TASK_2 -> task(in.ofVersion(2), segment);
            case Journaling.STATE -> state(in);
            case Journaling.STATE_2 -> state(in.ofVersion(2));
            case Journaling.TASK_GONE -> taskGone(in.number());
            case Journaling.WORKER -> worker(in, segment);
            case Journaling.WORKER_2 -> worker(in.ofVersion(2), segment);
            case Journaling.WORKER_GONE -> store.workerTable().restoreRemoval(in.id());
            case Journaling.RECORD -> {
                HeapRecords.Kept kept = new HeapRecords.Kept(new Records.Entry(in.text(), in.text(), in.number()));
                kept.segment = segment;
                store.heapRecords().restore(kept);
            }
            case Journaling.RECORD_GONE -> store.heapRecords().restoreRemoval(in.text(), in.number());
            case Journaling.OPENED -> epoch = Math.max(epoch, in.number());
            case Journaling.FIRST_SEGMENT -> firstSegment = in.smallNumber();
            case Journaling.PACE -> {
                TopicQueue topic = store.table().topicNamed(in.text());
                topic.restorePace(Double.longBitsToDouble(in.number()));
                topic.paceSegment = segment;
            }
            default -> throw new IllegalStateException("there is no entry of kind " + kind);
        }
    }

    private void worker(EntryReader in, int segment) {
        WorkerNode worker = WorkerNode.read(in, store.time().steady());
        worker.segment = segment;
        store.workerTable().restore(worker);
    }

    private void task(EntryReader in, int segment) {
        long sequence = in.number();
        taskGone(sequence);
        long created = in.number();
        // all tasks of a topic share its name
        var given = TaskEntries.readGiven(in, name -> store.table().topicNamed(name).name);
        TaskNode node = new TaskNode(given, store.table().topicNamed(given.topic()), sequence, created);
        TaskEntries.readState(in, node, this::worker);
        node.segment = segment;
        node.bytes = in.size() + 5;
        store.table().bySequence().add(node);
        store.journaling().live(node, node.bytes);
    }

    /** Of a task that is gone, or was carried over, what it was enqueued with may be gone while this is not. */
    private void state(EntryReader in) {
        TaskNode node = store.table().bySequence().find(in.number());
        if (node != null) {
            TaskEntries.readState(in, node, this::worker);
        }
    }

    private void taskGone(long sequence) {
        store.table().bySequence().startAfter(sequence);
        TaskNode node = store.table().bySequence().find(sequence);
        if (node != null) {
            store.table().bySequence().remove(node);
            store.journaling().live(node, -node.bytes);
        }
    }

    private WorkerNode worker(UUID id) {
        WorkerNode known = store.workerTable().find(id);
        return known == null ? strangers.computeIfAbsent(id, WorkerNode::knownById) : known;
    }

    /** The steps say that no segment from this one on was given up; an older one may be there or not. */
    public int firstSegment() {
        return firstSegment;
    }

    /** The store as it was. It goes on in the journal, which has all steps. */
    public HeapStore finish() {
        List<TaskNode> nodes = new ArrayList<>();
        store.table().bySequence().forEach(this::identify);
        store.table().bySequence().forEach(nodes::add);
        // if the journal was repaired, the step that told of an opening may be lost, but not what it gave out
        nodes.forEach(node -> epoch = Math.max(epoch, lastToken(node) >> EPOCH_BITS));
        store.table().restore(nodes, (epoch + 1) << EPOCH_BITS);
        nodes.stream()
                .filter(node -> node.running != null)
                .sorted(Comparator.comparingLong(node -> node.running().token))
                .forEach(this::hold);
        store.workerTable().all().forEach(WorkerNode::lostWithItsProcess);
        store.heapRecords().startAfter((epoch + 1) << EPOCH_BITS);
        store.begin(epoch + 1);
        return store;
    }

    /** If the journal was repaired, the step that told of the end of a task whose id came again may be lost. */
    private void identify(TaskNode node) {
        TaskNode older = store.table().restoreId(node);
        if (older != null) {
            taskGone(older.sequence);
        }
    }

    private static long lastToken(TaskNode node) {
        return node.running == null ? node.endedToken : node.running.token;
    }

    private void hold(TaskNode node) {
        WorkerNode worker = worker(node.running().lease.worker());
        worker.held.addLast(node);
        if (node.running().givenUp) {
            store.workerTable().givenUp.add(node);
        } else if (strangers.containsKey(worker.id)) {
            // if the journal was repaired, what told of the worker may be lost; it will not come back
            store.workerTable().giveUp(node);
        }
    }
}
