package io.millrace;

import io.millrace.internal.Duty;
import io.millrace.internal.SystemClock;
import io.millrace.internal.dump.DirectoryRestore;
import io.millrace.internal.dump.RestoreSettings;
import io.millrace.spi.EngineClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives back what a {@link Dump} wrote: oldest file first, and only while the target has room.
 *
 * <pre>{@code
 * Restorer<Email> restorer = Restorer.builder(directory, Email.class)
 *         .into(queue)
 *         .build();
 * restorer.start();
 * }</pre>
 *
 * <p>A file is removed when all of its items are back. Of a damaged file every whole record is given back; then it is
 * renamed to {@code *.dump.damaged} and not read again, unless somebody renames it to {@code *.dump}. A file of an unknown
 * format is left untouched. Files that a dump is still writing are left alone, also those of other processes; those that
 * a crash left behind are not.
 *
 * <p>Delivery is at least once. As long as the restorer lives it puts no item twice, even if the target fails. A file
 * that was not given back to its end when the process stopped is read again from its beginning. Several restorers can
 * share a directory: each file is read by one of them.
 */
public final class Restorer<T> implements AutoCloseable {
    private final Path directory;
    private final Duration checkEvery;
    private final EngineClock clock;
    private final ReentrantLock running = new ReentrantLock();
    private final DirectoryRestore<T> files;
    private @Nullable Duty duty;
    private volatile boolean closed;

    private Restorer(Builder<T> builder, Codec codec, Enqueuer<? super T> target, DoubleSupplier fillRate) {
        directory = builder.directory;
        checkEvery = builder.checkEvery;
        clock = builder.clock;
        Class<T> type = builder.type;
        double allowed = builder.allowedRate;
        files = new DirectoryRestore<>(new RestoreSettings<>(
                directory,
                payload -> Limits.present("payload", codec.decode(payload, type)),
                target,
                () -> !closed && fillRate.getAsDouble() < allowed,
                builder.onDamage));
    }

    /** @throws InvalidValueException if an argument is missing, or the directory is not of the default file system */
    public static <T> Builder<T> builder(Path directory, Class<T> type) {
        return new Builder<>(Dump.checked(directory), Limits.present("type", type));
    }

    /**
     * Restores by itself from now on: looks for files each {@link Builder#checkEvery}, and goes on with those that it
     * had to postpone. Trouble is logged, and the next look tries again. A second start changes nothing.
     *
     * @throws IllegalStateException after {@link #close}
     */
    public synchronized void start() {
        checkOpen();
        if (duty == null) {
            duty = new Duty("Restoring from " + directory, checkEvery, clock, Runnable::run, this::look);
        }
    }

    private void look() {
        try {
            run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Restores in this thread what can be restored now. What the target throws is passed on, and the item that it did
     * not take is the first of the next try.
     *
     * @throws InterruptedException if interrupted while the target waits for room
     * @throws java.io.UncheckedIOException if the directory cannot be listed
     * @throws IllegalStateException after {@link #close}
     */
    public RestoreReport restoreNow() throws InterruptedException {
        checkOpen();
        return run();
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the restorer of " + directory + " is closed");
        }
    }

    private RestoreReport run() throws InterruptedException {
        running.lockInterruptibly();
        try {
            return files.run();
        } finally {
            running.unlock();
            releaseIfClosed();
        }
    }

    /** Whoever comes last, the one who closes or the run that it met, lets go of the files. */
    private void releaseIfClosed() {
        if (closed && running.tryLock()) {
            try {
                files.close();
            } finally {
                running.unlock();
            }
        }
    }

    /** Puts no further item. It does not wait for one that is just being put. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            if (duty != null) {
                duty.close();
            }
        }
        releaseIfClosed();
    }

    /** Collects and checks the settings; each setter throws {@link InvalidValueException} at once. */
    public static final class Builder<T> {
        private final Path directory;
        private final Class<T> type;
        private @Nullable Enqueuer<? super T> target;
        private @Nullable DoubleSupplier fillRate;
        private double allowedRate = 0.95;
        private Duration checkEvery = Duration.ofSeconds(1);
        private @Nullable Codec codec;
        private Consumer<Damage> onDamage = damage -> {};
        private EngineClock clock = SystemClock.shared();

        private Builder(Path directory, Class<T> type) {
            this.directory = directory;
            this.type = type;
        }

        /** Gives the items to a queue while that has room. */
        public Builder<T> into(WorkQueue<? super T> queue) {
            return into(Limits.present("into", queue), queue::fillRate);
        }

        /** Where the items go, and how full that is: 0 is empty, 1 is full. Required. */
        public Builder<T> into(Enqueuer<? super T> enqueuer, DoubleSupplier rate) {
            target = Limits.present("into", enqueuer);
            fillRate = Limits.present("fillRate", rate);
            return this;
        }

        /** Put an item only while the fill rate is below this; 0.95 unless set. */
        public Builder<T> allowedRate(double value) {
            if (!(value > 0 && value <= 1)) {
                throw new InvalidValueException("allowedRate", value, "it must be above 0 and at most 1");
            }
            allowedRate = value;
            return this;
        }

        /** How often to look for files, and whether there is room again; each second unless set. */
        public Builder<T> checkEvery(Duration value) {
            checkEvery = Limits.positive("checkEvery", value);
            return this;
        }

        /** Decodes the items; without it, one is looked for on the class path. */
        public Builder<T> codec(Codec value) {
            codec = Limits.present("codec", value);
            return this;
        }

        /** Told of each damage, in the thread that restores; what it throws is logged and otherwise ignored. */
        public Builder<T> onDamage(Consumer<Damage> value) {
            onDamage = Limits.present("onDamage", value);
            return this;
        }

        public Builder<T> clock(EngineClock value) {
            clock = Limits.present("clock", value);
            return this;
        }

        /**
         * @throws InvalidValueException if {@link #into} is missing
         * @throws IllegalStateException if no codec was set and there is none on the class path
         */
        public Restorer<T> build() {
            Enqueuer<? super T> chosenTarget = Limits.present("into", target);
            DoubleSupplier chosenRate = Limits.present("fillRate", fillRate);
            Codec chosenCodec = codec == null ? Codecs.onClassPath("Restorer.builder") : codec;
            return new Restorer<>(this, chosenCodec, chosenTarget, chosenRate);
        }
    }
}
