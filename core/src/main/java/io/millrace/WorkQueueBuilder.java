package io.millrace;

import io.millrace.internal.Events;
import io.millrace.internal.SystemClock;
import io.millrace.internal.pool.PoolSettings;
import io.millrace.internal.queue.ItemQueue;
import io.millrace.internal.queue.QueueSettings;
import io.millrace.spi.EngineClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects the settings of a {@link WorkQueue}. Each setter checks its value at once, {@link #build} checks what must fit
 * together; both throw {@link InvalidValueException}. A queue's settings do not change after it is built.
 */
public final class WorkQueueBuilder<T> {
    private static final int MOST_STREAMS = 64;
    private static final int MOST_ATTEMPTS = 1_000;
    private static final int UNSET = -1;
    /** A queue of less than this for each worker hands items out one by one, so that its capacity is exact. */
    private static final int ROOM_FOR_BATCHES = 256;

    private static final int LARGEST_BATCH = 64;
    /** Smaller where order matters: an urgent item waits behind what workers hold already. */
    private static final int LARGEST_BATCH_WITH_QOS = 16;

    private String name = "work-queue";
    private int capacity = UNSET;
    private @Nullable ItemHandler<? super T> handler;
    private int min = Runtime.getRuntime().availableProcessors();
    private int max = min;
    private double wakeUpFactor = UNSET;
    private double sleepFactor = UNSET;
    private int sleepAtOnce = UNSET;
    private @Nullable Duration sleepInterval;
    private @Nullable Duration calibrateEvery;
    private int forceCalibrationAt = UNSET;
    private @Nullable Schedule schedule;
    private boolean virtualThreads;
    private int streams = 1;
    private @Nullable Qos<T> qos;
    private Duration delay = Duration.ZERO;
    private @Nullable Duration deadline;
    private Retry retry = Retry.DEFAULT;
    private @Nullable Enqueuer<? super T> deadLetter;
    private Set<DeadLetterCause> causes = Set.of();
    private @Nullable Leak leak;
    private int leakAttempts = UNSET;
    private Duration closeTimeout = Duration.ofSeconds(30);
    private final List<Observer> observers = new ArrayList<>();
    private @Nullable EngineClock clock;

    WorkQueueBuilder() {}

    /** How the queue is called in logs, events and thread names; by default {@code work-queue}. */
    public WorkQueueBuilder<T> name(String value) {
        name = Limits.text("name", value, Limits.TAG_LENGTH);
        return this;
    }

    /** How many items can wait for a worker. Required, unless the sub-queues of a {@link #qos} have theirs. */
    public WorkQueueBuilder<T> capacity(int items) {
        capacity = Limits.between("capacity", items, 1, Limits.QUEUE_CAPACITY);
        return this;
    }

    /** What is done with each item. Required. */
    public WorkQueueBuilder<T> handler(ItemHandler<? super T> value) {
        handler = Limits.present("handler", value);
        return this;
    }

    /** Always so many workers; by default as many as there are processors. */
    public WorkQueueBuilder<T> workers(int count) {
        return workers(count, count);
    }

    /** As many workers as the fill rate of the queue asks for. */
    public WorkQueueBuilder<T> workers(int fewest, int most) {
        Staffing checked = Staffing.between(fewest, most);
        min = checked.min();
        max = checked.max();
        return this;
    }

    /** Above this fill rate there is one more worker with every calibration; by default 0.75. */
    public WorkQueueBuilder<T> wakeUpFactor(double fillRate) {
        wakeUpFactor = Staffing.factor("workers.wakeUpFactor", fillRate);
        return this;
    }

    /** Below this fill rate workers go to sleep; by default 0.5. */
    public WorkQueueBuilder<T> sleepFactor(double fillRate) {
        sleepFactor = Staffing.factor("workers.sleepFactor", fillRate);
        return this;
    }

    /** How many workers go to sleep in one calibration at most; by default half of those above the minimum. */
    public WorkQueueBuilder<T> sleepAtOnce(int workers) {
        sleepAtOnce = Limits.between("workers.sleepAtOnce", workers, 1, Staffing.MOST_WORKERS);
        return this;
    }

    /** A worker that slept for this long ends its thread; by default 5 s. */
    public WorkQueueBuilder<T> sleepInterval(Duration value) {
        sleepInterval = Limits.positive("workers.sleepInterval", value);
        return this;
    }

    /** How often the number of workers is looked at; by default 1 s. */
    public WorkQueueBuilder<T> calibrateEvery(Duration value) {
        calibrateEvery = Limits.positive("workers.calibrateEvery", value);
        return this;
    }

    /** When so many puts have found no room since the last calibration, there is one at once; by default 1. */
    public WorkQueueBuilder<T> forceCalibrationAt(int puts) {
        forceCalibrationAt = Limits.between("workers.forceCalibrationAt", puts, 1, Integer.MAX_VALUE);
        return this;
    }

    /** Other numbers of workers at certain times of the day. */
    public WorkQueueBuilder<T> schedule(Schedule value) {
        schedule = Limits.present("schedule", value);
        return this;
    }

    /** Whether handlers run on virtual threads where the JDK has them (21 and later); by default not. */
    public WorkQueueBuilder<T> virtualThreads(boolean value) {
        virtualThreads = value;
        return this;
    }

    /** How many rings the queue is split into, against contention of producers on many cores; by default 1. */
    public WorkQueueBuilder<T> streams(int count) {
        streams = Limits.between("streams", count, 1, MOST_STREAMS);
        return this;
    }

    /** Who goes first; by default whoever came first. */
    public WorkQueueBuilder<T> qos(Qos<T> value) {
        qos = Limits.present("qos", value);
        return this;
    }

    /** Every item waits for at least this long, unless its options say otherwise. */
    public WorkQueueBuilder<T> delay(Duration value) {
        delay = Limits.notNegative("delay", value);
        return this;
    }

    /** Every item that no worker has taken within this time is skipped, unless its options say otherwise. */
    public WorkQueueBuilder<T> deadline(Duration value) {
        deadline = Limits.positive("deadline", value);
        return this;
    }

    /** How often and when a failed item is tried again; by default never. */
    public WorkQueueBuilder<T> retry(Retry value) {
        retry = Limits.present("retry", value);
        return this;
    }

    /**
     * Who gets what finds no room, fails for good, comes too late, or is left when the queue is closed. Producers do not
     * wait any more then; for the failures alone, give the causes. Queues must not leak in a circle.
     */
    public WorkQueueBuilder<T> deadLetter(Enqueuer<? super T> target) {
        return deadLetter(target, EnumSet.allOf(DeadLetterCause.class));
    }

    /** The same for certain causes only; what is left when the queue is closed goes there in any case. */
    public WorkQueueBuilder<T> deadLetter(Enqueuer<? super T> target, Set<DeadLetterCause> onlyFor) {
        deadLetter = Limits.present("deadLetter", target);
        Limits.present("deadLetter.causes", onlyFor).forEach(cause -> Limits.present("deadLetter.causes", cause));
        causes = Set.copyOf(onlyFor);
        return this;
    }

    /** Which item leaks from a full queue: the new one (the default), or the oldest, to make room. */
    public WorkQueueBuilder<T> leak(Leak side) {
        leak = Limits.present("leak", side);
        return this;
    }

    /** How many of the oldest leak to make room for one, before the new one does; by default 5. */
    public WorkQueueBuilder<T> leakAttempts(int count) {
        leakAttempts = Limits.between("leakAttempts", count, 1, MOST_ATTEMPTS);
        return this;
    }

    /** How long {@link WorkQueue#close} waits until all is done; by default 30 s. */
    public WorkQueueBuilder<T> closeTimeout(Duration value) {
        closeTimeout = Limits.notNegative("closeTimeout", value);
        return this;
    }

    /** Adds an observer of the queue's events. */
    public WorkQueueBuilder<T> observer(Observer value) {
        observers.add(Limits.present("observer", value));
        return this;
    }

    /** The clock: the system's, or one that a test sets. */
    public WorkQueueBuilder<T> clock(EngineClock value) {
        clock = Limits.present("clock", value);
        return this;
    }

    /** Builds the queue and starts its workers. */
    public WorkQueue<T> build() {
        ItemQueue<T> queue = new ItemQueue<>(settings());
        queue.start();
        return new WorkQueue<>(queue, name, closeTimeout);
    }

    private QueueSettings<T> settings() {
        ItemHandler<? super T> checkedHandler = Limits.present("handler", handler);
        int total = checkedCapacity();
        checkStreams(total);
        checkLeak();
        if (deadline != null && delay.compareTo(deadline) >= 0) {
            throw new InvalidValueException(
                    "deadline", deadline, "it must be longer than the delay, which is " + delay);
        }
        return new QueueSettings<>(
                poolSettings(total),
                checkedHandler,
                total,
                streams,
                qos,
                delay,
                deadline,
                retry,
                deadLetter,
                causes,
                leak == null ? Leak.REAR : leak,
                leakAttempts == UNSET ? 5 : leakAttempts);
    }

    private int checkedCapacity() {
        if (qos != null) {
            qos.checkComplete();
        }
        if (qos == null || qos.algorithm().isByKey()) {
            return capacity == UNSET ? Limits.present("capacity", (Integer) null) : capacity;
        }
        if (capacity != UNSET) {
            throw new InvalidValueException(
                    "capacity", capacity, "the sub-queues of the qos have their own; leave it out");
        }
        long sum = qos.lanes().stream().mapToLong(Qos.Lane::capacity).sum();
        if (sum > Limits.QUEUE_CAPACITY) {
            throw new InvalidValueException("qos.lane.capacity", sum, "all together may have " + Limits.QUEUE_CAPACITY);
        }
        return (int) sum;
    }

    private void checkStreams(int total) {
        if (streams > 1 && qos != null) {
            throw new InvalidValueException("streams", streams, "a queue with a qos has one");
        }
        if (streams > total) {
            throw new InvalidValueException(
                    "streams", streams, "it must not be more than the capacity, which is " + total);
        }
    }

    private void checkLeak() {
        boolean leaks = deadLetter != null && causes.contains(DeadLetterCause.FULL);
        if (leak != null && !leaks) {
            throw new InvalidValueException(
                    "leak", leak, "a queue leaks only into a deadLetter target, for the cause FULL");
        }
        if (leakAttempts != UNSET && leak != Leak.FRONT) {
            throw new InvalidValueException("leakAttempts", leakAttempts, "only a leak at the FRONT has attempts");
        }
    }

    private PoolSettings poolSettings(int total) {
        Staffing staffing = staffing();
        if (min == max && schedule == null) {
            refuseWithFixedWorkers("workers.wakeUpFactor", wakeUpFactor == UNSET ? null : wakeUpFactor);
            refuseWithFixedWorkers("workers.sleepFactor", sleepFactor == UNSET ? null : sleepFactor);
            refuseWithFixedWorkers("workers.sleepAtOnce", sleepAtOnce == UNSET ? null : sleepAtOnce);
            refuseWithFixedWorkers("workers.sleepInterval", sleepInterval);
            refuseWithFixedWorkers("workers.calibrateEvery", calibrateEvery);
            refuseWithFixedWorkers(
                    "workers.forceCalibrationAt", forceCalibrationAt == UNSET ? null : forceCalibrationAt);
        }
        int workers = schedule == null ? max : schedule.largestMax(staffing);
        int largestBatch = qos == null ? LARGEST_BATCH : LARGEST_BATCH_WITH_QOS;
        return new PoolSettings(
                name,
                virtualThreads,
                staffing,
                schedule == null ? null : schedule.over(staffing),
                sleepAtOnce == UNSET ? 0 : sleepAtOnce,
                sleepInterval == null ? PoolSettings.SLEEP_INTERVAL : sleepInterval,
                calibrateEvery == null ? PoolSettings.CALIBRATE_EVERY : calibrateEvery,
                forceCalibrationAt == UNSET ? PoolSettings.FORCE_CALIBRATION_AT : forceCalibrationAt,
                total / workers >= ROOM_FOR_BATCHES ? largestBatch : 1,
                clock == null ? SystemClock.shared() : clock,
                new Events(observers));
    }

    private Staffing staffing() {
        Staffing staffing = Staffing.between(min, max);
        if (sleepFactor != UNSET) {
            staffing = staffing.sleepFactor(sleepFactor);
        }
        if (wakeUpFactor != UNSET) {
            staffing = staffing.wakeUpFactor(wakeUpFactor);
        }
        return staffing.over(staffing);
    }

    private static void refuseWithFixedWorkers(String field, @Nullable Object value) {
        if (value != null) {
            throw new InvalidValueException(
                    field, value, "the number of workers is fixed; set workers(min, max) or a schedule too");
        }
    }
}
