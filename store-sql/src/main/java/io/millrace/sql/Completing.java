package io.millrace.sql;

import io.millrace.NewTask;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.Lease;
import io.millrace.spi.Next;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Ends attempts, if the lease is good. */
final class Completing {
    private final Work work;
    private final Workers workers;
    private final Map<Long, TaskRow> rows = new HashMap<>();
    private final Map<Long, LeaseRow> leases = new HashMap<>();
    private final Map<Long, Pending> pending = new HashMap<>();
    private final Map<UUID, Long> arrivals = new HashMap<>();
    private final Map<Long, FinishedRow> finished = new HashMap<>();

    Completing(Work work, Workers workers) {
        this.work = work;
        this.workers = workers;
    }

    static List<NewTask> spawned(List<Completion> completions) {
        List<NewTask> spawned = new ArrayList<>();
        forEachFinish(completions, finish -> spawned.addAll(finish.spawned()));
        return spawned;
    }

    private static Set<UUID> arriveAt(List<Completion> completions) {
        Set<UUID> ids = new TreeSet<>();
        forEachFinish(completions, finish -> ids.addAll(finish.arrivals()));
        return ids;
    }

    private static void forEachFinish(List<Completion> completions, Consumer<Next.Finish> action) {
        for (Completion completion : completions) {
            if (completion.next() instanceof Next.Finish finish) {
                action.accept(finish);
            }
            if (completion.ifCancelled() instanceof Next.Finish finish) {
                action.accept(finish);
            }
        }
    }

    List<CompletionResult> complete(List<Completion> completions) throws SQLException {
        List<@Nullable Token> tokens = new ArrayList<>(completions.size());
        completions.forEach(completion -> tokens.add(Token.of(completion.lease())));
        workers.load(completions.stream()
                .map(completion -> completion.lease().worker())
                .collect(Collectors.toSet()));
        Finishing finishing = new Finishing(work, workers);
        // the first in the order of locks that all keep
        leases.putAll(finishing.lock(tokens));
        @Nullable CompletionResult[] results = new CompletionResult[completions.size()];
        finishing.finish(completions, tokens, results);
        List<Completion> others = new ArrayList<>();
        for (int i = 0; i < results.length; i++) {
            if (results[i] == null) {
                others.add(completions.get(i));
            }
        }
        if (!others.isEmpty()) {
            // what this transaction has ended so far must be seen
            work.write();
            load(others);
        }
        List<CompletionResult> all = new ArrayList<>(results.length);
        for (int i = 0; i < results.length; i++) {
            Completion completion = completions.get(i);
            CompletionResult known = results[i];
            boolean alive = workers.seen(completion.lease().worker());
            all.add(known != null ? known : complete(completion, alive));
        }
        return all;
    }

    /** Locks what follows in the order that all keep, lanes and asides; then reads. */
    private void load(List<Completion> completions) throws SQLException {
        Places places = new Places();
        for (Completion completion : completions) {
            Token token = Token.of(completion.lease());
            if (token != null) {
                places.add(token.lane(), token.num());
            }
        }
        Tx tx = work.tx;
        places.ask(tx, Sql.TASK_ROWS, TaskRow::read).forEach(row -> rows.put(row.num(), row));
        Set<UUID> arriveAt = arriveAt(completions);
        if (!arriveAt.isEmpty()) {
            for (TaskRow row : tx.query(Sql.TASK_ROWS_BY_ID, TaskRow::read, arriveAt)) {
                rows.put(row.num(), row);
                arrivals.put(row.id(), row.num());
            }
        }
        work.lanes.learnOf(tx, rows.values());
        Set<Integer> locked = lanesToLock(completions);
        tx.lockLanes(locked);
        work.promote(locked);
        Standing standing = Standing.load(tx, rows.values(), true, false);
        for (TaskRow row : rows.values()) {
            FinishedRow end = standing.finished(row.num());
            if (end == null) {
                pending.put(row.num(), new Pending(row, standing.aside(row.num()), leaseOver(row)));
            } else {
                finished.put(row.num(), end);
            }
        }
    }

    private @Nullable LeaseRow leaseOver(TaskRow row) {
        return leases.values().stream()
                .filter(lease -> lease.covers(row))
                .findFirst()
                .orElse(null);
    }

    private Set<Integer> lanesToLock(List<Completion> completions) throws SQLException {
        List<NewTask> spawned = spawned(completions);
        Set<Integer> lanes = Enqueuing.lanesOfReady(work.lanes, spawned, work.now);
        Set<UUID> arriveAt = arriveAt(completions);
        for (NewTask task : spawned) {
            if (arriveAt.contains(task.id())) {
                lanes.add(work.lanes.get(task.topic(), task.priority()).id());
            }
        }
        Set<Long> requeued = new TreeSet<>(arrivals.values());
        for (Completion completion : completions) {
            boolean again = Stream.of(completion.next(), completion.ifCancelled())
                    .anyMatch(next -> next instanceof Next.Requeue requeue
                            && requeue.delay().toMillis() == 0
                            && !returns(requeue));
            Token token = Token.of(completion.lease());
            if (again && token != null) {
                requeued.add(token.num());
            }
        }
        for (long num : requeued) {
            TaskRow row = rows.get(num);
            if (row != null) {
                lanes.add(ready(row).id());
            }
        }
        return lanes;
    }

    private Lane ready(TaskRow row) {
        Lane lane = work.lanes.byId(row.lane());
        return lane.isParking() ? work.lanes.get(lane.topic(), row.priority()) : lane;
    }

    private CompletionResult complete(Completion completion, boolean alive) throws SQLException {
        Lease lease = completion.lease();
        Token token = Token.of(lease);
        if (token == null) {
            return CompletionResult.LEASE_LOST;
        }
        Pending task = pending.get(token.num());
        if (alive && task != null && isHeld(task, lease, token)) {
            return apply(completion, task, token);
        }
        return wasApplied(completion, token) ? CompletionResult.REPEATED : CompletionResult.LEASE_LOST;
    }

    private boolean isHeld(Pending task, Lease lease, Token token) {
        if (!task.row().id().equals(lease.task())) {
            return false;
        }
        Aside aside = task.aside();
        if (aside != null) {
            return lease.token().equals(aside.token)
                    && lease.worker().equals(aside.holder)
                    && lease.attempt() == aside.attempts
                    && !aside.givenUp;
        }
        LeaseRow held = leases.get(token.lease());
        return held != null
                && held.covers(task.row())
                && held.worker().equals(lease.worker())
                && lease.attempt() == 1
                && !held.givenUp();
    }

    private boolean wasApplied(Completion completion, Token token) {
        Lease lease = completion.lease();
        FinishedRow end = finished.getOrDefault(token.num(), work.finishedNow(token.num()));
        if (end != null) {
            return lease.token().equals(end.token(token.num(), lease.task()))
                    && lease.worker().equals(end.endedBy())
                    && end.outcome() == completion.outcome();
        }
        Pending task = pending.get(token.num());
        Aside aside = task == null ? null : task.aside();
        return aside != null
                && lease.token().equals(aside.endedToken)
                && lease.worker().equals(aside.endedBy)
                && aside.endedOutcome == completion.outcome();
    }

    private CompletionResult apply(Completion completion, Pending task, Token token) throws SQLException {
        Aside aside = task.aside();
        LeaseRow lease = task.lease();
        boolean cancelled = aside != null && aside.cancel;
        UUID runner = aside != null && aside.runner != null
                ? aside.runner
                : completion.lease().worker();
        long since = aside != null ? aside.since : lease == null ? work.now : lease.since();
        Work.Ended ended = new Work.Ended(
                completion.isAttempt(),
                runner,
                since,
                completion.outcome(),
                completion.error(),
                token.toString(),
                completion.lease().worker());
        Next next = cancelled ? completion.ifCancelled() : completion.next();
        if (next instanceof Next.Requeue requeue) {
            return requeue(task, requeue, ended);
        }
        Next.Finish finish = (Next.Finish) next;
        work.finish(task, finish.state(), finish.result(), finish.retention(), ended, true);
        pending.remove(task.row().num());
        if (!finish.spawned().isEmpty()) {
            spawn(finish.spawned());
        }
        return CompletionResult.applied(finish.state(), arrive(finish.arrivals()));
    }

    private void spawn(List<NewTask> tasks) throws SQLException {
        // what this transaction has inserted and freed so far must be seen
        work.write();
        Enqueuing.spawn(work, tasks);
        work.write();
        for (TaskRow row : work.tx.query(
                Sql.TASK_ROWS_BY_ID,
                TaskRow::read,
                tasks.stream().map(NewTask::id).toList())) {
            rows.put(row.num(), row);
            arrivals.put(row.id(), row.num());
            if (!pending.containsKey(row.num()) && !finished.containsKey(row.num())) {
                List<Aside> aside = work.tx.query(Sql.ASIDES, Aside::read, List.of(row.num()));
                pending.put(row.num(), new Pending(row, aside.isEmpty() ? null : aside.get(0), null));
            }
        }
    }

    private static boolean returns(Next.Requeue requeue) {
        return requeue.reason() == Next.Reason.LOSS || requeue.reason() == Next.Reason.RELEASE;
    }

    private CompletionResult requeue(Pending task, Next.Requeue requeue, Work.Ended ended) throws SQLException {
        if (returns(requeue) && requeue.delay().toMillis() == 0) {
            work.putBack(task);
        } else {
            work.requeue(task, work.now + requeue.delay().toMillis());
        }
        Aside aside = Objects.requireNonNull(task.aside());
        work.noteEnd(aside, ended);
        switch (requeue.reason()) {
            case RETRY -> aside.retries++;
            case LOSS -> aside.losses++;
            case REDELIVERY, SNOOZE, RELEASE -> {}
        }
        return CompletionResult.applied(aside.taskState(work.now), List.of());
    }

    private List<UUID> arrive(List<UUID> ids) throws SQLException {
        List<UUID> released = new ArrayList<>();
        for (UUID id : ids) {
            Long num = arrivals.get(id);
            Pending waiting = num == null ? null : pending.get(num);
            if (waiting != null && work.arrive(waiting)) {
                released.add(id);
            }
        }
        return released;
    }
}
