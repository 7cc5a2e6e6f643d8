package io.millrace.internal.worker;

import io.millrace.ClaimOrder;
import io.millrace.Limits;
import io.millrace.StoreFullException;
import io.millrace.StoreUnavailableException;
import io.millrace.spi.ClaimRequest.TimeFrom;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.Ending;
import io.millrace.spi.EngineClock;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Renewal;
import io.millrace.spi.WorkerProtocol;
import io.millrace.spi.WorkerProtocol.Claim;
import io.millrace.spi.WorkerProtocol.Registration;
import io.millrace.spi.WorkerProtocol.Report;
import io.millrace.spi.WorkerProtocol.Wanted;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.spi.WorkerStanding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One registration of this process as a worker, from its beginning to its end: the recommended worker loop. It fetches
 * tasks while some are wanted, reports what became of them until the report is taken or the lease is lost, and pings in
 * parallel. When a ping says that the worker is not known, everything it holds is abandoned and its owner begins anew.
 */
final class Session implements WorkerProtocol.LeaseListener {
    private static final Logger log = LoggerFactory.getLogger(Session.class);
    private static final Duration LONG_POLL = Duration.ofSeconds(20);
    private static final Duration TROUBLE = Duration.ofSeconds(1);
    private static final Duration PROGRESS = Duration.ofSeconds(1);
    /** How often a report is made that the store has no room for. */
    private static final int ROOM_TRIES = 30;

    private static final String REFUSED = "its outcome cannot be kept: ";

    private final Owner owner;
    private final WorkerProtocol protocol;
    private final EngineClock clock;
    private final Registration registration;
    private final Map<UUID, Job> inFlight = new ConcurrentHashMap<>();
    private final AtomicBoolean fetching = new AtomicBoolean();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicBoolean progressPending = new AtomicBoolean();
    private volatile @Nullable CompletableFuture<Claim> claim;
    private volatile boolean fetchingEnded;

    /** Who runs what the session fetches. */
    interface Owner {
        Set<String> topics();

        ClaimOrder claimOrder();

        /** How many tasks are wanted now, when so many are held. */
        int wanted(int held);

        Job jobFor(LeasedTask leased, Session fetchedBy);

        void accept(Job job);

        /** The time-to-run of a job ends this long from now. */
        void extend(Job job, Duration fromNow);

        /** Reports a job as given up if it was not begun. */
        void handBack(Job job);

        /** Does an errand of the session's on one of the threads that otherwise run jobs. */
        void execute(Runnable errand);

        /** Does something that may wait, while jobs run. */
        void inBackground(Runnable action);

        /** A task is off this session's hands. */
        void done();

        /** The worker is not known, or was told to stop; there will be no more tasks. */
        void ended(Session session, WorkerStanding standing);
    }

    Session(Owner owner, WorkerProtocol protocol, EngineClock clock, Introduction introduction) {
        this.owner = owner;
        this.protocol = protocol;
        this.clock = clock;
        this.registration = protocol.register(introduction, this);
    }

    UUID id() {
        return registration.id();
    }

    Duration pingEvery() {
        return registration.pingEvery();
    }

    boolean isIdle() {
        return inFlight.isEmpty();
    }

    /** Asks for tasks if some are wanted and no request is under way. */
    void fetch() {
        while (!fetchingEnded && wanted() > 0 && fetching.compareAndSet(false, true)) {
            int wanted = Math.min(wanted(), Limits.CLAIM);
            if (wanted > 0) {
                ask(wanted);
                return;
            }
            fetching.set(false);
        }
    }

    private int wanted() {
        return owner.wanted(inFlight.size());
    }

    private void ask(int wanted) {
        Set<String> topics = owner.topics();
        CompletableFuture<Claim> asked;
        try {
            asked = protocol.claim(registration.id(), wanted(topics, wanted, LONG_POLL), owner::execute);
        } catch (RuntimeException e) {
            fetchFailed(e);
            return;
        }
        claim = asked;
        var unused = asked.whenComplete(this::fetched);
        if (fetchingEnded || !topics.equals(owner.topics())) {
            // it may have been asked for between the call and the assignment
            stop(asked);
        }
    }

    private Wanted wanted(Set<String> topics, int max, Duration patience) {
        return new Wanted(topics, max, patience, TimeFrom.START, owner.claimOrder());
    }

    /** What can be had at once, without waiting for more; nothing at all if this session is over. */
    Optional<List<Job>> fetchNow(int wanted) {
        Claim answer;
        try {
            answer = protocol.claim(registration.id(), wanted(owner.topics(), wanted, Duration.ZERO), Runnable::run)
                    .join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
        if (answer.worker() != WorkerStanding.ALIVE) {
            end(answer.worker());
            return Optional.empty();
        }
        return Optional.of(answer.tasks().stream().map(this::take).toList());
    }

    private void fetched(@Nullable Claim answer, @Nullable Throwable error) {
        if (answer == null) {
            fetchFailed(error);
        } else if (answer.worker() != WorkerStanding.ALIVE) {
            end(answer.worker());
        } else {
            answer.tasks().stream().map(this::take).toList().forEach(owner::accept);
            fetchAgain();
        }
    }

    private void fetchFailed(@Nullable Throwable error) {
        if (error instanceof CancellationException) {
            fetchAgain();
            return;
        }
        if (error instanceof StoreUnavailableException) {
            log.warn("Tasks could not be fetched; the next try is in {}: {}", TROUBLE, error.getMessage());
        } else {
            log.warn("Tasks could not be fetched; the next try is in {}", TROUBLE, error);
        }
        clock.after(TROUBLE, this::fetchAgain);
    }

    private void fetchAgain() {
        fetching.set(false);
        fetch();
    }

    private Job take(LeasedTask leased) {
        Job job = owner.jobFor(leased, this);
        inFlight.put(leased.task().id(), job);
        return job;
    }

    /** The topics have changed: a request under way asks for the wrong ones. */
    void restartFetch() {
        CompletableFuture<Claim> asked = claim;
        if (asked != null) {
            stop(asked);
        }
        fetch();
    }

    /** Tasks that are on their way are welcome, unless there is nobody any more to run them. */
    private void stop(CompletableFuture<Claim> asked) {
        asked.cancel(fetchingEnded);
    }

    void endFetching() {
        fetchingEnded = true;
        restartFetch();
    }

    /** Reports until the answer is known. The lease is kept meanwhile, or the task would run twice. */
    void report(Job job, Ending ending) {
        if (job.isAbandoned()) {
            job.reported();
            forget(job);
            return;
        }
        CompletableFuture<CompletionResult> answer;
        try {
            answer = protocol.report(registration.id(), new Report(job.lease(), ending, job.ran()));
        } catch (RuntimeException e) {
            reportFailed(job, ending, e);
            return;
        }
        var unused = answer.whenComplete((result, error) -> {
            if (result != null) {
                reported(job, result);
            } else {
                reportFailed(job, ending, error instanceof CompletionException e ? e.getCause() : error);
            }
        });
    }

    private void reported(Job job, CompletionResult result) {
        job.reported();
        if (result.status() == CompletionResult.Status.LEASE_LOST) {
            log.warn("The outcome of {} came too late: its lease was lost, and it may run again", job.task());
        }
        forget(job);
    }

    private void reportFailed(Job job, Ending ending, @Nullable Throwable error) {
        if (error instanceof StoreUnavailableException) {
            log.warn("The outcome of {} is reported again in {}: {}", job.task(), TROUBLE, error.getMessage());
            clock.after(TROUBLE, () -> report(job, ending));
        } else if (error instanceof StoreFullException && mayWaitForRoom(job, ending)) {
            log.warn("The outcome of {} is reported again in {}: {}", job.task(), TROUBLE, error.getMessage());
            clock.after(TROUBLE, () -> report(job, ending));
        } else if (ending instanceof Ending.Failed failed && failed.error().startsWith(REFUSED)) {
            // to forget it would let it run again and again; so it ends by its time-to-run
            log.error("Not even the failure of {} can be kept; it will end as timed out", job.task(), error);
            job.giveUpReporting();
            forgetIfGivenUp(job);
        } else {
            log.error("The outcome of {} cannot be kept; the task fails", job.task(), error);
            report(job, new Ending.Failed(REFUSED + (error == null ? "" : error.getMessage()), true));
        }
    }

    /**
     * A result is given up after a while. A failure has nothing that could be left out: it waits until the lease is
     * lost.
     */
    private static boolean mayWaitForRoom(Job job, Ending ending) {
        return !(ending instanceof Ending.Succeeded) || job.refusedForRoom() < ROOM_TRIES;
    }

    /** A lost task whose end cannot be kept: there will be no answer after which it is forgotten. */
    private void forgetIfGivenUp(Job job) {
        if (job.isAbandoned() && job.isReportingGivenUp()) {
            forget(job);
        }
    }

    /** The handler of a job that had timed out, and was reported so, has returned. */
    void returned(Job job) {
        forget(job);
    }

    private void forget(Job job) {
        if (job.isOver()) {
            inFlight.remove(job.task().id(), job);
            owner.done();
        }
    }

    Collection<Job> inFlight() {
        return inFlight.values();
    }

    /** @return false if the lease is lost */
    boolean extend(Job job, Duration fromNow) {
        Heartbeat.Report report = new Heartbeat.Report(job.lease(), null, null, fromNow);
        boolean extended = protocol.ping(registration.id(), null, Set.of(), List.of(report))
                .applied()
                .get(0);
        if (extended) {
            owner.extend(job, fromNow);
        }
        return extended;
    }

    /** Some task has said how far it is. What all of them say within a second is sent together. */
    void progressed() {
        if (progressPending.compareAndSet(false, true)) {
            clock.after(PROGRESS, () -> owner.inBackground(this::sendProgress));
        }
    }

    private void sendProgress() {
        progressPending.set(false);
        List<Heartbeat.Report> reports = takeProgress();
        if (reports.isEmpty()) {
            return;
        }
        try {
            var unused = protocol.ping(registration.id(), null, Set.of(), reports);
        } catch (StoreUnavailableException e) {
            log.warn("Progress could not be told, and is not told again: {}", e.getMessage());
        } catch (RuntimeException e) {
            log.warn("Progress could not be told, and is not told again", e);
        }
    }

    private List<Heartbeat.Report> takeProgress() {
        List<Heartbeat.Report> reports = new ArrayList<>();
        for (Job job : inFlight.values()) {
            Heartbeat.Report progress = job.takeProgress();
            if (progress != null) {
                reports.add(progress);
            }
        }
        return reports;
    }

    void ping() {
        List<Job> started =
                inFlight.values().stream().filter(Job::isStartToTell).toList();
        Renewal renewal = protocol.ping(registration.id(), Set.copyOf(inFlight.keySet()), ids(started), takeProgress());
        started.forEach(Job::startTold);
        if (!renewal.worker().isAlive()) {
            end(renewal.worker());
            return;
        }
        renewal.lost().forEach(this::lost);
        renewal.cancel().forEach(this::cancelRequested);
        if (renewal.worker() == WorkerStanding.STOPPING) {
            end(renewal.worker());
        }
    }

    private static Set<UUID> ids(List<Job> jobs) {
        return jobs.stream().map(job -> job.task().id()).collect(Collectors.toSet());
    }

    /** There will be no more tasks. */
    void end(WorkerStanding standing) {
        if (ended.compareAndSet(false, true)) {
            endFetching();
            owner.ended(this, standing);
        }
    }

    @Override
    public void lost(UUID task) {
        Job job = inFlight.get(task);
        if (job != null) {
            job.abandon();
            forgetIfGivenUp(job);
        }
    }

    @Override
    public void cancelRequested(UUID task) {
        Job job = inFlight.get(task);
        if (job != null) {
            job.cancel();
            // one that waits for a thread need not wait for it to end
            owner.handBack(job);
        }
    }

    /** Gives up all that is still held. */
    void abandonAll() {
        inFlight.values().forEach(Job::abandon);
        inFlight.clear();
        owner.done();
    }

    /** Leaves, although handlers may run: those are given up after their start, and so were attempts. */
    void leaveRunning() {
        try {
            if (inFlight.values().stream().anyMatch(Job::isStartToTell)) {
                ping();
            }
        } catch (RuntimeException e) {
            log.debug("Cannot say what was started; it counts as not started", e);
        }
        abandonAll();
        leave();
    }

    void leave() {
        endFetching();
        protocol.leave(registration.id());
    }
}
