package io.millrace.heap;

import io.millrace.Rate;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.FromTopic;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.WorkerStanding;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Leases ready tasks to a worker: each topic's share first, then what is left in the order of the topics. */
final class Claiming {
    /** So many ends of late tasks are enough for one claim: others wait for the lock. */
    private static final int MOST_EXPIRED = 1_000;

    private final TaskTable table;
    private final WorkerTable workers;

    Claiming(TaskTable table, WorkerTable workers) {
        this.table = table;
        this.workers = workers;
    }

    ClaimResult claim(ClaimRequest request, long now) {
        WorkerNode worker = workers.seenAlive(request.worker(), now);
        WorkerStanding standing = workers.standing(request.worker(), now);
        if (worker == null || standing != WorkerStanding.ALIVE) {
            return ClaimResult.refused(standing);
        }
        Taking taking = new Taking(worker, request.max(), now);
        for (FromTopic from : request.topics()) {
            taking.take(from, from.share());
        }
        for (FromTopic from : request.topics()) {
            taking.take(from, request.max());
        }
        boolean cutShort = taking.expired.size() == MOST_EXPIRED;
        Instant next = cutShort ? Instant.ofEpochMilli(now) : nextDue(request, now);
        return new ClaimResult(standing, taking.leased, taking.expired, next);
    }

    private final class Taking {
        final List<LeasedTask> leased = new ArrayList<>();
        final List<Task> expired = new ArrayList<>();
        private final WorkerNode worker;
        private final int max;
        private final long now;

        Taking(WorkerNode worker, int max, long now) {
            this.worker = worker;
            this.max = max;
            this.now = now;
        }

        void take(FromTopic from, int wanted) {
            TopicQueue topic = table.topic(from.topic());
            if (topic == null || leased.size() >= max) {
                return;
            }
            table.promote(topic, now);
            int most = allowed(from, topic, Math.min(wanted, max - leased.size()), now);
            int before = leased.size();
            TaskNode head = topic.head();
            while (head != null && leased.size() - before < most && expired.size() < MOST_EXPIRED) {
                if (head.deadline < now) {
                    expire(head, from.policy());
                } else {
                    leased.add(lease(head, from.policy()));
                }
                head = topic.head();
            }
            Rate rate = from.rate();
            if (rate != null) {
                topic.started(leased.size() - before, rate, now);
                table.paceChanged(topic);
            }
        }

        private LeasedTask lease(TaskNode node, TopicPolicy policy) {
            Duration own = node.given.timeout();
            Lease lease = table.lease(node, worker, own == null ? policy.timeout() : own, now);
            return new LeasedTask(node.snapshot(), lease);
        }

        private void expire(TaskNode node, TopicPolicy policy) {
            Duration retention = policy.retentionOf(node.given, TaskState.EXPIRED);
            table.finish(node, TaskState.EXPIRED, null, retention, now);
            expired.add(node.snapshot());
        }
    }

    private static int allowed(FromTopic from, TopicQueue topic, int wanted, long now) {
        long most = wanted;
        Integer concurrency = from.concurrency();
        if (concurrency != null) {
            most = Math.min(most, concurrency - topic.count(TaskState.RUNNING));
        }
        Rate rate = from.rate();
        if (rate != null) {
            most = Math.min(most, topic.allowedBy(rate, now));
        }
        return (int) most;
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
