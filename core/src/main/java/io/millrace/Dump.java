package io.millrace;

import io.millrace.internal.SystemClock;
import io.millrace.internal.dump.DumpFormat;
import io.millrace.internal.dump.DumpSettings;
import io.millrace.internal.dump.DumpWriter;
import io.millrace.spi.EngineClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Writes items to files: the place for those that a queue has no room for, or could not work off. A {@link Restorer}
 * gives them back.
 *
 * <pre>{@code
 * try (Dump<Email> dump = Dump.builder(Path.of("/var/lib/mail/dump"), Email.class).build()) {
 *     dump.put(email);
 * }
 * }</pre>
 *
 * <p>Any number of threads may put. Items are buffered and flushed together: when enough bytes are buffered, when the
 * first of them has waited for long enough, by {@link #flush}, and by {@link #close}. An item that was put but not
 * flushed is lost if the process crashes. Several dumps, of several processes too, can share a directory.
 *
 * <p>If the disk is full or away, items stay buffered and are written as soon as it works again. When too many are
 * buffered, {@link #put} throws.
 */
public final class Dump<T> implements Enqueuer<T>, AutoCloseable {
    private final Codec codec;
    private final DumpWriter writer;

    private Dump(Codec codec, DumpSettings settings) {
        this.codec = codec;
        writer = new DumpWriter(settings);
    }

    /** @throws InvalidValueException if an argument is missing, or the directory is not of the default file system */
    public static <T> Builder<T> builder(Path directory, Class<T> type) {
        Limits.present("type", type);
        return new Builder<>(checked(directory));
    }

    static Path checked(Path directory) {
        Path path = Limits.present("directory", directory);
        if (path.getFileSystem() != FileSystems.getDefault()) {
            throw new InvalidValueException("directory", path, "it must be on the default file system");
        }
        return path;
    }

    /**
     * Buffers an item. What it throws, it throws instead of taking the item.
     *
     * @throws InvalidValueException if the item cannot be encoded, or to more than 64 MiB
     * @throws UncheckedIOException if four times {@link Builder#flushBytes} are buffered and cannot be written
     * @throws IllegalStateException after {@link #close}
     */
    @Override
    public void put(T item) {
        Payload payload = codec.encode(Limits.present("item", item));
        Limits.between("item.bytes", payload.size(), 0, DumpFormat.LONGEST_PAYLOAD);
        writer.add(payload.toBytes(), payload.isJson());
    }

    /**
     * Writes what is buffered.
     *
     * @throws UncheckedIOException if it cannot be written; it stays buffered
     */
    public void flush() {
        writer.flush();
    }

    /** How many items were put so far. */
    public long items() {
        return writer.items();
    }

    /** How many bytes were written to files so far. */
    public long bytes() {
        return writer.bytes();
    }

    /**
     * Takes no more items, writes what is buffered and finishes the file.
     *
     * @throws UncheckedIOException if it cannot be written; it stays buffered, and another close tries again
     */
    @Override
    public void close() {
        writer.close();
    }

    /** Collects and checks the settings; each setter throws {@link InvalidValueException} at once. */
    public static final class Builder<T> {
        private static final int MOST_FLUSH_BYTES = 256 << 20;

        private final Path directory;
        private @Nullable Codec codec;
        private int flushBytes = 1 << 20;
        private Duration flushEvery = Duration.ofSeconds(1);
        private long fileBytes = 64 << 20;
        private Duration fileEvery = Duration.ofMinutes(1);
        private boolean sync = true;
        private EngineClock clock = SystemClock.shared();

        private Builder(Path directory) {
            this.directory = directory;
        }

        /** Encodes the items; without it, one is looked for on the class path. */
        public Builder<T> codec(Codec value) {
            codec = Limits.present("codec", value);
            return this;
        }

        /** Flush when that many bytes are buffered; 1 MiB unless set. */
        public Builder<T> flushBytes(int value) {
            flushBytes = Limits.between("flushBytes", value, 1, MOST_FLUSH_BYTES);
            return this;
        }

        /** Flush at the latest this long after an item was put; a second unless set. */
        public Builder<T> flushEvery(Duration value) {
            flushEvery = Limits.positive("flushEvery", value);
            return this;
        }

        /** Begin a new file when one has that many bytes; 64 MiB unless set. */
        public Builder<T> fileBytes(long value) {
            if (value < 1) {
                throw new InvalidValueException("fileBytes", value, "it must be at least 1");
            }
            fileBytes = value;
            return this;
        }

        /**
         * Begin a new file this long after the last one was begun; a minute unless set. A restorer reads finished files
         * only, so that this is how long an item is out of its reach.
         */
        public Builder<T> fileEvery(Duration value) {
            fileEvery = Limits.positive("fileEvery", value);
            return this;
        }

        /** Whether a flush waits until the disk has everything, and so survives a power cut; true unless set. */
        public Builder<T> sync(boolean value) {
            sync = value;
            return this;
        }

        public Builder<T> clock(EngineClock value) {
            clock = Limits.present("clock", value);
            return this;
        }

        /**
         * Creates the directory if need be.
         *
         * @throws UncheckedIOException if there is no directory and none can be created
         * @throws IllegalStateException if no codec was set and there is none on the class path
         */
        public Dump<T> build() {
            Codec chosen = codec == null ? Codecs.onClassPath("Dump.builder") : codec;
            try {
                Files.createDirectories(directory);
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "directory: " + directory + " cannot be created (" + e + "); it must be a directory, or free",
                        e);
            }
            return new Dump<>(
                    chosen, new DumpSettings(directory, flushBytes, flushEvery, fileBytes, fileEvery, sync, clock));
        }
    }
}
