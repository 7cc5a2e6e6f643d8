package io.millrace.heap;

import io.millrace.spi.Records;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The compare-and-set map in memory. */
final class HeapRecords implements Records {
    private final ConcurrentSkipListMap<String, Entry> entries = new ConcurrentSkipListMap<>();
    private final AtomicLong lastVersion = new AtomicLong(ABSENT);
    private final Runnable changed;

    HeapRecords(Runnable changed) {
        this.changed = changed;
    }

    @Override
    public Optional<Entry> get(String key) {
        return Optional.ofNullable(entries.get(key));
    }

    @Override
    public List<Entry> list(String prefix) {
        return entries.tailMap(prefix).values().stream()
                .takeWhile(entry -> entry.key().startsWith(prefix))
                .toList();
    }

    @Override
    public boolean put(String key, String value, long expectedVersion) {
        Entry entry = new Entry(key, value, lastVersion.incrementAndGet());
        Entry now = entries.compute(key, (any, old) -> version(old) == expectedVersion ? entry : old);
        return tellIf(version(now) == entry.version());
    }

    @Override
    public boolean remove(String key, long expectedVersion) {
        Entry entry = entries.get(key);
        return tellIf(entry != null && entry.version() == expectedVersion && entries.remove(key, entry));
    }

    private boolean tellIf(boolean written) {
        if (written) {
            changed.run();
        }
        return written;
    }

    private static long version(@Nullable Entry entry) {
        return entry == null ? ABSENT : entry.version();
    }
}
