package io.millrace.heap;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Collects what a call of the store changes, and writes it to the journal as one step. Without a journal it does nothing.
 *
 * <p>The journal's segments are reclaimed oldest first. So a task's base (what it was enqueued with) is all that must be
 * carried over: every later entry about it stands in the same segment or in a younger one.
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

    /** What has to be written about a task. */
    enum Due {
        NOTHING,
        STATE,
        ALL,
        REMOVAL
    }

    private final @Nullable Journal journal;
    private final EntryWriter out = new EntryWriter();
    private final List<TaskNode> tasks = new ArrayList<>();
    private final List<WorkerNode> workers = new ArrayList<>();
    private final List<HeapRecords.Kept> records = new ArrayList<>();
    private final List<TopicQueue> paces = new ArrayList<>();
    /** Which opening of the store this is, and where the journal says so. */
    private long epoch;

    private int epochSegment = TaskNode.NOT_KEPT;
    private boolean epochWritten;
    private final Map<Integer, Long> liveBytes = new TreeMap<>();
    private long lastStep;

    Journaling(@Nullable Journal journal) {
        this.journal = journal;
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
            out.begin(WORKER);
            worker.write(out);
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

    /** Writes what was collected. @return the number of the last step, this one or one before */
    long flush() {
        if (journal == null) {
            return 0;
        }
        for (TaskNode node : tasks) {
            write(node);
        }
        if (out.size() > 0) {
            lastStep = journal.append(out.take());
        }
        placed(journal.segment());
        return lastStep;
    }

    private void write(TaskNode node) {
        boolean known = node.segment != TaskNode.NOT_KEPT;
        if (node.journalDue == Due.REMOVAL) {
            if (known) {
                out.begin(TASK_GONE);
                out.number(node.sequence);
                out.end();
                live(node, -node.bytes);
            }
            return;
        }
        boolean whole = node.journalDue == Due.ALL || !known;
        out.begin(whole ? TASK : STATE);
        out.number(node.sequence);
        if (whole) {
            TaskEntries.writeGiven(out, node);
        }
        TaskEntries.writeState(out, node, whole);
        int size = out.end();
        node.attemptAdded = false;
        if (whole) {
            if (known) {
                live(node, -node.bytes);
            }
            node.bytes = size;
            node.journalDue = Due.ALL;
        }
    }

    private void placed(int segment) {
        for (TaskNode node : tasks) {
            if (node.journalDue == Due.ALL) {
                node.segment = segment;
                live(node, node.bytes);
            }
            node.journalDue = Due.NOTHING;
        }
        tasks.clear();
        workers.forEach(worker -> worker.segment = segment);
        workers.clear();
        records.forEach(record -> record.segment = segment);
        records.clear();
        paces.forEach(topic -> topic.paceSegment = segment);
        paces.clear();
        epochSegment = epochWritten ? segment : epochSegment;
        epochWritten = false;
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

    void await(boolean durable, long step) {
        if (journal == null || step == 0) {
            return;
        }
        if (durable) {
            journal.awaitDurable(step);
        } else {
            journal.awaitWritten(step);
        }
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
