package io.millrace.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Attempt;
import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.Payload;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.spi.ClaimRequest.TimeFrom;
import io.millrace.spi.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A task of the {@link Model}, written down as plainly as possible. */
final class ModelTask {
    final NewTask given;
    final Instant created;
    final List<Attempt> ended = new ArrayList<>();

    /** READY stands for SCHEDULED too: which of them a task is, only its due time says. */
    private TaskState state;

    Instant due;

    @Nullable
    Instant deadline;

    @Nullable
    Instant finished;

    @Nullable
    Instant removal;

    @Nullable
    Payload result;

    @Nullable
    Running running;

    int attempts;
    int retries;
    int losses;
    int waitingFor;

    /** Another task has its unique key now. */
    boolean keyIsGone;

    boolean redriven;

    /** Its place in the lane is promised: it has not been queued for a second time. */
    boolean inLine = true;

    /** All leases that it was ever given out under. */
    final Set<Lease> leases = new HashSet<>();

    /** The last report that was applied, to know a repetition by. */
    @Nullable
    Report lastReport;

    record Report(Lease lease, Outcome outcome) {}

    /** What is known only while RUNNING. */
    static final class Running {
        final UUID worker;
        final Instant since;
        /** The attempt's beginning, or the take-over by a reaper. */
        Instant leasedAt;

        final Duration timeToRun;

        /** Null as long as the time-to-run has not begun. */
        @Nullable
        Instant until;

        Lease lease;
        boolean started;
        boolean cancelRequested;
        boolean givenUp;
        boolean reaped;

        @Nullable
        Integer percent;

        Running(Lease lease, Instant since, Duration timeToRun, TimeFrom from) {
            this.lease = lease;
            this.worker = lease.worker();
            this.since = since;
            this.leasedAt = since;
            this.timeToRun = timeToRun;
            until = from == TimeFrom.START ? null : since.plus(timeToRun);
        }

        void start(Instant now) {
            if (until == null) {
                until = now.plus(timeToRun);
            }
            started = true;
        }
    }

    ModelTask(NewTask given, Instant now) {
        this.given = given;
        created = now;
        due = later(given.runAt().from(now), now);
        deadline = given.deadline() == null ? null : given.deadline().from(now);
        waitingFor = given.waitFor();
        state = waitingFor > 0 ? TaskState.WAITING : TaskState.READY;
    }

    TaskState state(Instant now) {
        return state == TaskState.READY && due.isAfter(now) ? TaskState.SCHEDULED : state;
    }

    boolean isReady(Instant now) {
        return state(now) == TaskState.READY;
    }

    boolean isPending() {
        return state.isPending();
    }

    boolean isPastDeadline(Instant now) {
        return deadline != null && deadline.isBefore(now);
    }

    /** Past its deadline, and nobody has it. */
    boolean isOverdue(Instant now) {
        return isPending() && running == null && isPastDeadline(now);
    }

    boolean isPastRetention(Instant now) {
        return removal != null && removal.isBefore(now);
    }

    Running running() {
        return Objects.requireNonNull(running, () -> given + " does not run in the model");
    }

    /** Ready since an earlier moment or, if both were ready from the start, enqueued before. */
    boolean standsBefore(ModelTask other, int place, int othersPlace) {
        if (!inLine || !other.inLine) {
            return false;
        }
        boolean bothBornReady = due.equals(created) && other.due.equals(other.created) && noneWaited(other);
        return due.isBefore(other.due) || (bothBornReady && due.equals(other.due) && place < othersPlace);
    }

    private boolean noneWaited(ModelTask other) {
        return given.waitFor() == 0 && other.given.waitFor() == 0;
    }

    void lease(Lease lease, Duration timeToRun, TimeFrom from, Instant now) {
        state = TaskState.RUNNING;
        attempts++;
        running = new Running(lease, now, timeToRun, from);
        leases.add(lease);
    }

    /** Ends a lease that was no attempt. */
    void endLease(Lease lease, Outcome outcome) {
        attempts--;
        lastReport = new Report(lease, outcome);
        running = null;
    }

    /** Ends the attempt of who began it, whoever reports it. */
    void endAttempt(Lease lease, Outcome outcome, @Nullable String error, Instant now) {
        ended.add(new Attempt(attempts, running().worker, running().since, now, outcome, error));
        while (ended.size() > Task.ATTEMPTS_KEPT || (ended.size() > 1 && errorCharacters() > Task.ERRORS_KEPT)) {
            ended.remove(0);
        }
        lastReport = new Report(lease, outcome);
        running = null;
    }

    private int errorCharacters() {
        return ended.stream()
                .mapToInt(
                        attempt -> attempt.error() == null ? 0 : attempt.error().length())
                .sum();
    }

    void requeue(Instant moment, Instant now) {
        state = TaskState.READY;
        due = later(moment, now);
        inLine = false;
    }

    /** @return whether this was the last arrival */
    boolean arrive(Instant now) {
        if (state != TaskState.WAITING || --waitingFor > 0) {
            return false;
        }
        state = TaskState.READY;
        due = later(due, now);
        return true;
    }

    void finish(TaskState end, @Nullable Payload outcome, Duration retention, Instant now) {
        state = end;
        result = outcome;
        waitingFor = 0;
        finished = now;
        removal = now.plus(retention);
    }

    void revive(Instant now) {
        requeue(now, now);
        retries = 0;
        losses = 0;
        deadline = null;
        keyIsGone = false;
        finished = null;
        removal = null;
        result = null;
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }

    /** Where the contract leaves something open, such as who holds a task that a reaper decides on, all is right. */
    void compareWith(Task actual, Instant now) {
        TaskState expected = state(now);
        Instant expectedDue = expected == TaskState.SCHEDULED || (inLine && expected == TaskState.READY)
                ? due
                : actual.moments().due();
        assertThat(actual.given()).isEqualTo(given);
        assertThat(actual.state()).as("state of %s", given).isEqualTo(expected);
        assertThat(actual.moments())
                .as("moments of %s", actual)
                .isEqualTo(new Task.Moments(created, expectedDue, deadline, finished, removal));
        assertThat(actual.tally())
                .as("tally of %s", actual)
                .isEqualTo(new Task.Tally(attempts, retries, losses, waitingFor));
        assertThat(actual.attempts()).as("attempts of %s", actual).isEqualTo(ended);
        assertThat(actual.result()).as("result of %s", actual).isEqualTo(result);
        assertThat(actual.redriven()).as("%s is redriven", actual).isEqualTo(redriven);
        compareHold(actual.hold(), actual);
    }

    private void compareHold(Task.@Nullable Hold hold, Task actual) {
        if (running == null) {
            assertThat(hold).as("hold of %s", actual).isNull();
            return;
        }
        assertThat(hold).as("hold of %s", actual).isNotNull();
        assertThat(hold.cancelRequested()).isEqualTo(running.cancelRequested);
        if (!running.reaped) {
            assertThat(hold.worker()).isEqualTo(running.worker);
            assertThat(hold.since()).isEqualTo(running.since);
            assertThat(hold.until()).isEqualTo(running.until);
        }
        if (running.percent != null) {
            assertThat(actual.progress()).as("progress of %s", actual).isNotNull();
            assertThat(actual.progress().percent()).isEqualTo(running.percent);
        }
    }
}
