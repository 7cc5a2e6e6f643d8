package io.millrace.heap;

import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.spi.TextSearch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the tasks that match a query, in the order of creation. Topic and state pick the sets to walk over; the
 * other filters look at each task in them. Whoever walks may stop anywhere, and go on from there under another lock.
 */
final class Matching {
    /** With more topics than this, a scan of all tasks is cheaper than a merge of the sets of each topic and state. */
    private static final int MANY_TOPICS = 100;

    private final TaskTable table;
    private final TaskQuery query;
    private final @Nullable TextSearch text;
    private final PriorityQueue<Source> sources = new PriorityQueue<>();

    /** One of the sets to walk over, and the next number in it. */
    private record Source(long next, SequenceSet set) implements Comparable<Source> {
        @Override
        public int compareTo(Source other) {
            return Long.compare(next, other.next);
        }
    }

    Matching(TaskTable table, TaskQuery query, long from) {
        this.table = table;
        this.query = query;
        text = query.text() == null ? null : new TextSearch(query.text());
        for (SequenceSet set : candidates()) {
            add(set, from);
        }
    }

    private void add(SequenceSet set, long from) {
        long next = set.next(from);
        if (next != SequenceSet.END) {
            sources.add(new Source(next, set));
        }
    }

    private List<SequenceSet> candidates() {
        if (query.topic() == null && (query.states().isEmpty() || table.topicCount() > MANY_TOPICS)) {
            return List.of(table.bySequence().present());
        }
        List<SequenceSet> sets = new ArrayList<>();
        for (TopicQueue topic : table.topicsOf(query)) {
            states().stream().map(topic::inState).forEach(sets::add);
        }
        return sets;
    }

    private Set<TaskState> states() {
        return query.states().isEmpty() ? EnumSet.allOf(TaskState.class) : query.states();
    }

    boolean hasMore() {
        return !sources.isEmpty();
    }

    /** The next task looked at, or null if it does not match. */
    @Nullable
    TaskNode look() {
        Source source = sources.remove();
        add(source.set, source.next + 1);
        TaskNode node = table.bySequence().get(source.next);
        return matches(node) ? node : null;
    }

    /** Where a later walk has to begin to see what this one has not looked at. */
    long position() {
        Source source = sources.peek();
        return source == null ? SequenceSet.END : source.next;
    }

    private boolean matches(TaskNode node) {
        return (query.states().isEmpty() || query.states().contains(node.state))
                && hasScope(node)
                && (query.entityId() == null || query.entityId().equals(node.given.entityId()))
                && (query.worker() == null
                        || (node.running != null && query.worker().equals(node.running.lease.worker())))
                && (query.createdAfter() == null || created(node).isAfter(query.createdAfter()))
                && (query.createdBefore() == null || created(node).isBefore(query.createdBefore()))
                && (text == null || node.ended().stream().anyMatch(attempt -> text.isIn(attempt.error())));
    }

    private boolean hasScope(TaskNode node) {
        List<String> scope = node.given.scope();
        int length = query.scope().size();
        return length == 0
                || (scope.size() >= length && scope.subList(0, length).equals(query.scope()));
    }

    private static Instant created(TaskNode node) {
        return Instant.ofEpochMilli(node.created);
    }
}
