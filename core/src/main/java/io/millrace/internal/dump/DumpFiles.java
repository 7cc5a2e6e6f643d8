package io.millrace.internal.dump;

import io.millrace.spi.EngineClock;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of one dump, one after the other. Records are appended in chunks, and a chunk is written as a whole or not
 * at all: after a failure the file is cut back to what was whole, finished, and never written again, so that nothing
 * torn lies between records and no failed force is trusted twice. Not for several threads at once.
 */
final class DumpFiles {
    private static final Logger log = LoggerFactory.getLogger(DumpFiles.class);

    private final DumpSettings settings;
    private final Runnable onAge;
    private final AtomicLong written = new AtomicLong();
    private final int random = ThreadLocalRandom.current().nextInt();
    private Path latest;
    private long latestMillis;
    private long counter;
    private @Nullable HeldFile open;
    private EngineClock.@Nullable Timer age;
    private long size;

    /** @param onAge called when a file has been open for long enough; it should {@link #finish} it */
    DumpFiles(DumpSettings settings, Runnable onAge) {
        this.settings = settings;
        this.onAge = onAge;
        latest = settings.directory();
    }

    long written() {
        return written.get();
    }

    /** The file that was tried last. */
    Path latest() {
        return latest;
    }

    void append(byte[] chunk) throws IOException {
        HeldFile file = current();
        byte[] header = size == 0 ? DumpFormat.header() : new byte[0];
        try {
            file.append(header);
            file.append(chunk);
            if (settings.sync()) {
                file.force();
            }
        } catch (IOException e) {
            cutBack(file, e);
            throw e;
        }
        long added = (long) header.length + chunk.length;
        size += added;
        written.addAndGet(added);
        if (size >= settings.fileBytes()) {
            finish();
        }
    }

    private HeldFile current() throws IOException {
        HeldFile file = open;
        // a removed file takes bytes without complaint, and nobody ever sees them again
        if (file != null && !file.exists()) {
            log.error("{} was removed while it was written; the items in it are gone, a new file begins", file.file());
            close(file);
            file = null;
        }
        return file == null ? begin() : file;
    }

    private HeldFile begin() throws IOException {
        HeldFile file = null;
        while (file == null) {
            latestMillis = Math.max(latestMillis, settings.clock().millis());
            String name = DumpFormat.name(latestMillis, counter++, random) + DumpFormat.OPEN;
            latest = settings.directory().resolve(name);
            file = HeldFile.tryHold(settings.directory(), name);
        }
        forceDirectory();
        open = file;
        size = 0;
        age = settings.clock().after(settings.fileEvery(), onAge);
        return file;
    }

    /** A file that is forced to disk needs a name there too. Not every system lets a directory be forced. */
    private void forceDirectory() {
        if (!settings.sync()) {
            return;
        }
        try (FileChannel directory = FileChannel.open(settings.directory(), StandardOpenOption.READ)) {
            directory.force(true);
        } catch (IOException e) {
            log.debug("{} cannot be forced to disk; its file system takes care of names", settings.directory(), e);
        }
    }

    private void cutBack(HeldFile file, IOException failure) {
        try {
            if (size == 0) {
                file.delete();
                close(file);
            } else {
                file.truncate(size);
                finish();
            }
        } catch (IOException e) {
            failure.addSuppressed(e);
            finish();
        }
    }

    /** Ends the file, if one is open, and leaves it to a restorer. */
    void finish() {
        HeldFile file = open;
        if (file == null) {
            return;
        }
        try {
            file.rename(DumpFormat.FINISHED);
        } catch (IOException e) {
            log.warn("{} keeps its name; a restorer will read it all the same", file.file(), e);
        }
        close(file);
    }

    private void close(HeldFile file) {
        open = null;
        if (age != null) {
            age.cancel();
            age = null;
        }
        try {
            file.close();
        } catch (IOException e) {
            log.warn("{} could not be closed; a restorer may see it only after a restart", file.file(), e);
        }
    }
}
