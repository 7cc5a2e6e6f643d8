package io.millrace.heap;

import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Topics with SCHEDULED tasks, ordered by their earliest due time: finding those that are due needs no scan. */
final class DueTopics {
    private final TreeSet<TopicQueue> byDue = new TreeSet<>(
            Comparator.<TopicQueue>comparingLong(topic -> topic.firstDue).thenComparing(topic -> topic.name));

    /** Called when a topic's earliest scheduled task may have changed. */
    void update(TopicQueue topic) {
        TaskNode first = topic.scheduled.peek();
        long due = first == null ? TaskNode.NONE : first.key;
        if (due == topic.firstDue) {
            return;
        }
        if (topic.firstDue != TaskNode.NONE) {
            byDue.remove(topic);
        }
        topic.firstDue = due;
        if (due != TaskNode.NONE) {
            byDue.add(topic);
        }
    }

    /** The first topic that has a task that is due. */
    @Nullable
    TopicQueue first(long now) {
        return byDue.isEmpty() || byDue.first().firstDue > now ? null : byDue.first();
    }
}
