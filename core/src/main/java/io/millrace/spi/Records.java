package io.millrace.spi;

import java.util.List;
import java.util.Optional;

/** A small map with compare-and-set, for what is configured: topic policies, pipelines, schedules. */
public interface Records {
    /** @param version positive, and never used twice for a key, not even after a removal */
    record Entry(String key, String value, long version) {}

    /** The version that stands for "there is none". */
    long ABSENT = 0;

    Optional<Entry> get(String key);

    /** All whose key begins so, by key. */
    List<Entry> list(String prefix);

    /** Writes if the entry is still of the expected version. @return whether it did */
    boolean put(String key, String value, long expectedVersion);

    /** Removes if the entry is still of the expected version. @return whether it did */
    boolean remove(String key, long expectedVersion);
}
