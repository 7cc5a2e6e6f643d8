package io.millrace.sql;

import io.millrace.Outcome;
import io.millrace.TaskState;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.Lease;
import io.millrace.spi.Next;
import io.millrace.sql.FinishedRow.Stretch;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Ends tasks that are simply held under a lease, as most are. The lease says all about them, and those that end alike share a
 * row; so nothing is read or written for each of them.
 */
final class Finishing {
    /** So many tasks of a lease that ended together may share a row. */
    private static final int WORTH_ASKING = 4;
    /** To read so many tasks costs as little as to look up one. */
    private static final int FEW_OTHERS = 8;

    private final Work work;
    private final Workers workers;
    /** By their numbers. */
    private final Map<Long, LeaseRow> leases = new HashMap<>();

    private final Map<Long, Neighbours> neighboursByLease = new HashMap<>();

    Finishing(Work work, Workers workers) {
        this.work = work;
        this.workers = workers;
    }

    /**
     * What stands from the first to the last task of a lease of which there are reports.
     *
     * @param lane which they say they are in
     * @param tasks how many do
     * @param sum of their numbers: there may be as many reports, and one of them about a task that is gone
     * @param endedAfter those that have ended are behind this one, which may be behind the last
     * @param someAside whether some may stand aside; one that has ended and runs again does, and the lease does not know
     */
    private record Neighbours(int lane, int tasks, long sum, long endedAfter, boolean someAside) {}

    /** Asks for the leases, locks them, and asks for all that has to be known of their tasks in most cases. */
    Map<Long, LeaseRow> lock(List<@Nullable Token> tokens) throws SQLException {
        SortedMap<Long, Span> spans = new TreeMap<>();
        for (Token token : tokens) {
            if (token != null) {
                spans.merge(token.lease(), new Span(token.lane(), token.num(), token.num(), 1), Span::and);
            }
        }
        if (spans.isEmpty()) {
            return leases;
        }
        Tx.Answer<LeaseRow> locked = work.tx.ask(Sql.LOCK_LEASES, LeaseRow::read, spans.keySet());
        for (Map.Entry<Long, Span> entry : spans.entrySet()) {
            if (entry.getValue().reports >= WORTH_ASKING) {
                askForNeighbours(entry.getKey(), entry.getValue());
            }
        }
        locked.rows().forEach(lease -> leases.put(lease.id(), lease));
        work.lanes.learn(work.tx, leases.values().stream().map(LeaseRow::lane).toList());
        return leases;
    }

    /** From the first to the last task of a lease of which there are reports. */
    private record Span(int lane, long first, long last, int reports) {
        Span and(Span other) {
            return new Span(lane, Math.min(first, other.first), Math.max(last, other.last), reports + other.reports);
        }
    }

    private void askForNeighbours(long lease, Span span) throws SQLException {
        var unused = work.tx.ask(
                Sql.NEIGHBOURS,
                row -> neighboursByLease.put(lease, neighbours(span.lane, row)),
                span.lane,
                span.first,
                span.first,
                span.last,
                span.lane,
                span.first,
                span.last);
    }

    private static Neighbours neighbours(int lane, Row row) throws SQLException {
        int tasks = row.smallNumber();
        long sum = row.number();
        Long endedAfter = row.numberOrNull();
        boolean someAside = row.numberOrNull() != null;
        return new Neighbours(lane, tasks, sum, endedAfter == null ? Long.MAX_VALUE : endedAfter, someAside);
    }

    private record Report(int index, long num, Completion completion, Next.Finish finish) {
        End end() {
            return new End(finish.state(), completion.outcome(), finish.retention());
        }

        boolean hasMoreToSay() {
            return finish.result() != null || completion.error() != null;
        }
    }

    /** What tasks have in common that end alike. */
    private record End(TaskState state, Outcome outcome, Duration retention) {}

    /** Notes the results of those that it could end; of the others nothing is known yet. */
    void finish(List<Completion> completions, List<@Nullable Token> tokens, @Nullable CompletionResult[] results)
            throws SQLException {
        for (Map.Entry<Long, List<Report>> entry : byLease(completions, tokens).entrySet()) {
            LeaseRow lease = Objects.requireNonNull(leases.get(entry.getKey()));
            List<Report> reports = entry.getValue();
            reports.sort(Comparator.comparingLong(Report::num));
            finish(lease, reports);
            for (Report report : reports) {
                results[report.index] = CompletionResult.applied(report.finish.state(), List.of());
            }
        }
    }

    private Map<Long, List<Report>> byLease(List<Completion> completions, List<@Nullable Token> tokens)
            throws SQLException {
        Map<Long, List<Report>> byLease = new LinkedHashMap<>();
        Set<Long> severalTimes = severalTimes(tokens);
        for (int i = 0; i < completions.size(); i++) {
            Completion completion = completions.get(i);
            Token token = tokens.get(i);
            LeaseRow lease = token == null ? null : leases.get(token.lease());
            if (token != null
                    && lease != null
                    && completion.isAttempt()
                    && completion.next() instanceof Next.Finish finish
                    && isSimple(finish)
                    && isHeld(completion.lease(), lease, token)
                    && !severalTimes.contains(token.num())) {
                byLease.computeIfAbsent(lease.id(), any -> new ArrayList<>())
                        .add(new Report(i, token.num(), completion, finish));
            }
        }
        return byLease;
    }

    /** Of several reports about one task the first counts, which may be none for here. */
    private static Set<Long> severalTimes(List<@Nullable Token> tokens) {
        Set<Long> nums = new HashSet<>();
        Set<Long> severalTimes = new HashSet<>();
        for (Token token : tokens) {
            if (token != null && !nums.add(token.num())) {
                severalTimes.add(token.num());
            }
        }
        return severalTimes;
    }

    private static boolean isSimple(Next.Finish finish) {
        return finish.spawned().isEmpty()
                && finish.arrivals().isEmpty()
                && !finish.retention().isZero();
    }

    private boolean isHeld(Lease given, LeaseRow lease, Token token) throws SQLException {
        return lease.covers(token.num())
                && lease.worker().equals(given.worker())
                && given.attempt() == 1
                && !lease.givenUp()
                && !lease.keyed()
                && workers.isAlive(given.worker());
    }

    /** Whether these are all tasks of the lease, and all are where they were. */
    private static boolean isEverything(LeaseRow lease, List<Report> reports) {
        return lease.isWhole() && reports.size() == lease.tasks();
    }

    /** Whether there are no others between the first and the last of them, and none of them has ended or stands aside. */
    private boolean areAlone(LeaseRow lease, List<Report> reports) {
        Neighbours neighbours = neighboursByLease.get(lease.id());
        return neighbours != null
                && neighbours.lane == lease.lane()
                && !neighbours.someAside
                && neighbours.tasks == reports.size()
                && neighbours.sum == reports.stream().mapToLong(Report::num).sum()
                && neighbours.endedAfter >= last(reports);
    }

    /** Whether there are not many others between the first and the last of them. */
    private boolean areMost(LeaseRow lease, List<Report> reports) {
        Neighbours neighbours = neighboursByLease.get(lease.id());
        return reports.size() == 1 || (neighbours != null && neighbours.tasks <= FEW_OTHERS * reports.size());
    }

    private static long last(List<Report> reports) {
        return reports.get(reports.size() - 1).num;
    }

    /** Ends tasks, and takes those out of the list that it could not end. */
    private void finish(LeaseRow lease, List<Report> reports) throws SQLException {
        if (isEverything(lease, reports) || areAlone(lease, reports)) {
            long lo = reports.get(0).num - 1;
            finish(lease, reports, List.of(new Stretch(lease.lane(), lo, last(reports), reports.size())));
            return;
        }
        SortedSet<Long> reported = new TreeSet<>();
        reports.forEach(report -> reported.add(report.num));
        OpenTasks open = OpenTasks.among(work.tx, lease.lane(), reported, areMost(lease, reports));
        reports.removeIf(report -> !open.nums().contains(report.num));
        if (!reports.isEmpty()) {
            finish(lease, reports, open.stretches());
        }
    }

    private void finish(LeaseRow lease, List<Report> reports, List<Stretch> stretches) throws SQLException {
        if (areAlike(reports)) {
            End end = reports.get(0).end();
            for (Stretch stretch : stretches) {
                work.finishLeased(lease, stretch, end.state, end.retention, end.outcome, null, null);
            }
            return;
        }
        for (Report report : reports) {
            End end = report.end();
            work.finishLeased(
                    lease,
                    Stretch.of(lease.lane(), report.num),
                    end.state,
                    end.retention,
                    end.outcome,
                    report.completion.error(),
                    report.finish.result());
        }
    }

    private static boolean areAlike(List<Report> reports) {
        End end = reports.get(0).end();
        for (Report report : reports) {
            if (report.hasMoreToSay() || !report.end().equals(end)) {
                return false;
            }
        }
        return true;
    }
}
