package io.millrace.internal.worker;

import io.millrace.ClaimOrder;
import io.millrace.Codec;
import io.millrace.Handler;
import io.millrace.Limits;
import io.millrace.MillraceOptions;
import io.millrace.Payload;
import io.millrace.StoreUnavailableException;
import io.millrace.WorkerClient;
import io.millrace.internal.Duty;
import io.millrace.internal.Events;
import io.millrace.internal.pool.Pool;
import io.millrace.internal.pool.PoolSettings;
import io.millrace.internal.pool.Work;
import io.millrace.spi.Ending;
import io.millrace.spi.EngineClock;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.WorkerProtocol;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.spi.WorkerStanding;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This process as a worker: what its session fetches waits in a buffer, and a balanced pool runs it. */
public final class EmbeddedWorker implements Session.Owner, Work {
    private static final Logger log = LoggerFactory.getLogger(EmbeddedWorker.class);
    /** A fetched task that was not started within this time is handed back: another process may be idle. */
    private static final long STALE_NANOS = 1_000_000_000;

    /**
     * With so many reports unanswered, and one for each thread, nothing is fetched: a batch is being written, and the
     * next one is full. More would not be faster, and all of it would run again if this process died.
     */
    private static final int MOST_UNANSWERED = 2 * Limits.CLAIM;

    private static final Duration FOR_EVER = Duration.ofDays(36_500);
    private static final long WINK = 50_000;
    /** Between two looks whether a worker that was taken for dead could register again. */
    private static final long PAUSE = 10_000_000;
    /** The answer to a request that was given tasks comes within this time. */
    private static final long ANSWER = 200_000_000;

    private final WorkerProtocol protocol;
    private final WorkerClient workers;
    private final MillraceOptions options;
    private final EngineClock clock;
    private final Executor executor;
    private final Supplier<Codec> codec;
    private final Handlers handlers = new Handlers();
    /** Jobs that wait for a thread, and errands of the session. */
    private final BlockingQueue<Runnable> buffer = new LinkedBlockingQueue<>();

    private final TimeKeeper time;
    /** When something was taken from the buffer, or it was empty, for the last time. */
    private volatile long lastTaken;

    private final AtomicInteger busy = new AtomicInteger();
    /** Of those who are busy, how many run a task. */
    private final AtomicInteger handling = new AtomicInteger();

    private final LongAdder ended = new LongAdder();
    private final Prefetch prefetch;
    private final Quota quota;
    private final Pool pool;
    private final Object idleness = new Object();
    private volatile @Nullable Session session;
    /** The session that leaves when its last task has ended. */
    private final AtomicReference<@Nullable Session> toldToStop = new AtomicReference<>();

    private final CompletableFuture<UUID> stopped = new CompletableFuture<>();

    private volatile boolean closing;
    /** The session has ended, and a new one has not begun yet. */
    private volatile boolean lost;

    private @Nullable Duty heartbeat;

    public EmbeddedWorker(
            WorkerProtocol protocol,
            WorkerClient workers,
            MillraceOptions options,
            Events events,
            Executor executor,
            Supplier<Codec> codec) {
        this.protocol = protocol;
        this.workers = workers;
        this.options = options;
        this.clock = options.clock();
        this.executor = executor;
        this.codec = codec;
        time = new TimeKeeper(clock, this::inFlight, this::overran);
        prefetch = new Prefetch(options.prefetch());
        quota = new Quota(options.maxTasks());
        pool = new Pool(poolSettings(options, events), this);
    }

    private static PoolSettings poolSettings(MillraceOptions options, Events events) {
        return new PoolSettings(
                options.workerName(),
                options.virtualThreads(),
                options.workers(),
                options.schedule(),
                0,
                PoolSettings.SLEEP_INTERVAL,
                PoolSettings.CALIBRATE_EVERY,
                PoolSettings.FORCE_CALIBRATION_AT,
                1,
                options.clock(),
                events);
    }

    /** Adds a handler of these topics; with the first one the work begins. */
    public synchronized void handle(Set<String> topics, Handler<Payload> handler) {
        if (closing) {
            throw new IllegalStateException("this Millrace is closed");
        }
        handlers.add(topics, handler);
        Session running = session;
        if (running != null) {
            running.restartFetch();
            return;
        }
        try {
            // the session fetches for as many workers as there are
            pool.start();
            Session first = begin();
            heartbeat = new Duty("The heartbeat", first.pingEvery(), clock, executor, this::beat);
        } catch (RuntimeException e) {
            handlers.remove(topics);
            throw e;
        }
    }

    private Session begin() {
        Session begun = new Session(
                this, protocol, clock, new Introduction(options.workerName(), host(), handlers.topics(), "", true));
        session = begun;
        begun.fetch();
        return begun;
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "";
        }
    }

    private void beat() {
        Session running = session;
        if (lost) {
            beginAnew();
        } else if (running != null) {
            running.ping();
            if (waiting() > 0) {
                handBack(job -> time.now() - job.fetchedAt() > STALE_NANOS);
            }
        }
    }

    private void handBack(Predicate<Job> which) {
        buffer.forEach(item -> {
            if (item instanceof Job job && which.test(job)) {
                handBack(job);
            }
        });
    }

    /** Hands a job back, unless a thread has taken it. */
    @Override
    public void handBack(Job job) {
        if (buffer.remove(job)) {
            quota.giveBack();
            job.session().report(job, Ending.Released.NOT_STARTED);
        }
    }

    // what the pool asks

    @Override
    public int drain(@Nullable Object[] into, int most) {
        fetch();
        Runnable next = buffer.poll();
        into[0] = next;
        if (next == null) {
            return 0;
        }
        lastTaken = time.now();
        return 1;
    }

    @Override
    public boolean isEmpty() {
        return buffer.isEmpty();
    }

    @Override
    public double fillRate() {
        return isLate() ? 1 : prefetch.fillRate(waiting(), pool.active(), pool.mayGrow());
    }

    /** What waits although every worker runs a task: the others are about to take the rest. Errands are short. */
    private int waiting() {
        return Math.max(0, buffer.size() - Math.max(0, pool.active() - handling.get()));
    }

    private boolean isLate() {
        return waiting() > 0 && time.now() - lastTaken > Prefetch.HORIZON_NANOS;
    }

    @Override
    public void run(Object item) {
        busy.incrementAndGet();
        fetch();
        try {
            ((Runnable) item).run();
        } finally {
            busy.decrementAndGet();
            // also for the others: this worker may be about to sleep
            fetch();
        }
    }

    private void fetch() {
        Session running = session;
        if (running != null) {
            running.fetch();
        }
    }

    private void add(Runnable item) {
        boolean first = buffer.isEmpty();
        if (first) {
            lastTaken = time.now();
        }
        buffer.add(item);
        pool.wakeUp();
        if (busy.get() >= pool.active() && (first || isLate())) {
            askForAnotherThread();
        }
    }

    private void askForAnotherThread() {
        try {
            pool.crowded();
        } catch (OutOfMemoryError e) {
            log.error("No thread could be started; those that there are go on alone", e);
        }
    }

    private void run(Job job) {
        // taken from the buffer by this thread or, a moment later, another: near enough
        long end = TimeKeeper.endOf(lastTaken, job.timeToRun());
        if (!job.begin(end)) {
            quota.giveBack();
            job.session().report(job, Ending.Released.NOT_STARTED);
            return;
        }
        time.watch(end);
        if (quota.begin()) {
            endWithLastTask();
        }
        handling.incrementAndGet();
        long start = System.nanoTime();
        Ending ending = new Ending.Failed("the worker's thread died", false);
        try {
            ending = handlers.handle(job);
        } catch (Throwable e) {
            // an Error, or what a handler has smuggled past the compiler
            ending = new Ending.Failed(Failures.describe(e), false);
            throw e;
        } finally {
            handling.decrementAndGet();
            long nanos = System.nanoTime() - start;
            boolean isToReport = job.end(nanos);
            prefetch.ran(nanos);
            ended.increment();
            if (isToReport) {
                job.session().report(job, ending);
            } else {
                job.session().returned(job);
            }
        }
    }

    /** The current session ends; one that begins anew meanwhile does not. */
    private void endWithLastTask() {
        Session running;
        synchronized (this) {
            running = session;
        }
        if (running != null) {
            running.end(WorkerStanding.STOPPING);
        }
    }

    private Collection<Job> inFlight() {
        Session running = session;
        return running == null ? List.of() : running.inFlight();
    }

    /** Reported at once: a handler that does not react to the interrupt must not keep the task. */
    private void overran(Job job) {
        if (job.timeOut()) {
            log.warn(
                    "Task {} attempt {} exceeds its time-to-run of {}: it is interrupted and ends as timed out",
                    job.task(),
                    job.attempt(),
                    job.timeToRun());
            inBackground(() -> job.session()
                    .report(job, new Ending.TimedOut("the time-to-run of " + job.timeToRun() + " was over")));
        }
    }

    // what the session asks

    @Override
    public Set<String> topics() {
        return handlers.topics();
    }

    @Override
    public ClaimOrder claimOrder() {
        return options.claimOrder();
    }

    @Override
    public int wanted(int held) {
        int buffered = buffer.size();
        int unanswered = held - buffered - handling.get();
        int threads = pool.active();
        return closing || unanswered >= MOST_UNANSWERED + threads
                ? 0
                : quota.allowed(prefetch.wanted(buffered, busy.get(), threads, pool.mayGrow()));
    }

    @Override
    public Job jobFor(LeasedTask leased, Session fetchedBy) {
        return new Job(leased, fetchedBy, time.now(), codec, this::run);
    }

    @Override
    public void extend(Job job, Duration fromNow) {
        long end = TimeKeeper.endOf(time.now(), fromNow);
        job.extendTo(end);
        time.watch(end);
    }

    @Override
    public void accept(Job job) {
        if (closing || !quota.take()) {
            job.session().report(job, Ending.Released.NOT_STARTED);
            return;
        }
        add(job);
        if (closing) {
            // it may have come when the buffer was emptied already; a thread that has it by now is waited for
            handBack(job);
        }
    }

    @Override
    public void execute(Runnable errand) {
        add(errand);
    }

    @Override
    public void inBackground(Runnable action) {
        try {
            executor.execute(action);
        } catch (RejectedExecutionException e) {
            log.debug("Closed meanwhile: what would have been done in the background is left", e);
        }
    }

    @Override
    public void done() {
        // nothing may have been wanted for the sake of those that were not answered
        fetch();
        Session running = session;
        if (running != null && !running.isIdle()) {
            return;
        }
        synchronized (idleness) {
            idleness.notifyAll();
        }
        if (running != null && toldToStop.compareAndSet(running, null)) {
            inBackground(() -> leaveAsTold(running));
        }
    }

    private void leaveAsTold(Session told) {
        leave(told::leave);
        // off this thread: what hangs on it is the users' code
        var unused = stopped.completeAsync(told::id);
    }

    private void leave(Runnable leaving) {
        try {
            leaving.run();
        } catch (RuntimeException e) {
            log.warn("Worker {} could not say that it leaves; it will expire", options.workerName(), e);
        }
    }

    /** The worker's id when it was told to stop or has taken its last task, has finished what it ran and has left. */
    public CompletableFuture<UUID> stopped() {
        return stopped.copy();
    }

    @Override
    public void ended(Session endedSession, WorkerStanding standing) {
        if (standing == WorkerStanding.STOPPING) {
            log.info(
                    "Worker {} {}: it finishes what it runs and takes nothing more",
                    options.workerName(),
                    quota.isUsedUp() ? "has started its last task" : "was told to stop");
            toldToStop.set(endedSession);
            handBack(job -> true);
            done();
            return;
        }
        log.warn(
                "Worker {} was taken for dead; what it ran is abandoned and runs again, and it registers anew",
                options.workerName());
        endedSession.abandonAll();
        lost = true;
        beginAnew();
    }

    private synchronized void beginAnew() {
        if (closing || !lost) {
            return;
        }
        Session before = session;
        if (quota.isUsedUp() && before != null) {
            lost = false;
            var unused = stopped.completeAsync(before::id);
            return;
        }
        try {
            begin();
            lost = false;
        } catch (RuntimeException e) {
            log.warn("Worker {} could not register; the next try comes with the heartbeat", options.workerName(), e);
        }
    }

    /**
     * Runs what can be run now, and returns when there is nothing more: what is not due yet, paused or over a limit is
     * left.
     *
     * @return how many attempts ended meanwhile
     */
    public long drain() throws InterruptedException {
        if (pool.isWorker(Thread.currentThread())) {
            throw new IllegalStateException("a handler cannot wait for all handlers: drain from another thread");
        }
        long before = ended.sum();
        boolean done = session == null;
        while (!done && !closing) {
            done = finishRound();
        }
        return ended.sum() - before;
    }

    /**
     * One round of a drain. It was the last if nothing was there to fetch, nothing is held, and nothing ended
     * meanwhile: what ends may have left a new task behind.
     */
    private boolean finishRound() throws InterruptedException {
        Session running = session;
        if (running == null) {
            return true;
        }
        long endedBefore = ended.sum();
        awaitIdle(running, FOR_EVER);
        if (closing || quota.isUsedUp()) {
            return true;
        }
        Optional<List<Job>> fetched = running.fetchNow(Math.max(1, Math.min(wanted(0), Limits.CLAIM)));
        if (fetched.isEmpty()) {
            return isOver(running);
        }
        fetched.get().forEach(this::accept);
        if (!fetched.get().isEmpty()) {
            return false;
        }
        // another request's tasks are held as soon as the store gave them, and in flight a moment later
        if (holdsNothing(running) && ended.sum() == endedBefore) {
            return true;
        }
        LockSupport.parkNanos(WINK);
        return false;
    }

    private boolean holdsNothing(Session running) {
        try {
            return workers.list().stream()
                    .noneMatch(worker -> worker.id().equals(running.id()) && worker.running() > 0);
        } catch (StoreUnavailableException e) {
            throw e;
        } catch (RuntimeException e) {
            log.debug("Workers cannot be listed, as with a key for work only; waiting for answers instead", e);
            LockSupport.parkNanos(ANSWER);
            return running.isIdle();
        }
    }

    /** A worker that was taken for dead begins anew and goes on; one that was told to stop does not. */
    private boolean isOver(Session ended) {
        if (session == ended) {
            LockSupport.parkNanos(PAUSE);
        }
        return session == ended && !lost;
    }

    private boolean awaitIdle(Session running, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        synchronized (idleness) {
            while (!running.isIdle()) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    return false;
                }
                idleness.wait(left);
            }
        }
        return true;
    }

    /** @throws IllegalStateException if a handler asks for it: it would wait for itself */
    public void refuseCloseByHandler() {
        if (pool.isWorker(Thread.currentThread())) {
            throw new IllegalStateException("a handler cannot wait for its own end: close from another thread");
        }
    }

    /** Takes nothing more, hands back what was not started, and lets the rest finish for a while. */
    public void close(Duration patience) {
        Session running;
        synchronized (this) {
            closing = true;
            running = session;
        }
        if (running == null) {
            // registering may have failed when the workers were started already
            var unused = poolStopped();
            return;
        }
        running.endFetching();
        handBack(job -> true);
        boolean interrupted = false;
        try {
            if (!awaitIdle(running, patience)) {
                log.warn("Handlers still run; they are interrupted, and their tasks will run again");
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (heartbeat != null) {
            heartbeat.close();
        }
        leave(running::leaveRunning);
        interrupted |= !poolStopped();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is in the buffer is errands of a session that has ended. */
    private boolean poolStopped() {
        time.close();
        try {
            var unused = pool.stop(true, 0);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }
}
