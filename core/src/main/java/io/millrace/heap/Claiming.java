package io.millrace.heap;

import io.millrace.ClaimOrder;
import io.millrace.Rate;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.FromTopic;
import io.millrace.spi.ClaimRequest.TimeFrom;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.WorkerStanding;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Leases ready tasks to a worker: each topic's share first, then what is left in the order of the topics. */
final class Claiming {
    /** So many late tasks are enough for one claim: others wait for the lock. */
    private static final int MOST_OVERDUE = 1_000;

    private final TaskTable table;
    private final WorkerTable workers;

    Claiming(TaskTable table, WorkerTable workers) {
        this.table = table;
        this.workers = workers;
    }

    ClaimResult claim(ClaimRequest request, long now) {
        WorkerNode worker = workers.seenAlive(request.worker());
        WorkerStanding standing = workers.standing(request.worker());
        if (worker == null || standing != WorkerStanding.ALIVE) {
            return ClaimResult.refused(standing);
        }
        Taking taking = new Taking(worker, request, now);
        if (request.order() == ClaimOrder.OLDEST) {
            taking.takeOldest(request.topics());
        } else {
            for (FromTopic from : request.topics()) {
                taking.take(from, from.share());
            }
            for (FromTopic from : request.topics()) {
                taking.take(from, request.max());
            }
        }
        boolean cutShort = taking.overdue.size() == MOST_OVERDUE;
        Instant next = cutShort ? Instant.ofEpochMilli(now) : nextDue(request, now);
        return new ClaimResult(standing, taking.leased, taking.overdue, next);
    }

    /** A topic, by its oldest task. */
    private static final class Source implements Comparable<Source> {
        final FromTopic from;
        final TopicQueue topic;
        final int most;
        int given;

        @Nullable
        TaskNode head;

        Source(FromTopic from, TopicQueue topic, int most) {
            this.from = from;
            this.topic = topic;
            this.most = most;
            head = topic.head();
        }

        TaskNode head() {
            return Objects.requireNonNull(head);
        }

        void next() {
            head = topic.head();
        }

        @Override
        public int compareTo(Source other) {
            int byPriority =
                    Integer.compare(head().given.priority(), other.head().given.priority());
            return byPriority != 0 ? byPriority : Long.compare(head().sequence, other.head().sequence);
        }
    }

    private final class Taking {
        final List<LeasedTask> leased = new ArrayList<>();
        final List<LeasedTask> overdue = new ArrayList<>();
        private final WorkerNode worker;
        private final int max;
        private final TimeFrom timeFrom;
        private final long now;

        Taking(WorkerNode worker, ClaimRequest request, long now) {
            this.worker = worker;
            this.max = request.max();
            this.timeFrom = request.timeFrom();
            this.now = now;
        }

        void take(FromTopic from, int wanted) {
            TopicQueue topic = table.topic(from.topic());
            if (topic == null || leased.size() >= max) {
                return;
            }
            table.promote(topic, now);
            int most = allowed(from, topic, Math.min(wanted, max - leased.size()));
            int before = leased.size();
            TaskNode head = topic.head();
            while (head != null && leased.size() - before < most && overdue.size() < MOST_OVERDUE) {
                give(head, from.policy());
                head = topic.head();
            }
            Rate rate = from.rate();
            if (rate != null) {
                topic.started(leased.size() - before, rate, now);
                table.paceChanged(topic);
            }
        }

        /** The topic whose head is the oldest gives a task, and queues up again with its next one. */
        void takeOldest(List<FromTopic> topics) {
            PriorityQueue<Source> sources = new PriorityQueue<>();
            for (FromTopic from : topics) {
                TopicQueue topic = table.topic(from.topic());
                if (topic != null) {
                    table.promote(topic, now);
                    enqueue(new Source(from, topic, allowed(from, topic, max)), sources);
                }
            }
            while (!sources.isEmpty() && leased.size() < max && overdue.size() < MOST_OVERDUE) {
                Source source = sources.remove();
                source.given += give(source.head(), source.from.policy()) ? 1 : 0;
                source.next();
                enqueue(source, sources);
            }
            sources.forEach(this::started);
        }

        private void enqueue(Source source, PriorityQueue<Source> sources) {
            if (source.given < source.most && source.head != null) {
                sources.add(source);
            } else {
                started(source);
            }
        }

        private void started(Source source) {
            Rate rate = source.from.rate();
            if (rate != null && source.given > 0) {
                source.topic.started(source.given, rate, now);
                table.paceChanged(source.topic);
            }
        }

        private int allowed(FromTopic from, TopicQueue topic, int wanted) {
            long most = wanted;
            Integer concurrency = from.concurrency();
            if (concurrency != null) {
                most = Math.min(most, concurrency - topic.count(TaskState.RUNNING) + overdueOf(topic));
            }
            Rate rate = from.rate();
            if (rate != null) {
                most = Math.min(most, topic.allowedBy(rate, now));
            }
            return (int) most;
        }

        /** What is leased to be ended does not run. */
        private long overdueOf(TopicQueue topic) {
            return overdue.stream()
                    .filter(task -> task.task().topic().equals(topic.name))
                    .count();
        }

        /**
         * What is past its deadline will never be started, and its lease ends in any case: whoever should end the task
         * may die.
         *
         * @return whether it is given to be run
         */
        private boolean give(TaskNode node, TopicPolicy policy) {
            boolean isOverdue = node.deadline < now;
            Duration own = node.given.timeout();
            Duration timeToRun = own == null ? policy.timeout() : own;
            Lease lease = table.lease(node, worker, timeToRun, isOverdue ? TimeFrom.CLAIM : timeFrom, now);
            (isOverdue ? overdue : leased).add(new LeasedTask(table.snapshot(node), lease, timeToRun));
            return !isOverdue;
        }
    }

    private @Nullable Instant nextDue(ClaimRequest request, long now) {
        long next = Long.MAX_VALUE;
        for (FromTopic from : request.topics()) {
            TopicQueue topic = table.topic(from.topic());
            if (topic == null) {
                continue;
            }
            TaskNode scheduled = topic.scheduled.peek();
            if (scheduled != null) {
                next = Math.min(next, scheduled.key);
            }
            Rate rate = from.rate();
            if (rate != null && topic.count(TaskState.READY) > 0 && topic.allowedBy(rate, now) < 1) {
                next = Math.min(next, topic.nextAllowedBy(rate, now));
            }
        }
        return next == Long.MAX_VALUE ? null : Instant.ofEpochMilli(next);
    }
}
