package io.millrace.heap;

import io.millrace.spi.Records;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The compare-and-set map in memory. Writes come one at a time, under the store's lock; reads need none. */
final class HeapRecords implements Records {
    /** An entry, and where it stands in the journal. */
    static final class Kept {
        final Entry entry;
        int segment = TaskNode.NOT_KEPT;

        Kept(Entry entry) {
            this.entry = entry;
        }
    }

    /** Runs a write of so many bytes at most under the lock, and returns when it is durable. */
    interface Writing {
        boolean run(long bytes, BooleanSupplier write);
    }

    private final ConcurrentSkipListMap<String, Kept> entries = new ConcurrentSkipListMap<>();
    private final Journaling journaling;
    private final Writing writing;
    private final Runnable changed;
    private long lastVersion = ABSENT;

    HeapRecords(Journaling journaling, Writing writing, Runnable changed) {
        this.journaling = journaling;
        this.writing = writing;
        this.changed = changed;
    }

    /** Versions up to this one may have been used. */
    void startAfter(long version) {
        lastVersion = Math.max(lastVersion, version);
    }

    void restore(Kept kept) {
        entries.put(kept.entry.key(), kept);
        startAfter(kept.entry.version());
    }

    void restoreRemoval(String key, long version) {
        entries.remove(key);
        startAfter(version);
    }

    Collection<Kept> all() {
        return entries.values();
    }

    @Nullable
    Kept find(String key) {
        return entries.get(key);
    }

    @Override
    public Optional<Entry> get(String key) {
        return Optional.ofNullable(entries.get(key)).map(kept -> kept.entry);
    }

    @Override
    public List<Entry> list(String prefix) {
        return entries.tailMap(prefix).values().stream()
                .map(kept -> kept.entry)
                .takeWhile(entry -> entry.key().startsWith(prefix))
                .toList();
    }

    @Override
    public boolean put(String key, String value, long expectedVersion) {
        return tellIf(writing.run(Estimates.texts(key, value), () -> {
            if (version(entries.get(key)) != expectedVersion) {
                return false;
            }
            Kept kept = new Kept(new Entry(key, value, ++lastVersion));
            entries.put(key, kept);
            journaling.record(kept);
            return true;
        }));
    }

    @Override
    public boolean remove(String key, long expectedVersion) {
        return tellIf(writing.run(Estimates.texts(key), () -> {
            Kept kept = entries.get(key);
            if (kept == null || kept.entry.version() != expectedVersion) {
                return false;
            }
            entries.remove(key);
            journaling.recordGone(key, lastVersion);
            return true;
        }));
    }

    private boolean tellIf(boolean written) {
        if (written) {
            changed.run();
        }
        return written;
    }

    private static long version(@Nullable Kept kept) {
        return kept == null ? ABSENT : kept.entry.version();
    }
}
