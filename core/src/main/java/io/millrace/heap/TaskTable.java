package io.millrace.heap;

import static io.millrace.TaskState.READY;
import static io.millrace.TaskState.RUNNING;
import static io.millrace.TaskState.SCHEDULED;
import static io.millrace.TaskState.WAITING;

import io.millrace.Attempt;
import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.Progress;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.When;
import io.millrace.heap.TaskNode.HistoryDue;
import io.millrace.heap.TaskNode.RunningAttempt;
import io.millrace.spi.ClaimRequest.TimeFrom;
import io.millrace.spi.KeptAttempts;
import io.millrace.spi.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * All tasks and their indexes, and the moves between states. A task stands in exactly one place by its state:
 *
 * <pre>
 * WAITING    nowhere          READY    its lane
 * SCHEDULED  topic.scheduled  RUNNING  its worker's list and leases
 * final      removals
 * </pre>
 *
 * Every move costs at most logarithmic time. Not thread-safe: the store's lock guards it.
 */
final class TaskTable {
    private final Map<UUID, TaskNode> byId = new HashMap<>();
    private final SequenceTable bySequence = new SequenceTable();
    private final Map<String, TopicQueue> topics = new HashMap<>();
    /** The same, in the order of their names. */
    private final NavigableMap<String, TopicQueue> topicsByName = new TreeMap<>();
    /** Topics with SCHEDULED tasks, ordered by their earliest due time. */
    private final DueTopics dueTopics = new DueTopics();
    /** RUNNING tasks by the steady moment at which their time-to-run ends. */
    final TaskHeap leases = new TaskHeap();
    /** Final tasks by the moment of their removal. */
    final TaskHeap removals = new TaskHeap();

    private final HeapTime time;
    private final Journaling journaling;
    private final MemoryLimit limit;
    private final Set<String> newlyReady = new LinkedHashSet<>();
    private long lastToken;
    private long lastPlace;
    private long weight;

    TaskTable(HeapTime time, Journaling journaling, MemoryLimit limit) {
        this.time = time;
        this.journaling = journaling;
        this.limit = limit;
    }

    Task snapshot(TaskNode node) {
        return node.snapshot(time);
    }

    /** Something of a task has changed that no move tells of. */
    void changed(TaskNode node) {
        journaling.changed(node);
    }

    void paceChanged(TopicQueue topic) {
        journaling.pace(topic);
    }

    /** How many bytes of memory all tasks take, about. */
    long weight() {
        return weight;
    }

    /** Whether the reserve has room for this many more bytes. */
    boolean hasRoomFor(long bytes) {
        return bytes <= 0 || !limit.leavesNoReserveFor(weight + bytes);
    }

    /** What all tasks will take once a task that has changed is weighed. */
    private long weightWith(TaskNode node) {
        return weight - node.weight + Estimates.memory(node);
    }

    /** A running task has said how far it is. Above the memory limit there is no room for what it says in words. */
    void progress(TaskNode node, Progress progress) {
        node.progress = progress;
        if (progress.message() != null && limit.isExceededBy(weightWith(node))) {
            node.progress = new Progress(progress.percent(), null, progress.at());
        }
        weight = weightWith(node);
        node.weight = Estimates.memory(node);
        journaling.changed(node);
    }

    @Nullable
    TaskNode find(UUID id) {
        return byId.get(id);
    }

    SequenceTable bySequence() {
        return bySequence;
    }

    @Nullable
    TopicQueue topic(String name) {
        return topics.get(name);
    }

    int topicCount() {
        return topics.size();
    }

    /** The topics whose names come behind one. */
    Collection<TopicQueue> topicsBehind(String name) {
        return topicsByName.tailMap(name, false).values();
    }

    /** The topics that a query is about. */
    Collection<TopicQueue> topicsOf(TaskQuery query) {
        if (query.topic() == null) {
            return topics.values();
        }
        TopicQueue topic = topics.get(query.topic());
        return topic == null ? List.of() : List.of(topic);
    }

    /** Takes a unique key away from a task that is past its deadline. */
    void passKeyOn(TaskNode overdue) {
        freeKey(overdue);
    }

    /** The pending task that holds this task's unique key, if another does. */
    @Nullable
    TaskNode keyHolder(NewTask task) {
        TopicQueue topic = topics.get(task.topic());
        return topic == null || task.uniqueKey() == null ? null : topic.uniqueKeys.get(task.uniqueKey());
    }

    /** The task that makes this one a duplicate, if there is one. */
    @Nullable
    TaskNode twin(NewTask task) {
        TaskNode sameId = byId.get(task.id());
        return sameId != null ? sameId : keyHolder(task);
    }

    void insert(NewTask task, long now) {
        TopicQueue topic = topicNamed(task.topic());
        promote(topic, now);
        TaskNode node = new TaskNode(task, topic, bySequence.nextSequence(), now);
        node.due = Math.max(now, millis(task.runAt(), now));
        node.deadline = task.deadline() == null ? TaskNode.NONE : millis(task.deadline(), now);
        node.waitingFor = task.waitFor();
        byId.put(task.id(), node);
        bySequence.add(node);
        journaling.created(node);
        if (task.uniqueKey() != null) {
            topic.uniqueKeys.put(task.uniqueKey(), node);
        }
        if (node.waitingFor > 0) {
            node.state = WAITING;
            entered(node);
        } else {
            enterQueue(node, now);
        }
    }

    /** Makes a task READY or, if it is not due yet, SCHEDULED. */
    private void enterQueue(TaskNode node, long now) {
        if (node.due > now) {
            node.state = SCHEDULED;
            node.key = node.due;
            node.topic.scheduled.add(node);
            dueTopics.update(node.topic);
        } else {
            node.state = READY;
            node.key = ++lastPlace;
            node.topic.lane(node.given.priority()).addLast(node);
            newlyReady.add(node.topic.name);
        }
        entered(node);
    }

    private void entered(TaskNode node) {
        node.topic.entered(node);
        node.weight = Estimates.memory(node);
        weight += node.weight;
    }

    /** Takes a task out of the place where its state had put it. */
    private void leavePlace(TaskNode node) {
        journaling.changed(node);
        node.topic.left(node);
        weight -= node.weight;
        if (node.list != null) {
            node.list.remove(node);
        }
        if (node.heapIndex >= 0) {
            heapOf(node).remove(node);
            if (node.state == SCHEDULED) {
                dueTopics.update(node.topic);
            }
        }
    }

    private TaskHeap heapOf(TaskNode node) {
        return switch (node.state) {
            case SCHEDULED -> node.topic.scheduled;
            case RUNNING -> leases;
            default -> removals;
        };
    }

    /** Makes READY what has become due in a topic, in the order of due times. */
    void promote(TopicQueue topic, long now) {
        TaskNode first = topic.scheduled.peek();
        while (first != null && first.key <= now) {
            leavePlace(first);
            enterQueue(first, now);
            first = topic.scheduled.peek();
        }
    }

    void promoteAll(long now) {
        TopicQueue first = dueTopics.first(now);
        while (first != null) {
            promote(first, now);
            first = dueTopics.first(now);
        }
    }

    /** @param from when the time-to-run begins */
    Lease lease(TaskNode node, WorkerNode worker, Duration timeToRun, TimeFrom from, long now) {
        leavePlace(node);
        node.state = RUNNING;
        node.attempts++;
        node.progress = null;
        Lease lease = new Lease(node.given.id(), node.attempts, worker.id, text(++lastToken));
        node.running = new RunningAttempt(lastToken, lease, worker, now, node.key, timeToRun.toMillis());
        node.running.leasedAt = time.steady();
        node.key = from == TimeFrom.START ? TaskNode.NONE : time.steady() + timeToRun.toMillis();
        worker.held.addLast(node);
        leases.add(node);
        entered(node);
        return lease;
    }

    /** Its worker has started a task, which may have been known. */
    void started(TaskNode node) {
        RunningAttempt running = node.running();
        if (running.isStarted()) {
            return;
        }
        journaling.changed(node);
        if (node.key == TaskNode.NONE) {
            leaseEndsIn(node, running.timeToRun);
        }
        running.timeToRun = TaskNode.NONE;
    }

    void leaseEndsIn(TaskNode node, long millis) {
        node.key = time.steady() + millis;
        leases.moved(node);
    }

    /** The lease of a task that was not started has no end. */
    void leaseHasNoEnd(TaskNode node) {
        node.key = TaskNode.NONE;
        leases.moved(node);
    }

    /** Whether a lease was given longer ago than this. */
    boolean isOlder(RunningAttempt running, Duration age) {
        return running.leasedAt < time.steady() - age.toMillis();
    }

    /** Tasks whose time-to-run is over. */
    List<TaskNode> overrun() {
        return leases.upTo(time.steady());
    }

    /** Passes a lease to a reaper; the one before is void. */
    Lease takeOver(TaskNode node, WorkerNode reaper, long forMillis, long now) {
        RunningAttempt running = node.running();
        journaling.changed(node);
        if (node.list != null) {
            node.list.remove(node);
        }
        reaper.held.addLast(node);
        leaseEndsIn(node, forMillis);
        running.givenUp = false;
        running.leasedAt = time.steady();
        running.token = ++lastToken;
        running.lease = new Lease(node.given.id(), node.attempts, reaper.id, text(lastToken));
        return running.lease;
    }

    static String text(long token) {
        return Long.toString(token, Character.MAX_RADIX);
    }

    /** Whether the last lease that ended was this very one, and ended so. */
    static boolean wasEndedUnder(Lease lease, Outcome outcome, TaskNode node) {
        return node.endedToken != 0
                && lease.token().equals(text(node.endedToken))
                && lease.worker().equals(node.endedBy)
                && outcome == node.endedOutcome;
    }

    /** Ends a lease that was no attempt. The task is still in its place; a move must follow. */
    void endLease(TaskNode node, Outcome outcome) {
        noteEnd(node, outcome);
        node.attempts--;
    }

    private static void noteEnd(TaskNode node, Outcome outcome) {
        RunningAttempt running = node.running();
        node.endedToken = running.token;
        node.endedBy = running.lease.worker();
        node.endedOutcome = outcome;
    }

    /** Notes how the running attempt ended. The task is still in its place; a move must follow. */
    void endAttempt(TaskNode node, Outcome outcome, @Nullable String error, long now) {
        RunningAttempt running = node.running();
        Attempt attempt = new Attempt(
                node.attempts,
                running.runner.id,
                Instant.ofEpochMilli(running.since),
                Instant.ofEpochMilli(Math.max(now, running.since)),
                outcome,
                MemoryLimit.shared(error));
        noteEnd(node, outcome);
        node.add(attempt);
        boolean more = node.historyDue != HistoryDue.NOTHING;
        node.historyDue = cutHistory(node, attempt) || more ? HistoryDue.ALL : HistoryDue.NEWEST;
    }

    /** Above the memory limit, little is kept of a history. @return whether there was more */
    private boolean cutHistory(TaskNode node, Attempt newest) {
        if (!limit.isExceededBy(weightWith(node))) {
            return false;
        }
        boolean cut = node.ended().size() > 1 || KeptAttempts.characters(newest) > MemoryLimit.ERROR_LENGTH;
        node.keep(List.of(MemoryLimit.withShortError(newest)));
        if (newest.error() != null && limit.leavesNoReserveFor(weightWith(node))) {
            node.keep(List.of(MemoryLimit.withoutError(newest)));
            cut = true;
        }
        return cut;
    }

    /** Queues a task anew, from any state in which it can be. */
    void requeue(TaskNode node, long due, long now) {
        promote(node.topic, now);
        leavePlace(node);
        node.running = null;
        node.due = Math.max(due, now);
        enterQueue(node, now);
    }

    /** Puts a task back to where it stood before it was claimed. */
    void putBack(TaskNode node) {
        leavePlace(node);
        node.key = node.running().place;
        node.running = null;
        node.state = READY;
        node.topic.lane(node.given.priority()).addBack(node);
        newlyReady.add(node.topic.name);
        entered(node);
    }

    /** Counts one arrival. @return whether it was the last, and the task is queued now */
    boolean arrive(TaskNode node, long now) {
        if (node.state != WAITING) {
            return false;
        }
        node.waitingFor--;
        journaling.changed(node);
        if (node.waitingFor > 0) {
            return false;
        }
        requeue(node, node.due, now);
        return true;
    }

    void finish(TaskNode node, TaskState state, @Nullable Payload result, Duration retention, long now) {
        leavePlace(node);
        node.running = null;
        node.waitingFor = 0;
        node.state = state;
        node.finished = now;
        node.result = result;
        node.key = now + retention.toMillis();
        freeKey(node);
        removals.add(node);
        entered(node);
        if (retention.isZero()) {
            remove(node, now);
        }
    }

    /** Makes a final task READY again, as if it had just been enqueued, but for its attempts. */
    void revive(TaskNode node, long now) {
        String key = node.given.uniqueKey();
        if (key != null) {
            node.topic.uniqueKeys.put(key, node);
        }
        node.retries = 0;
        node.losses = 0;
        node.deadline = TaskNode.NONE;
        node.finished = TaskNode.NONE;
        node.result = null;
        node.progress = null;
        requeue(node, now, now);
    }

    void remove(TaskNode node, long now) {
        leavePlace(node);
        freeKey(node);
        byId.remove(node.given.id());
        bySequence.remove(node);
        journaling.removed(node);
        if (node.topic.isIdle(now)) {
            forget(node.topic);
        }
    }

    private void forget(TopicQueue topic) {
        topics.remove(topic.name);
        topicsByName.remove(topic.name);
        weight -= Estimates.TOPIC;
    }

    private static void freeKey(TaskNode node) {
        String key = node.given.uniqueKey();
        if (key != null) {
            node.topic.uniqueKeys.remove(key, node);
        }
    }

    // what was kept

    /** A topic that is made if it is not there. */
    TopicQueue topicNamed(String name) {
        TopicQueue known = topics.get(name);
        if (known != null) {
            return known;
        }
        TopicQueue topic = new TopicQueue(name);
        topics.put(name, topic);
        topicsByName.put(name, topic);
        weight += Estimates.TOPIC;
        return topic;
    }

    /** @return the task that had the id so far, and is gone */
    @Nullable
    TaskNode restoreId(TaskNode node) {
        return byId.put(node.given.id(), node);
    }

    /** Puts restored tasks into the places where their states say they stand. */
    void restore(List<TaskNode> nodes, long firstToken) {
        lastToken = firstToken;
        for (TaskNode node : nodes) {
            if (node.state.isPending() && node.given.uniqueKey() != null) {
                node.topic.uniqueKeys.put(node.given.uniqueKey(), node);
            }
            entered(node);
            if (node.running != null) {
                lastPlace = Math.max(lastPlace, node.running.place);
            }
            if (node.state == SCHEDULED || node.state == RUNNING || node.state.isFinal()) {
                heapOf(node).add(node);
            }
            if (node.state == SCHEDULED) {
                dueTopics.update(node.topic);
            }
        }
        nodes.stream()
                .filter(node -> node.state == READY)
                .sorted(Comparator.comparingLong(node -> node.key))
                .forEach(this::restoreReady);
        topics.values().stream().filter(topic -> topic.isIdle(0)).toList().forEach(this::forget);
    }

    private void restoreReady(TaskNode node) {
        lastPlace = Math.max(lastPlace, node.key);
        node.topic.lane(node.given.priority()).addLast(node);
    }

    /** The topics that got ready tasks since this was last asked. */
    List<String> takeNewlyReady() {
        if (newlyReady.isEmpty()) {
            return List.of();
        }
        List<String> taken = List.copyOf(newlyReady);
        newlyReady.clear();
        return taken;
    }

    static long millis(When when, long now) {
        return when.from(Instant.ofEpochMilli(now)).toEpochMilli();
    }
}
