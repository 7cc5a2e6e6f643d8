package io.millrace.heap;

import io.millrace.Rate;
import io.millrace.TaskState;
import io.millrace.spi.Pace;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** All of one topic: its lanes, what is due later, who holds a unique key, and how many tasks are in each state. */
final class TopicQueue {
    /** Empty lanes are kept for reuse while they are so few that passing over them costs nothing. */
    private static final int SPARE_LANES = 8;

    final String name;
    final TaskHeap scheduled = new TaskHeap();
    /** When the first of them is due, for {@link DueTopics}. */
    long firstDue = TaskNode.NONE;

    final Map<String, TaskNode> uniqueKeys = new HashMap<>();
    /** READY and SCHEDULED tasks with a deadline, the earliest first: those that take up room. */
    private final NavigableSet<TaskNode> deadlines = new TreeSet<>(
            Comparator.<TaskNode>comparingLong(node -> node.deadline).thenComparingLong(node -> node.sequence));

    private final TreeMap<Integer, TaskList> lanes = new TreeMap<>();
    private final Map<TaskState, SequenceSet> byState = new EnumMap<>(TaskState.class);

    /** When the last start would have been due at an even pace: the one number that a rate limit needs. */
    private double pace;

    /** Of the journal, where the pace stands. */
    int paceSegment = TaskNode.NOT_KEPT;

    TopicQueue(String name) {
        this.name = name;
        for (TaskState state : TaskState.values()) {
            byState.put(state, new SequenceSet());
        }
    }

    long count(TaskState state) {
        return inState(state).size();
    }

    SequenceSet inState(TaskState state) {
        return Objects.requireNonNull(byState.get(state));
    }

    void entered(TaskNode node) {
        inState(node.state).add(node.sequence);
        if (takesRoomUntilDeadline(node)) {
            deadlines.add(node);
        }
    }

    void left(TaskNode node) {
        inState(node.state).remove(node.sequence);
        if (takesRoomUntilDeadline(node)) {
            deadlines.remove(node);
        }
    }

    private static boolean takesRoomUntilDeadline(TaskNode node) {
        return node.mayExpire() && node.state != TaskState.WAITING;
    }

    /** Up to so many tasks whose deadline has passed, and that take up room. */
    List<UUID> overdue(long now, int most) {
        return deadlines.stream()
                .takeWhile(node -> node.isOverdue(now))
                .limit(most)
                .map(node -> node.given.id())
                .toList();
    }

    TaskList lane(int priority) {
        return lanes.computeIfAbsent(priority, any -> new TaskList());
    }

    /** The task whose turn it is: of the lowest priority number, the first. */
    @Nullable
    TaskNode head() {
        var entries = lanes.values().iterator();
        while (entries.hasNext()) {
            TaskList lane = entries.next();
            TaskNode first = lane.first();
            if (first != null) {
                return first;
            }
            if (lanes.size() > SPARE_LANES) {
                entries.remove();
            }
        }
        return null;
    }

    /** How many starts the rate allows now. */
    int allowedBy(Rate rate, long now) {
        return (int) Pace.allowed(rate, pace, now);
    }

    double pace() {
        return pace;
    }

    void restorePace(double value) {
        pace = value;
    }

    void started(int tasks, Rate rate, long now) {
        pace = Pace.after(tasks, rate, pace, now);
    }

    /** When the rate will allow one more start. */
    long nextAllowedBy(Rate rate, long now) {
        return Pace.next(rate, pace, now);
    }

    /** Nothing would be forgotten with it. */
    boolean isIdle(long now) {
        return pace <= now && byState.values().stream().allMatch(set -> set.size() == 0);
    }
}
