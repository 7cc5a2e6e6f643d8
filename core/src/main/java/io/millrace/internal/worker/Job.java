package io.millrace.internal.worker;

import io.millrace.Codec;
import io.millrace.Limits;
import io.millrace.NewTask;
import io.millrace.Payload;
import io.millrace.Task;
import io.millrace.TaskContext;
import io.millrace.spi.Ending;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One leased task in this process, and what its handler has said of it. */
final class Job implements TaskContext, Runnable {
    static final long NEVER = Long.MAX_VALUE;

    private final LeasedTask leased;
    private final Session session;
    private final long fetchedAt;
    private final Supplier<Codec> codec;
    private final Consumer<Job> runner;

    /** The thread that runs the handler, while it does. */
    private @Nullable Thread thread;

    private volatile Duration ran = Duration.ZERO;

    /** When its time-to-run ends, by the worker's clock, while the handler runs. */
    private volatile long endsAt = NEVER;

    private volatile boolean startTold;
    private volatile boolean cancelled;
    private volatile boolean timedOut;
    private volatile boolean reported;
    private volatile boolean abandoned;
    private volatile boolean ended;
    private volatile boolean reportingGivenUp;
    private final AtomicInteger refusedForRoom = new AtomicInteger();
    private volatile Heartbeat.@Nullable Report progress;
    private @Nullable Duration snooze;
    private @Nullable Payload result;
    private final List<NewTask> spawned = new ArrayList<>(0);
    private final List<UUID> arrivals = new ArrayList<>(0);

    Job(LeasedTask leased, Session session, long fetchedAt, Supplier<Codec> codec, Consumer<Job> runner) {
        this.leased = leased;
        this.session = session;
        this.fetchedAt = fetchedAt;
        this.codec = codec;
        this.runner = runner;
    }

    @Override
    public void run() {
        runner.accept(this);
    }

    Session session() {
        return session;
    }

    Lease lease() {
        return leased.lease();
    }

    long fetchedAt() {
        return fetchedAt;
    }

    Duration timeToRun() {
        return leased.timeToRun();
    }

    /**
     * The current thread begins to run the handler, unless the task is not to run any more.
     *
     * @param end of the time-to-run
     */
    synchronized boolean begin(long end) {
        if (cancelled || abandoned) {
            return false;
        }
        thread = Thread.currentThread();
        endsAt = end;
        return true;
    }

    /**
     * The handler has returned; an interrupt that was meant for it must not hit the next.
     *
     * @return whether how it ended is still to be reported
     */
    @SuppressWarnings("ReturnValueIgnored")
    synchronized boolean end(long nanos) {
        thread = null;
        ran = Duration.ofNanos(nanos);
        ended = true;
        endsAt = NEVER;
        Thread.interrupted();
        return !timedOut;
    }

    /** When the time-to-run of a running handler is over. */
    long endsAt() {
        return endsAt;
    }

    /** Interrupts a handler whose time is over. @return false if it has ended, or need not end any more */
    synchronized boolean timeOut() {
        if (thread == null || timedOut || abandoned) {
            return false;
        }
        timedOut = true;
        ran = timeToRun();
        endsAt = NEVER;
        cancel();
        return true;
    }

    /** The store has no room for what it reports. @return how often that was so */
    int refusedForRoom() {
        return refusedForRoom.incrementAndGet();
    }

    /** Its report was answered. */
    void reported() {
        reported = true;
    }

    /** Neither a report nor a handler is under way: of one that timed out, the handler may go on after the report. */
    boolean isOver() {
        return !timedOut || (reported && ended);
    }

    /**
     * Whether the worker has yet to say that the handler runs; or ran, if only its time-to-run can end the task now.
     */
    boolean isStartToTell() {
        return !startTold && (endsAt != NEVER || reportingGivenUp);
    }

    void startTold() {
        startTold = true;
    }

    /** How long the handler ran, once it has returned or is out of time; zero if it was never called. */
    Duration ran() {
        return ran;
    }

    /** Asks the handler to stop: with one interrupt, so that its clean-up is not disturbed by a second. */
    synchronized void cancel() {
        boolean first = !cancelled;
        cancelled = true;
        if (first && thread != null) {
            thread.interrupt();
        }
    }

    /** Nobody waits for the outcome here any more: the lease is lost, or handed back. */
    void abandon() {
        abandoned = true;
        cancel();
    }

    /** How it ended cannot be kept. */
    void giveUpReporting() {
        reportingGivenUp = true;
    }

    boolean isReportingGivenUp() {
        return reportingGivenUp;
    }

    boolean isAbandoned() {
        return abandoned;
    }

    Heartbeat.@Nullable Report takeProgress() {
        Heartbeat.Report taken = progress;
        progress = null;
        return taken;
    }

    /** How the attempt ended, the handler having returned. */
    Ending ending() {
        if (snooze != null) {
            return new Ending.Snoozed(snooze);
        }
        return result == null && spawned.isEmpty() && arrivals.isEmpty()
                ? Ending.Succeeded.PLAIN
                : new Ending.Succeeded(result, List.copyOf(spawned), List.copyOf(arrivals));
    }

    @Override
    public Task task() {
        return leased.task();
    }

    @Override
    public int attempt() {
        return leased.lease().attempt();
    }

    @Override
    public boolean cancelled() {
        return cancelled;
    }

    @Override
    public void progress(int percent, @Nullable String message) {
        Limits.between("percent", percent, 0, 100);
        if (message != null) {
            Limits.atMost("message", message, Limits.ERROR_LENGTH);
        }
        progress = new Heartbeat.Report(lease(), percent, message, null);
        session.progressed();
    }

    @Override
    public boolean extend(Duration fromNow) {
        return session.extend(this, Limits.positive("extend", fromNow));
    }

    synchronized void extendTo(long end) {
        if (thread != null && !timedOut) {
            endsAt = end;
        }
    }

    @Override
    public void snooze(Duration delay) {
        checkRunning();
        snooze = Limits.notNegative("delay", delay);
    }

    @Override
    public void result(Object value) {
        checkRunning();
        result = value instanceof Payload payload ? payload : codec.get().encode(value);
    }

    @Override
    public void spawn(NewTask task) {
        checkRunning();
        spawned.add(Limits.present("task", task));
    }

    @Override
    public void arriveAt(UUID waitingTask) {
        checkRunning();
        arrivals.add(Limits.present("waitingTask", waitingTask));
    }

    /** What is said after the outcome was reported would be lost without a word. */
    private void checkRunning() {
        if (ended) {
            throw new IllegalStateException("the handler of " + leased.task() + " has ended; it is too late for this");
        }
    }
}
