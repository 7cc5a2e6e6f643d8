package io.millrace.internal.dump;

import io.millrace.Damage;
import io.millrace.Payload;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives one file back. It remembers how far it came, whatever interrupts it, so that no item is put twice. */
final class FileRestore<T> implements Closeable {
    private static final Logger log = LoggerFactory.getLogger(FileRestore.class);

    private final HeldFile file;
    private final DumpReader reader;
    private final RestoreSettings<T> settings;
    private @Nullable T waiting;
    private @Nullable Damage first;
    private long damages;

    FileRestore(HeldFile file, DumpReader reader, RestoreSettings<T> settings) {
        this.file = file;
        this.reader = reader;
        this.settings = settings;
    }

    /** Puts items as long as it may. Returns whether all of the file was given back. */
    boolean putWhatMayBePut(Tally tally) throws IOException, InterruptedException {
        for (T item = next(tally); item != null; item = next(tally)) {
            if (!settings.mayPut().getAsBoolean()) {
                return false;
            }
            settings.target().put(item);
            waiting = null;
            tally.restored();
        }
        return true;
    }

    private @Nullable T next(Tally tally) throws IOException {
        while (waiting == null) {
            Payload payload = reader.next(damage -> damaged(damage, tally));
            if (payload == null) {
                return null;
            }
            waiting = decoded(payload, tally);
        }
        return waiting;
    }

    private @Nullable T decoded(Payload payload, Tally tally) {
        try {
            return settings.decoder().apply(payload);
        } catch (RuntimeException e) {
            damaged(reader.damage("the codec cannot decode the payload: " + e.getMessage()), tally);
            return null;
        }
    }

    private void damaged(Damage damage, Tally tally) {
        damages++;
        if (first == null) {
            first = damage;
        }
        tally.damaged(damage);
    }

    long position() {
        return reader.position();
    }

    /** Removes the file, or puts it aside if something in it could not be given back. */
    void finish() throws IOException {
        if (first == null) {
            file.delete();
        } else {
            file.rename(DumpFormat.DAMAGED);
            log.warn(
                    "All whole records were given back, but there are {} damages, the first at byte {} ({}). The file is"
                            + " kept as {} and not read again",
                    damages,
                    first.offset(),
                    first.what(),
                    file.file());
        }
        close();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
