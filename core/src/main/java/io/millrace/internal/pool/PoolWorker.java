package io.millrace.internal.pool;

import io.millrace.internal.pool.Pool.State;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One worker: a thread that takes items in batches and runs them one by one. */
final class PoolWorker implements Runnable {
    /** A batch should be run within about this time; so quick handlers share the cost of taking, slow ones do not wait. */
    private static final double HORIZON = Duration.ofNanos(50_000).toNanos();

    private static final double SMOOTHING = 0.2;

    final int number;
    private final Pool pool;
    private final Work work;
    private final Batch batch;

    // guarded by the pool's lock, but for the reads of the state
    volatile State state = State.ACTIVE;
    volatile boolean idle;
    boolean resting;
    long sleptAt;

    @Nullable
    Thread thread;

    /** Woken to look for work; the others are not woken meanwhile. */
    volatile boolean searching;

    /** The smoothed run time of an item; as if it filled the horizon, until more is known. */
    private double averageNanos = HORIZON;

    private long batchBegan;
    private int batchCount;

    PoolWorker(int number, Pool pool, Work work, int batchSize) {
        this.number = number;
        this.pool = pool;
        this.work = work;
        this.batch = new Batch(batchSize);
    }

    Batch batch() {
        return batch;
    }

    @Override
    public void run() {
        boolean ended = false;
        while (!ended) {
            try {
                loop();
                ended = true;
            } catch (Throwable e) {
                ended = pool.replace(this, e);
            }
        }
    }

    @SuppressWarnings("ReturnValueIgnored")
    private void loop() {
        while (!pool.isStopped()) {
            Object item = batch.take();
            if (item == null) {
                if (state != State.ACTIVE && !pool.rest(this)) {
                    return;
                }
                item = find();
            }
            if (item == null) {
                batchCount = 0;
                pool.idle(this);
            } else {
                if (searching) {
                    pool.found(this);
                }
                work.run(item);
                // what was meant for this item must not hit the next
                Thread.interrupted();
            }
        }
        batch.takeAll().forEach(work::leftBehind);
        pool.rest(this);
    }

    private @Nullable Object find() {
        // nobody else looks at an empty batch; what it held would otherwise be kept from the garbage collector
        Arrays.fill(batch.items(), 0, Math.max(1, batchCount), null);
        int count = work.drain(batch.items(), wanted());
        if (count == 0) {
            return pool.steal(this);
        }
        batch.filled(count);
        batchCount = count;
        if (count > 1) {
            pool.wakeUp();
        }
        return batch.take();
    }

    /** How many to take, by how long the last ones took. */
    private int wanted() {
        int most = batch.items().length;
        if (most == 1) {
            return 1;
        }
        long now = System.nanoTime();
        if (batchCount > 0) {
            averageNanos += SMOOTHING * ((double) (now - batchBegan) / batchCount - averageNanos);
        }
        batchBegan = now;
        return (int) Math.max(1, Math.min(most, HORIZON / Math.max(1, averageNanos)));
    }
}
