package io.millrace.sql;

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
import io.millrace.spi.Pace;
import io.millrace.spi.WorkerStanding;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Leases ready tasks to workers: each topic's share first, then what is left in the order of the topics. */
final class Claiming {
    /** So many late tasks are enough for one claim. */
    private static final int MOST_OVERDUE = 1_000;

    private final Work work;
    private final Workers workers;
    private final Snapshots snapshots;
    /** By topic, in the order of priorities. */
    private final Map<String, List<OpenLane>> lanes = new HashMap<>();

    private final Map<String, Double> paces = new HashMap<>();
    private final Map<String, Long> running = new HashMap<>();

    /** A lane that may have something. */
    private static final class OpenLane {
        final Lane lane;

        @Nullable
        Long firstDue;

        boolean mayHave;
        long cursor;

        OpenLane(Lane lane, @Nullable Long firstDue, boolean mayHave) {
            this.lane = lane;
            this.firstDue = firstDue;
            this.mayHave = mayHave;
        }
    }

    /** Something to hand out: a task that simply stands in its lane, or one that stands aside. */
    private record Candidate(
            long place, TaskReader.Found task, @Nullable Aside aside) {
        boolean isPlain() {
            return aside == null && task.row().timeout() == null;
        }

        boolean isLate(long now) {
            Long deadline = aside == null ? task.row().deadline() : aside.deadline;
            return deadline != null && deadline < now;
        }
    }

    Claiming(Work work, Workers workers, Snapshots snapshots) {
        this.work = work;
        this.workers = workers;
        this.snapshots = snapshots;
    }

    List<ClaimResult> claim(List<ClaimRequest> requests) throws SQLException {
        workers.load(requests.stream().map(ClaimRequest::worker).toList());
        open(requests);
        List<ClaimResult> results = new ArrayList<>();
        for (ClaimRequest request : requests) {
            results.add(claim(request));
        }
        for (Map.Entry<String, Double> pace : paces.entrySet()) {
            work.tx.run(
                    Sql.SET_PACE,
                    pace.getValue(),
                    work.lanes.parking(pace.getKey()).id());
        }
        return results;
    }

    /** Finds lanes that may have something and locks them, with the topics that have limits. */
    private void open(List<ClaimRequest> requests) throws SQLException {
        Set<String> topics = new TreeSet<>();
        Set<String> limited = new TreeSet<>();
        for (ClaimRequest request : requests) {
            for (FromTopic from : request.topics()) {
                topics.add(from.topic());
                if (from.rate() != null || from.concurrency() != null) {
                    limited.add(from.topic());
                }
            }
        }
        if (topics.isEmpty()) {
            return;
        }
        List<OpenLane> found = work.tx.query(
                Sql.LANES_TO_CLAIM,
                row -> new OpenLane(
                        new Lane(row.smallNumber(), row.text(), row.number(), row.smallNumber()),
                        row.numberOrNull(),
                        row.flag()),
                topics);
        work.lanes.learn(work.tx, found.stream().map(open -> open.lane.id()).toList());
        Map<Integer, OpenLane> locked = new TreeMap<>();
        Set<Integer> toLock = new TreeSet<>();
        Set<Integer> withDue = new TreeSet<>();
        for (OpenLane open : found) {
            lanes.computeIfAbsent(open.lane.topic(), any -> new ArrayList<>()).add(open);
            Long due = open.firstDue;
            open.mayHave |= due != null && due <= work.now;
            if (due != null && due <= work.now) {
                withDue.add(open.lane.id());
            }
            if (open.mayHave) {
                locked.put(open.lane.id(), open);
                toLock.add(open.lane.id());
            }
            if (limited.contains(open.lane.topic())) {
                toLock.add(open.lane.topicId());
            }
        }
        work.tx.lockLanes(toLock);
        work.promote(withDue);
        Lanes.cursors(work.tx, locked.keySet()).forEach((id, cursor) -> {
            OpenLane open = locked.get(id);
            if (open != null) {
                open.cursor = cursor;
            }
        });
        readLimits(limited);
    }

    private void readLimits(Set<String> limited) throws SQLException {
        for (String topic : limited) {
            if (lanes.containsKey(topic)) {
                int id = work.lanes.parking(topic).id();
                paces.put(topic, 0.0);
                work.tx.query(Sql.PACE, Row::fraction, id).forEach(pace -> paces.put(topic, pace));
                long count =
                        Tallies.read(work.tx, List.of(id)).getOrDefault(new Tallies.Key(id, TaskState.RUNNING), 0L);
                running.put(topic, count);
            }
        }
    }

    private ClaimResult claim(ClaimRequest request) throws SQLException {
        WorkerStanding standing = workers.standing(request.worker());
        var unused = workers.seen(request.worker());
        if (standing != WorkerStanding.ALIVE) {
            return ClaimResult.refused(standing);
        }
        Taking taking = new Taking(request);
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
        boolean cutShort = taking.overdue.size() >= MOST_OVERDUE;
        Instant next = cutShort ? Instant.ofEpochMilli(work.now) : nextDue(request);
        taking.overdue.forEach(leased -> running.computeIfPresent(leased.task().topic(), (topic, count) -> count + 1));
        return new ClaimResult(standing, taking.leased, taking.overdue, next);
    }

    private final class Taking {
        final List<LeasedTask> leased = new ArrayList<>();
        final List<LeasedTask> overdue = new ArrayList<>();
        private final UUID worker;
        private final int max;
        private final TimeFrom timeFrom;

        Taking(ClaimRequest request) {
            worker = request.worker();
            max = request.max();
            timeFrom = request.timeFrom();
        }

        private long until(Duration timeToRun, TimeFrom from) {
            return from == TimeFrom.START ? LeaseRow.NO_END : work.now + timeToRun.toMillis();
        }

        void take(FromTopic from, int wanted) throws SQLException {
            List<OpenLane> open = lanes.get(from.topic());
            if (open == null || leased.size() >= max) {
                return;
            }
            int most = allowed(from, Math.min(wanted, max - leased.size()));
            int before = leased.size();
            for (OpenLane lane : open) {
                while (lane.mayHave && leased.size() - before < most && overdue.size() < MOST_OVERDUE) {
                    take(lane, from.policy(), most - (leased.size() - before));
                }
            }
            started(from, leased.size() - before);
        }

        private void started(FromTopic from, int tasks) {
            running.computeIfPresent(from.topic(), (topic, count) -> count + tasks);
            Rate rate = from.rate();
            if (rate != null) {
                paces.computeIfPresent(from.topic(), (topic, pace) -> Pace.after(tasks, rate, pace, work.now));
            }
        }

        /**
         * Looks at what all lanes have to give, and takes of each what is among the oldest; late tasks make another
         * round.
         */
        void takeOldest(List<FromTopic> topics) throws SQLException {
            Map<UUID, Integer> order = new HashMap<>();
            boolean more = true;
            while (more && leased.size() < max && overdue.size() < MOST_OVERDUE) {
                List<Oldest> oldest = oldest(topics);
                oldest.forEach(each -> order.put(each.task, order.size()));
                more = !oldest.isEmpty();
                Map<OpenLane, Integer> byLane = new LinkedHashMap<>();
                Map<OpenLane, FromTopic> topicOf = new HashMap<>();
                for (Oldest each : oldest) {
                    byLane.merge(each.lane, 1, Integer::sum);
                    topicOf.put(each.lane, each.from);
                }
                for (Map.Entry<OpenLane, Integer> some : byLane.entrySet()) {
                    FromTopic from = Objects.requireNonNull(topicOf.get(some.getKey()));
                    int before = leased.size();
                    take(some.getKey(), from.policy(), some.getValue());
                    started(from, leased.size() - before);
                }
            }
            leased.sort(Comparator.comparingInt(
                    task -> order.getOrDefault(task.task().id(), 0)));
        }

        private List<Oldest> oldest(List<FromTopic> topics) throws SQLException {
            int wanted = max - leased.size();
            List<Oldest> all = new ArrayList<>();
            for (FromTopic from : topics) {
                List<Oldest> ofTopic = new ArrayList<>();
                for (OpenLane lane : lanes.getOrDefault(from.topic(), List.of())) {
                    if (lane.mayHave) {
                        for (Candidate candidate : candidates(lane, wanted)) {
                            TaskRow row = candidate.task.row();
                            ofTopic.add(new Oldest(from, lane, row.id(), row.priority(), row.num()));
                        }
                    }
                }
                // lanes come by priority, and within one the order is its own
                all.addAll(ofTopic.subList(0, Math.min(ofTopic.size(), allowed(from, wanted))));
            }
            return merged(all, wanted);
        }

        private void take(OpenLane open, TopicPolicy policy, int wanted) throws SQLException {
            List<Candidate> candidates = candidates(open, wanted);
            if (candidates.size() < wanted) {
                open.mayHave = false;
            }
            long hi = open.cursor;
            int plain = 0;
            int others = 0;
            boolean keyed = false;
            for (Candidate candidate : candidates) {
                hi = Math.max(hi, candidate.place);
                if (candidate.isPlain() && !candidate.isLate(work.now)) {
                    plain++;
                    keyed |= candidate.task.row().uniqueKey() != null;
                } else if (candidate.aside == null) {
                    others++;
                }
            }
            LeaseRow lease = plain == 0 ? null : lease(open, hi, policy.timeout(), plain, others, keyed);
            for (Candidate candidate : candidates) {
                if (candidate.isLate(work.now)) {
                    // never started, and its lease ends in any case: whoever should end the task may die
                    overdue.add(hold(candidate, policy, TimeFrom.CLAIM));
                } else if (lease != null && candidate.isPlain()) {
                    TaskRow row = candidate.task.row();
                    Token token = Token.of(lease.id(), lease.lane(), row.num(), row.id());
                    leased.add(new LeasedTask(
                            Snapshots.running(candidate.task, worker, work.now, lease.until()),
                            new Lease(row.id(), 1, worker, token.toString()),
                            policy.timeout()));
                } else {
                    leased.add(hold(candidate, policy, timeFrom));
                }
            }
            work.writeAsides();
            if (hi > open.cursor) {
                work.claimedUpTo(open.lane.id(), hi);
                open.cursor = hi;
            }
        }

        private LeaseRow lease(OpenLane open, long hi, Duration timeToRun, int tasks, int others, boolean keyed)
                throws SQLException {
            LeaseRow lease = new LeaseRow(
                    work.numbers.next(),
                    open.lane.id(),
                    open.cursor,
                    hi,
                    worker,
                    work.now,
                    until(timeToRun, timeFrom),
                    tasks,
                    tasks,
                    others,
                    keyed,
                    false,
                    timeToRun.toMillis());
            work.hold(lease);
            return lease;
        }

        /** A lease of its own, for a task of which there is more to say. */
        private LeasedTask hold(Candidate candidate, TopicPolicy policy, TimeFrom from) throws SQLException {
            TaskRow row = candidate.task.row();
            Aside aside = candidate.aside;
            if (aside == null) {
                aside = new Aside(row.num(), row.lane());
                aside.place = row.num();
                aside.due = row.created();
                aside.deadline = row.deadline();
            }
            Duration own = candidate.task.given().timeout();
            Duration timeToRun = own == null ? policy.timeout() : own;
            String token = Token.of(work.numbers.next(), row.lane(), row.num(), row.id())
                    .toString();
            work.hold(aside, worker, token, until(timeToRun, from), timeToRun.toMillis());
            return new LeasedTask(
                    snapshots.claimed(work, candidate.task, aside),
                    new Lease(row.id(), aside.attempts, worker, token),
                    timeToRun);
        }
    }

    /** One of the tasks that a lane may give next. */
    private record Oldest(FromTopic from, OpenLane lane, UUID task, int priority, long num) {}

    /** By priority and age; tasks of one lane keep their order, whatever their age. */
    private static List<Oldest> merged(List<Oldest> all, int wanted) {
        Map<OpenLane, Deque<Oldest>> byLane = new LinkedHashMap<>();
        all.forEach(each ->
                byLane.computeIfAbsent(each.lane, any -> new ArrayDeque<>()).add(each));
        PriorityQueue<Deque<Oldest>> heads =
                new PriorityQueue<>(Comparator.comparingInt((Deque<Oldest> lane) -> lane.getFirst().priority)
                        .thenComparingLong(lane -> lane.getFirst().num));
        heads.addAll(byLane.values());
        List<Oldest> merged = new ArrayList<>();
        while (!heads.isEmpty() && merged.size() < wanted) {
            Deque<Oldest> lane = heads.remove();
            merged.add(lane.removeFirst());
            if (!lane.isEmpty()) {
                heads.add(lane);
            }
        }
        return merged;
    }

    private List<Candidate> candidates(OpenLane open, int wanted) throws SQLException {
        int id = open.lane.id();
        Tx tx = work.tx;
        work.numbers.askAhead();
        var returned = tx.ask(Sql.RETURNED_ASIDES, Aside::read, id, wanted);
        var queued = tx.ask(Sql.QUEUED_ASIDES, Aside::read, id, open.cursor, wanted);
        List<Candidate> candidates = new ArrayList<>();
        for (TaskReader.Found task : tx.query(Sql.READY_TASKS, snapshots.reader()::read, id, open.cursor, wanted)) {
            candidates.add(new Candidate(task.row().num(), task, null));
        }
        List<Aside> asides = new ArrayList<>(returned.rows());
        asides.addAll(queued.rows());
        if (!asides.isEmpty()) {
            Map<Long, TaskReader.Found> tasks = snapshots.tasks(work.tx, Aside.places(work.tx, work.lanes, asides));
            for (Aside aside : asides) {
                TaskReader.Found task = tasks.get(aside.num);
                if (task != null) {
                    candidates.add(new Candidate(aside.place, task, aside));
                }
            }
        }
        candidates.sort(Comparator.comparingLong(Candidate::place));
        return candidates.size() > wanted ? candidates.subList(0, wanted) : candidates;
    }

    private int allowed(FromTopic from, int wanted) {
        long most = wanted;
        Integer concurrency = from.concurrency();
        if (concurrency != null) {
            most = Math.min(most, concurrency - running.getOrDefault(from.topic(), 0L));
        }
        Rate rate = from.rate();
        if (rate != null) {
            most = Math.min(most, Pace.allowed(rate, paces.getOrDefault(from.topic(), 0.0), work.now));
        }
        return (int) Math.max(0, most);
    }

    private @Nullable Instant nextDue(ClaimRequest request) throws SQLException {
        long next = Long.MAX_VALUE;
        for (FromTopic from : request.topics()) {
            boolean ready = false;
            for (OpenLane open : lanes.getOrDefault(from.topic(), List.of())) {
                Long due = open.firstDue;
                if (due != null && due <= work.now) {
                    due = work.firstDue(open.lane.id());
                }
                next = due == null ? next : Math.min(next, due);
                ready |= open.mayHave;
            }
            Rate rate = from.rate();
            double pace = paces.getOrDefault(from.topic(), 0.0);
            if (rate != null && ready && Pace.allowed(rate, pace, work.now) < 1) {
                next = Math.min(next, Pace.next(rate, pace, work.now));
            }
        }
        return next == Long.MAX_VALUE ? null : Instant.ofEpochMilli(next);
    }
}
