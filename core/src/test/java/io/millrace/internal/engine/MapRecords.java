package io.millrace.internal.engine;

import io.millrace.spi.Records;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Records in a plain map. Before a write it lets others write, if the test has any. */
final class MapRecords implements Records {
    private final TreeMap<String, Entry> entries = new TreeMap<>();
    private long lastVersion;
    private int writes;
    private Runnable rival = () -> {};

    /** Runs before the next write is looked at, once. */
    void beforeNextWrite(Runnable action) {
        rival = action;
    }

    /** How many writes were tried. */
    int writes() {
        return writes;
    }

    /** Writes whatever is there. */
    void set(String key, String value) {
        entries.put(key, new Entry(key, value, ++lastVersion));
    }

    void unset(String key) {
        entries.remove(key);
    }

    @Override
    public Optional<Entry> get(String key) {
        return Optional.ofNullable(entries.get(key));
    }

    @Override
    public List<Entry> list(String prefix) {
        return entries.values().stream()
                .filter(entry -> entry.key().startsWith(prefix))
                .toList();
    }

    @Override
    public boolean put(String key, String value, long expectedVersion) {
        letRivalGoFirst();
        if (version(key) != expectedVersion) {
            return false;
        }
        set(key, value);
        return true;
    }

    @Override
    public boolean remove(String key, long expectedVersion) {
        letRivalGoFirst();
        if (version(key) != expectedVersion) {
            return false;
        }
        unset(key);
        return true;
    }

    private void letRivalGoFirst() {
        writes++;
        Runnable first = rival;
        rival = () -> {};
        first.run();
    }

    private long version(String key) {
        return get(key).map(Entry::version).orElse(ABSENT);
    }
}
