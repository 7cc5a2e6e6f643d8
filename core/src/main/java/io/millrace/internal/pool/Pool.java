package io.millrace.internal.pool;

import io.millrace.Event;
import io.millrace.internal.Events;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Workers that run what there is to do, as many as the load asks for.
 *
 * <p>A worker without work parks. Who adds work wakes one, unless one is awake and searching already: it will see the
 * new item too, or, if it finds something else, wake the next. So a burst costs few wake-ups and no item is overlooked:
 * an item is added before it is asked who is idle, and a worker says that it is idle before it looks a last time.
 *
 * <p>Everything about workers but their batches is guarded by one lock, which is not taken while there is work.
 */
public final class Pool {
    private static final Logger log = LoggerFactory.getLogger(Pool.class);

    /** What a worker is meant to do. */
    enum State {
        /** Takes work, or waits for some. */
        ACTIVE,
        /** Takes none, but can be back at once. */
        SLEEPING,
        /** Ends as soon as it has run what it holds. */
        STOPPED
    }

    /** How many workers are in which state; stopped are those that could still be started. */
    public record Count(int active, int sleeping, int stopped) {}

    private final PoolSettings settings;
    private final Work work;
    private final Events events;
    private final Staff staff;
    private final Balancer balancer;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition quieter = lock.newCondition();
    private final ArrayDeque<PoolWorker> idlers = new ArrayDeque<>();
    private final AtomicInteger searching = new AtomicInteger();
    private volatile int idle;
    private volatile boolean finishing;
    private volatile boolean stopped;

    public Pool(PoolSettings settings, Work work) {
        this.settings = settings;
        this.work = work;
        this.events = settings.events();
        staff = new Staff(
                settings.mostWorkers(),
                WorkerThreads.called(settings.name(), settings.virtualThreads()),
                number -> new PoolWorker(number, this, work, settings.batch()));
        balancer = new Balancer(this, settings, work);
    }

    /** Starts the workers, if that was not done before. */
    public void start() {
        balancer.start();
    }

    // work comes

    /** Something was added that can be taken. */
    public void wakeUp() {
        // the addition must be seen before it is read who is idle
        VarHandle.fullFence();
        passOn();
    }

    /** There may be more to do than one worker can: wakes another, if one is idle and none is searching. */
    void passOn() {
        if (idle > 0 && searching.get() == 0) {
            wakeOne();
        }
    }

    private void wakeOne() {
        PoolWorker woken = null;
        lock.lock();
        try {
            if (searching.get() == 0) {
                woken = idlers.poll();
            }
            if (woken != null) {
                idle = idlers.size();
                searching.incrementAndGet();
                woken.searching = true;
                woken.idle = false;
            }
        } finally {
            lock.unlock();
        }
        if (woken != null) {
            LockSupport.unpark(woken.thread);
        }
    }

    /** Somebody found no room. A pool that may grow does not wait for the next calibration. */
    public void crowded() {
        balancer.crowded();
    }

    // what workers call

    boolean isStopped() {
        return stopped;
    }

    void found(PoolWorker worker) {
        worker.searching = false;
        searching.decrementAndGet();
        if (idle > 0 && hasWork()) {
            passOn();
        }
    }

    /** Parks a worker that found nothing until it is woken. */
    @SuppressWarnings("ReturnValueIgnored")
    void idle(PoolWorker worker) {
        lock.lock();
        try {
            if (worker.state != State.ACTIVE) {
                return;
            }
            endSearch(worker);
            worker.idle = true;
            idlers.push(worker);
            idle = idlers.size();
        } finally {
            lock.unlock();
        }
        VarHandle.fullFence();
        if (hasWork()) {
            leaveIdlers(worker);
            return;
        }
        tellQuieter();
        while (worker.idle && !stopped) {
            LockSupport.park(this);
            Thread.interrupted();
        }
    }

    private void leaveIdlers(PoolWorker worker) {
        lock.lock();
        try {
            if (idlers.remove(worker)) {
                worker.idle = false;
                idle = idlers.size();
            }
        } finally {
            lock.unlock();
        }
    }

    private void endSearch(PoolWorker worker) {
        if (worker.searching) {
            worker.searching = false;
            searching.decrementAndGet();
        }
    }

    /**
     * A worker that is not to work sleeps here, or ends.
     *
     * @return whether it is to work again
     */
    @SuppressWarnings("ReturnValueIgnored")
    boolean rest(PoolWorker worker) {
        lock.lock();
        try {
            // a wake-up that it got meanwhile belongs to another
            endSearch(worker);
            worker.resting = true;
        } finally {
            lock.unlock();
        }
        if (hasWork()) {
            passOn();
        }
        tellQuieter();
        while (worker.state == State.SLEEPING && !stopped) {
            LockSupport.park(this);
            Thread.interrupted();
        }
        lock.lock();
        try {
            worker.resting = false;
            if (worker.state == State.ACTIVE && !stopped) {
                return true;
            }
            staff.left(worker);
            quieter.signalAll();
        } finally {
            lock.unlock();
        }
        return false;
    }

    /** What another worker holds and has not begun. */
    @Nullable
    Object steal(PoolWorker thief) {
        if (settings.batch() > 1) {
            for (PoolWorker other : staff.workers()) {
                if (other != null && other != thief) {
                    Object item = other.batch().take();
                    if (item != null) {
                        return item;
                    }
                }
            }
        }
        return null;
    }

    private boolean hasWork() {
        return !work.isEmpty() || held() > 0;
    }

    /** How many items workers have taken and not begun. */
    public int held() {
        int sum = 0;
        if (settings.batch() > 1) {
            for (PoolWorker worker : staff.workers()) {
                sum += worker == null ? 0 : worker.batch().size();
            }
        }
        return sum;
    }

    /**
     * A worker's thread dies of an error. Another takes over, with what the worker holds.
     *
     * @return false if there is no other thread to be had and this one must go on
     */
    boolean replace(PoolWorker worker, Throwable cause) {
        String name = Thread.currentThread().getName();
        log.error("Worker thread {} died; another takes its place", name, cause);
        events.tell(() -> new Event.WorkerThreadReplaced(name, cause));
        lock.lock();
        try {
            staff.startThread(worker);
            return true;
        } catch (RuntimeException | Error e) {
            worker.thread = Thread.currentThread();
            log.error("No thread could be started; {} goes on instead", name, e);
            return false;
        } finally {
            lock.unlock();
        }
    }

    public boolean isWorker(Thread thread) {
        for (PoolWorker worker : staff.workers()) {
            if (worker != null && worker.thread == thread) {
                return true;
            }
        }
        return false;
    }

    // what the balancer calls

    public Count count() {
        lock.lock();
        try {
            return staff.count();
        } finally {
            lock.unlock();
        }
    }

    public int active() {
        return staff.active();
    }

    /** Whether there could be more active workers, by the staffing of the last calibration. */
    public boolean mayGrow() {
        return staff.active() < balancer.most();
    }

    /** Runs with the lock held; then tells what it has collected. */
    void change(Consumer<List<Event>> action) {
        List<Event> happened = new ArrayList<>();
        lock.lock();
        try {
            if (!finishing) {
                action.accept(happened);
            }
        } finally {
            lock.unlock();
        }
        if (!happened.isEmpty()) {
            happened.add(changed());
        }
        happened.forEach(event -> events.tell(() -> event));
    }

    private Event changed() {
        Count now = count();
        return new Event.WorkersChanged(settings.name(), now.active(), now.sleeping(), now.stopped());
    }

    /** Makes one more worker active: one that sleeps, or one that was about to end, or a new one. */
    void addOne(List<Event> happened) {
        PoolWorker chosen = staff.wakeable();
        if (chosen != null) {
            staff.change(chosen, State.ACTIVE);
            LockSupport.unpark(chosen.thread);
            happened.add(new Event.WorkerWoken(settings.name(), chosen.number));
            return;
        }
        PoolWorker started = staff.startNew();
        if (started != null) {
            happened.add(new Event.WorkerStarted(settings.name(), started.number));
        }
    }

    /** Sends workers to sleep, those first that do nothing, and of these the one that did nothing for longest. */
    void sleep(int count, List<Event> happened) {
        for (int left = count; left > 0; left--) {
            PoolWorker chosen = idlers.pollLast();
            if (chosen == null) {
                chosen = staff.anyIn(State.ACTIVE);
            }
            if (chosen == null) {
                return;
            }
            idle = idlers.size();
            chosen.idle = false;
            staff.change(chosen, State.SLEEPING);
            chosen.sleptAt = settings.clock().elapsedNanos();
            LockSupport.unpark(chosen.thread);
            happened.add(new Event.WorkerSlept(settings.name(), chosen.number));
        }
    }

    /** Ends workers that have slept since then or longer. */
    void stopSleepersSince(long then, List<Event> happened) {
        for (PoolWorker worker : staff.workers()) {
            if (worker != null && worker.state == State.SLEEPING && worker.sleptAt <= then) {
                staff.change(worker, State.STOPPED);
                LockSupport.unpark(worker.thread);
                happened.add(new Event.WorkerStopped(settings.name(), worker.number));
            }
        }
    }

    // the end

    /** Something has ended that somebody may wait for the end of. */
    public void tellQuieter() {
        if (finishing) {
            lock.lock();
            try {
                quieter.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * From now on the number of workers does not change. Waits until they have nothing to do and nothing else is to
     * come.
     *
     * @return false if that was not reached in time
     */
    public boolean finish(long nanos, BooleanSupplier nothingElse) throws InterruptedException {
        balancer.close();
        lock.lock();
        try {
            finishing = true;
            long left = nanos;
            while (!(nothingElse.getAsBoolean() && isQuiet())) {
                if (left <= 0 || stopped) {
                    return false;
                }
                left = quieter.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean isQuiet() {
        Thread self = Thread.currentThread();
        for (PoolWorker worker : staff.workers()) {
            if (worker != null && !worker.idle && !worker.resting && worker.thread != self) {
                return false;
            }
        }
        return !hasWork();
    }

    /**
     * Ends all workers, after the item that each runs, and waits for that. What they hold goes to {@link Work#leftBehind}.
     *
     * @param interrupt whether to interrupt what runs
     * @return how many still run something
     */
    public int stop(boolean interrupt, long nanos) throws InterruptedException {
        balancer.close();
        lock.lock();
        try {
            finishing = true;
            stopped = true;
            for (PoolWorker worker : staff.workers()) {
                endNow(worker, interrupt);
            }
            long left = nanos;
            while (staff.others() > 0 && left > 0) {
                left = quieter.awaitNanos(left);
            }
            return staff.others();
        } finally {
            lock.unlock();
            events.tell(this::changed);
        }
    }

    /** After {@link #stop}: what workers that still run something had taken and did not begin. */
    public List<Object> takeHeld() {
        List<Object> held = new ArrayList<>();
        for (PoolWorker worker : staff.workers()) {
            if (worker != null) {
                held.addAll(worker.batch().takeAll());
            }
        }
        return held;
    }

    private void endNow(@Nullable PoolWorker worker, boolean interrupt) {
        if (worker == null || worker.thread == null) {
            return;
        }
        if (interrupt && worker.thread != Thread.currentThread()) {
            worker.thread.interrupt();
        }
        LockSupport.unpark(worker.thread);
    }
}
