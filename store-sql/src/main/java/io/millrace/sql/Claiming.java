package io.millrace.sql;

import io.millrace.NewTask;
import io.millrace.Rate;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.FromTopic;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Pace;
import io.millrace.spi.WorkerStanding;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Leases ready tasks to workers: each topic's share first, then what is left in the order of the topics. */
final class Claiming {
    /** So many ends of late tasks are enough for one claim. */
    private static final int MOST_EXPIRED = 1_000;

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
        Taking taking = new Taking(request.worker(), request.max());
        for (FromTopic from : request.topics()) {
            taking.take(from, from.share());
        }
        for (FromTopic from : request.topics()) {
            taking.take(from, request.max());
        }
        boolean cutShort = taking.expired.size() >= MOST_EXPIRED;
        Instant next = cutShort ? Instant.ofEpochMilli(work.now) : nextDue(request);
        return new ClaimResult(standing, taking.leased, taking.expired, next);
    }

    private final class Taking {
        final List<LeasedTask> leased = new ArrayList<>();
        final List<Task> expired = new ArrayList<>();
        private final UUID worker;
        private final int max;

        Taking(UUID worker, int max) {
            this.worker = worker;
            this.max = max;
        }

        void take(FromTopic from, int wanted) throws SQLException {
            List<OpenLane> open = lanes.get(from.topic());
            if (open == null || leased.size() >= max) {
                return;
            }
            int most = allowed(from, Math.min(wanted, max - leased.size()));
            int before = leased.size();
            for (OpenLane lane : open) {
                while (lane.mayHave && leased.size() - before < most && expired.size() < MOST_EXPIRED) {
                    take(lane, from.policy(), most - (leased.size() - before));
                }
            }
            int started = leased.size() - before;
            running.computeIfPresent(from.topic(), (topic, count) -> count + started);
            Rate rate = from.rate();
            if (rate != null) {
                paces.computeIfPresent(from.topic(), (topic, pace) -> Pace.after(started, rate, pace, work.now));
            }
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
            long until = work.now + policy.timeout().toMillis();
            LeaseRow lease = plain == 0 ? null : lease(open, hi, until, plain, others, keyed);
            for (Candidate candidate : candidates) {
                if (candidate.isLate(work.now)) {
                    expire(candidate, policy);
                } else if (lease != null && candidate.isPlain()) {
                    TaskRow row = candidate.task.row();
                    Token token = Token.of(lease.id(), lease.lane(), row.num(), row.id());
                    leased.add(new LeasedTask(
                            Snapshots.running(candidate.task, worker, work.now, until),
                            new Lease(row.id(), 1, worker, token.toString())));
                } else {
                    hold(candidate, policy);
                }
            }
            work.writeAsides();
            if (hi > open.cursor) {
                work.claimedUpTo(open.lane.id(), hi);
                open.cursor = hi;
            }
        }

        private LeaseRow lease(OpenLane open, long hi, long until, int tasks, int others, boolean keyed)
                throws SQLException {
            LeaseRow lease = new LeaseRow(
                    work.numbers.next(),
                    open.lane.id(),
                    open.cursor,
                    hi,
                    worker,
                    work.now,
                    until,
                    tasks,
                    tasks,
                    others,
                    keyed,
                    false);
            work.hold(lease);
            return lease;
        }

        /** A lease of its own, for a task of which there is more to say. */
        private void hold(Candidate candidate, TopicPolicy policy) throws SQLException {
            TaskRow row = candidate.task.row();
            Aside aside = candidate.aside;
            if (aside == null) {
                aside = new Aside(row.num(), row.lane());
                aside.place = row.num();
                aside.due = row.created();
                aside.deadline = row.deadline();
            }
            Duration own = candidate.task.given().timeout();
            long until = work.now + (own == null ? policy.timeout() : own).toMillis();
            String token = Token.of(work.numbers.next(), row.lane(), row.num(), row.id())
                    .toString();
            work.hold(aside, worker, token, until);
            leased.add(new LeasedTask(
                    snapshots.aside(work.tx, candidate.task, aside, work.now),
                    new Lease(row.id(), aside.attempts, worker, token)));
        }

        private void expire(Candidate candidate, TopicPolicy policy) throws SQLException {
            NewTask given = candidate.task.given();
            Duration retention = policy.retentionOf(given, TaskState.EXPIRED);
            Pending task = new Pending(candidate.task.row(), candidate.aside, null);
            expired.add(snapshots.expired(work.tx, candidate.task, candidate.aside, work.now, retention));
            work.finish(task, TaskState.EXPIRED, null, retention, null, true);
        }
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
