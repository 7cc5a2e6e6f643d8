package io.millrace.internal.dump;

import io.millrace.Damage;
import io.millrace.RestoreReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the files of a directory back, oldest first. A file that was begun stays held until it is done, so that no
 * other restorer begins it anew. A file that cannot be read stands in nobody's way. Not for several threads at once.
 */
public final class DirectoryRestore<T> {
    private static final Logger log = LoggerFactory.getLogger(DirectoryRestore.class);
    private static final String READABLE = "*{" + DumpFormat.FINISHED + "," + DumpFormat.OPEN + "}";

    private final RestoreSettings<T> settings;
    private final Map<String, FileRestore<T>> begun = new HashMap<>();
    private final Set<String> complainedAbout = new HashSet<>();

    public DirectoryRestore(RestoreSettings<T> settings) {
        this.settings = settings;
    }

    /** Does what can be done now. What the target throws is passed on; the next run continues with the same item. */
    public RestoreReport run() throws InterruptedException {
        Tally tally = new Tally(settings.onDamage());
        List<String> names = names();
        forgetAllBut(names);
        boolean postponed = false;
        for (int i = 0; i < names.size() && !postponed; i++) {
            postponed = !restore(names.get(i), tally);
        }
        return tally.report(postponed);
    }

    /** A directory that is not there yet holds no files. */
    private List<String> names() {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(settings.directory(), READABLE)) {
            for (Path file : files) {
                names.add(String.valueOf(file.getFileName()));
            }
        } catch (NoSuchFileException e) {
            log.debug("{} does not exist yet", settings.directory());
        } catch (IOException | DirectoryIteratorException e) {
            throw new UncheckedIOException(
                    "the dump files of %s could not be listed (%s); nothing was read, and the next look tries again"
                            .formatted(settings.directory(), e),
                    e instanceof IOException trouble ? trouble : new IOException(e));
        }
        names.sort(null);
        return names;
    }

    private void forgetAllBut(List<String> names) {
        Set<String> present = new HashSet<>(names);
        complainedAbout.retainAll(present);
        for (String name : List.copyOf(begun.keySet())) {
            if (!present.contains(name)) {
                close(name);
            }
        }
    }

    /** Returns false if the rest has to wait. */
    private boolean restore(String name, Tally tally) throws InterruptedException {
        try {
            FileRestore<T> file = begin(name, tally);
            if (file == null) {
                return true;
            }
            if (!file.putWhatMayBePut(tally)) {
                return false;
            }
            file.finish();
            begun.remove(name);
            tally.finished();
        } catch (IOException e) {
            FileRestore<T> file = begun.get(name);
            long position = file == null ? 0 : file.position();
            complain(name, position, 0, "it cannot be read now and is tried again (" + e + ")", tally);
        }
        return true;
    }

    /** Null if the file is in use, or none that can be read. */
    private @Nullable FileRestore<T> begin(String name, Tally tally) throws IOException {
        FileRestore<T> known = begun.get(name);
        if (known != null) {
            return known;
        }
        HeldFile file = HeldFile.tryHold(settings.directory(), name);
        if (file == null) {
            return null;
        }
        FileRestore<T> restore = null;
        try {
            DumpReader reader = new DumpReader(file);
            String refusal = reader.refusal();
            if (refusal == null) {
                restore = new FileRestore<>(file, reader, settings);
                begun.put(name, restore);
            } else {
                complain(name, 0, reader.size(), refusal, tally);
            }
            return restore;
        } finally {
            if (restore == null) {
                file.close();
            }
        }
    }

    /** Once for each file, although it is looked at again each time. */
    private void complain(String name, long offset, long bytes, String what, Tally tally) {
        if (complainedAbout.add(name)) {
            Path file = settings.directory().resolve(name);
            log.error("{} is left as it is, and later files are restored: {}", file, what);
            tally.damaged(new Damage(file, offset, bytes, what));
        }
    }

    public void close() {
        List.copyOf(begun.keySet()).forEach(this::close);
    }

    private void close(String name) {
        try {
            FileRestore<T> file = begun.remove(name);
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            log.warn("{} could not be closed; other restorers may see it only after a restart", name, e);
        }
    }
}
