package io.millrace.heap;

import io.millrace.Attempt;
import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.Progress;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.spi.KeptAttempts;
import io.millrace.spi.Lease;
import io.millrace.spi.OverdueLease;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task in memory. It is at once a link of the list it stands in (a lane while READY, its worker's tasks while
 * RUNNING) and an entry of the heap it stands in (by due time, end of the lease, or removal), so that leaving either
 * needs no search. Moments are epoch milliseconds.
 */
final class TaskNode {
    static final long NONE = Long.MAX_VALUE;
    static final int NOT_KEPT = -1;

    final NewTask given;
    final TopicQueue topic;
    /** The order of creation, and the task's place in every set of the table. */
    final long sequence;

    final long created;

    TaskState state = TaskState.READY;
    long due;
    long deadline = NONE;
    long finished = NONE;
    int attempts;
    int retries;
    int losses;
    int waitingFor;

    /**
     * What orders the place it stands in: due time, place in the lane, steady end of the lease, or removal, by its
     * state.
     */
    long key;

    int heapIndex = -1;

    @Nullable
    TaskList list;

    @Nullable
    TaskNode previous;

    @Nullable
    TaskNode next;

    @Nullable
    RunningAttempt running;

    /** What is kept of the attempts that ended. */
    private List<Attempt> ended = List.of();

    /** How many bytes of memory they take, about. */
    private int history;

    /** Of the last lease that was ended by a report, which a repetition is known by; no token is 0. */
    long endedToken;

    @Nullable
    UUID endedBy;

    @Nullable
    Outcome endedOutcome;

    /** Its dead letter was redriven. */
    boolean redriven;

    /** Which of the attempts that ended are not in the journal yet. */
    HistoryDue historyDue = HistoryDue.NOTHING;

    Journaling.Due journalDue = Journaling.Due.NOTHING;
    /** The segment of the journal that has what the task was enqueued with, and how many bytes that takes. */
    int segment = NOT_KEPT;

    int bytes;

    /** How many bytes of memory it takes, about. */
    int weight;

    /** What of that was enqueued. */
    final int givenWeight;

    @Nullable
    Progress progress;

    @Nullable
    Payload result;

    /** What is known of a task only while it is RUNNING. */
    static final class RunningAttempt {
        /** The number behind the token of the lease. */
        long token;

        Lease lease;
        /** Who began the attempt; the lease passes to a reaper when it is overdue. */
        final WorkerNode runner;

        final long since;
        /** When the lease in force was given: the attempt's beginning, or the take-over by a reaper. */
        long leasedAt; // a steady moment

        /** Where the task stood in its lane. */
        final long place;

        /** How long it may run, as long as it is not known to have been started; then {@link #NONE}. */
        long timeToRun;

        boolean cancelRequested;
        /** The worker has no use for the lease any more, although it lives. */
        boolean givenUp;

        OverdueLease.@Nullable Reason overdue;

        RunningAttempt(long token, Lease lease, WorkerNode runner, long since, long place, long timeToRun) {
            this.token = token;
            this.lease = lease;
            this.runner = runner;
            this.since = since;
            this.leasedAt = since;
            this.place = place;
            this.timeToRun = timeToRun;
        }

        boolean isStarted() {
            return timeToRun == NONE;
        }
    }

    /** What has to be written of a task's history. */
    enum HistoryDue {
        NOTHING,
        /** The newest attempt; a reader knows what it drops. */
        NEWEST,
        ALL
    }

    TaskNode(NewTask given, TopicQueue topic, long sequence, long created) {
        this.given = given;
        this.topic = topic;
        this.sequence = sequence;
        this.created = created;
        givenWeight = (int) Estimates.memory(given);
    }

    List<Attempt> ended() {
        return ended;
    }

    /** How many bytes of memory the history takes, about. */
    int history() {
        return history;
    }

    /** Adds an attempt and drops the oldest beyond the bounds of {@link KeptAttempts}. */
    void add(Attempt newest) {
        List<Attempt> kept = KeptAttempts.with(ended, newest);
        history += Estimates.memory(newest);
        int dropped = ended.size() + 1 - kept.size();
        for (int i = 0; i < dropped; i++) {
            history -= Estimates.memory(ended.get(i));
        }
        ended = kept;
    }

    /** Replaces the history. */
    void keep(List<Attempt> attempts) {
        ended = List.copyOf(attempts);
        history = 0;
        for (Attempt attempt : ended) {
            history += Estimates.memory(attempt);
        }
    }

    RunningAttempt running() {
        if (running == null) {
            throw new IllegalStateException(given + " is " + state + ", not running");
        }
        return running;
    }

    /** Whether its deadline can end it: no worker has it. */
    boolean mayExpire() {
        return deadline != NONE && state.isPending() && state != TaskState.RUNNING;
    }

    boolean isOverdue(long now) {
        return mayExpire() && deadline < now;
    }

    /** Whether this is the lease in force: neither passed on nor given up. */
    boolean isHeldUnder(Lease lease) {
        return running != null && running.lease.equals(lease) && !running.givenUp;
    }

    Task snapshot(HeapTime time) {
        Task.Hold hold = running == null
                ? null
                : new Task.Hold(
                        running.lease.worker(), at(running.since), orNull(time.shown(key)), running.cancelRequested);
        return new Task(
                given,
                state,
                new Task.Moments(at(created), at(due), orNull(deadline), orNull(finished), orNull(removal())),
                new Task.Tally(attempts, retries, losses, waitingFor),
                hold,
                ended,
                progress,
                result,
                redriven);
    }

    private long removal() {
        return state.isFinal() ? key : NONE;
    }

    private static Instant at(long millis) {
        return Instant.ofEpochMilli(millis);
    }

    private static @Nullable Instant orNull(long millis) {
        return millis == NONE ? null : Instant.ofEpochMilli(millis);
    }
}
