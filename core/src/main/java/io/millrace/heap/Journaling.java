package io.millrace.heap;

import io.millrace.StoreUnavailableException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Collects what a call of the store changes, and writes it to the journal as one step. Without a journal it does
 * nothing.
 *
 * <p>The journal's segments are reclaimed oldest first. So a task's base (what it was enqueued with) is all that must
 * be carried over: every later entry about it stands in the same segment or in a younger one.
 */
final class Journaling {
    static final int TASK = 1;
    static final int STATE = 2;
    static final int TASK_GONE = 3;
    static final int WORKER = 4;
    static final int WORKER_GONE = 5;
    static final int RECORD = 6;
    static final int RECORD_GONE = 7;
    static final int OPENED = 8;
    static final int PACE = 9;
    static final int FIRST_SEGMENT = 10;
    // the same with more in them, since version 2
    static final int TASK_2 = 11;
    static final int STATE_2 = 12;
    static final int WORKER_2 = 14;

    /** What has to be written about a task. */
    enum Due {
        NOTHING,
        STATE,
        ALL,
        REMOVAL
    }

    private final @Nullable Journal journal;
    private final HeapTime time;
    private final EntryWriter out = new EntryWriter();
    private final List<TaskNode> tasks = new ArrayList<>();
    /** How many bytes each of them takes. */
    private int[] sizes = new int[1 << 10];

    private final List<WorkerNode> workers = new ArrayList<>();
    private final List<HeapRecords.Kept> records = new ArrayList<>();
    private final List<TopicQueue> paces = new ArrayList<>();
    /** Which opening of the store this is, and where the journal says so. */
    private long epoch;

    private int epochSegment = TaskNode.NOT_KEPT;
    private boolean epochWritten;
    private final Map<Integer, Long> liveBytes = new TreeMap<>();
    private volatile long lastStep;
    /** How many of the collected tasks were measured, and how many bytes they need, about. */
    private int measured;

    private long measuredBytes;

    Journaling(@Nullable Journal journal, HeapTime time) {
        this.journal = journal;
        this.time = time;
    }

    void created(TaskNode node) {
        mark(node, Due.ALL);
    }

    void changed(TaskNode node) {
        if (node.journalDue == Due.NOTHING) {
            mark(node, Due.STATE);
        }
    }

    void removed(TaskNode node) {
        mark(node, Due.REMOVAL);
    }

    private void mark(TaskNode node, Due due) {
        if (journal == null) {
            return;
        }
        if (node.journalDue == Due.NOTHING) {
            tasks.add(node);
        }
        node.journalDue = due;
    }

    void carriedOver(TaskNode node) {
        mark(node, Due.ALL);
    }

    void worker(WorkerNode worker) {
        if (journal != null) {
            out.begin(WORKER_2);
            worker.write(out, time);
            out.end();
            workers.add(worker);
        }
    }

    void workerGone(UUID id) {
        if (journal != null) {
            out.begin(WORKER_GONE);
            out.id(id);
            out.end();
        }
    }

    void record(HeapRecords.Kept record) {
        if (journal != null) {
            out.begin(RECORD);
            out.text(record.entry.key());
            out.text(record.entry.value());
            out.number(record.entry.version());
            out.end();
            records.add(record);
        }
    }

    void recordGone(String key, long version) {
        if (journal != null) {
            out.begin(RECORD_GONE);
            out.text(key);
            out.number(version);
            out.end();
        }
    }

    void opened(long number) {
        epoch = number;
        writeEpoch();
    }

    private void writeEpoch() {
        if (journal != null) {
            out.begin(OPENED);
            out.number(epoch);
            out.end();
            epochWritten = true;
        }
    }

    void carryOverEpoch(int segment) {
        if (epochSegment == segment) {
            writeEpoch();
        }
    }

    /** The latest such entry is never in the oldest segment, so it need not be carried over. */
    void beginWithSegment(int number) {
        if (journal != null) {
            out.begin(FIRST_SEGMENT);
            out.number(number);
            out.end();
        }
    }

    /** How far ahead of time a topic's rate is; only its last entry counts. */
    void pace(TopicQueue topic) {
        if (journal != null) {
            out.begin(PACE);
            out.text(topic.name);
            out.number(Double.doubleToLongBits(topic.pace()));
            out.end();
            paces.add(topic);
        }
    }

    void admit(Journal.Use use, long bytes) {
        if (journal != null) {
            journal.admit(use, bytes);
        }
    }

    long largestStep() {
        return journal == null ? Long.MAX_VALUE : journal.largestStep();
    }

    /** How many bytes the step that is being collected will have, about. */
    long collected() {
        for (; measured < tasks.size(); measured++) {
            measuredBytes += Estimates.entry(tasks.get(measured));
        }
        return measuredBytes + out.size();
    }

    /** Whether a step is as large as it should be: what follows should be another one. */
    boolean isLarge() {
        return journal != null && collected() >= journal.largestStep();
    }

    /**
     * Writes what was collected.
     *
     * @return the number of the last step, this one or one before
     * @throws StoreUnavailableException if it cannot be written now; it stays collected and goes with the next step
     */
    long flush() {
        if (journal == null) {
            return 0;
        }
        int collected = out.size();
        sizes = sizes.length < tasks.size() ? new int[tasks.size() * 2] : sizes;
        try {
            for (int i = 0; i < tasks.size(); i++) {
                sizes[i] = write(tasks.get(i));
            }
            if (out.size() > 0) {
                lastStep = journal.append(out.written());
            }
        } catch (RuntimeException | Error e) {
            out.cutTo(collected);
            throw e;
        }
        out.cutTo(0);
        placed(journal.segment());
        return lastStep;
    }

    /** For calls that promise nothing: what cannot be written now goes with the next step. */
    long flushIfPossible() {
        try {
            return flush();
        } catch (StoreUnavailableException e) {
            return lastStep;
        }
    }

    /** @return how many bytes a task takes that is written whole */
    private int write(TaskNode node) {
        boolean known = node.segment != TaskNode.NOT_KEPT;
        if (node.journalDue == Due.REMOVAL) {
            if (known) {
                out.begin(TASK_GONE);
                out.number(node.sequence);
                out.end();
            }
            return 0;
        }
        boolean whole = node.journalDue == Due.ALL;
        out.begin(whole ? TASK_2 : STATE_2);
        out.number(node.sequence);
        if (whole) {
            TaskEntries.writeGiven(out, node);
        }
        TaskEntries.writeState(out, node, time, whole);
        int size = out.end();
        return whole ? size : 0;
    }

    private void placed(int segment) {
        for (int i = 0; i < tasks.size(); i++) {
            placed(tasks.get(i), segment, sizes[i]);
        }
        tasks.clear();
        measured = 0;
        measuredBytes = 0;
        workers.forEach(worker -> worker.segment = segment);
        workers.clear();
        records.forEach(record -> record.segment = segment);
        records.clear();
        paces.forEach(topic -> topic.paceSegment = segment);
        paces.clear();
        epochSegment = epochWritten ? segment : epochSegment;
        epochWritten = false;
    }

    private void placed(TaskNode node, int segment, int size) {
        node.historyDue = TaskNode.HistoryDue.NOTHING;
        if (node.journalDue != Due.STATE && node.segment != TaskNode.NOT_KEPT) {
            live(node, -node.bytes);
        }
        if (node.journalDue == Due.ALL) {
            node.segment = segment;
            node.bytes = size;
            live(node, size);
        }
        node.journalDue = Due.NOTHING;
    }

    void live(TaskNode node, long change) {
        liveBytes.merge(node.segment, change, Long::sum);
    }

    /** How many bytes of tasks are still needed, by segment. */
    Map<Integer, Long> liveBytes() {
        return Map.copyOf(liveBytes);
    }

    void forgetSegment(int segment) {
        liveBytes.remove(segment);
    }

    /** Waits until a step is durable, or only sees to it that it is on its way. */
    void keep(boolean durable, long step) {
        if (journal == null || step == 0) {
            return;
        }
        if (durable) {
            journal.awaitDurable(step);
        } else {
            journal.writeSoon(step);
        }
    }

    /** Sees to it that nothing stays behind that was collected by calls which promise nothing. */
    void hasten() {
        keep(false, lastStep);
    }

    void copyTo(Path directory) {
        if (journal == null) {
            throw new UnsupportedOperationException(
                    "tasks in memory alone cannot be copied to a directory: use embedded:");
        }
        journal.copyTo(directory);
    }

    void close() {
        if (journal != null) {
            journal.close();
        }
    }

    boolean isKept() {
        return journal != null;
    }
}
