package io.millrace.sql;

import java.util.Collection;

/** Tells other nodes that something has become ready. Nothing depends on it: what is not told is found by a regular scan. */
interface Signals extends AutoCloseable {
    /** For databases that cannot push. */
    Signals NONE = topics -> {};

    /** Must not block. */
    void send(Collection<String> topics);

    /** Stands for a changed record; no topic has this name. */
    String RECORDS = "*";

    @Override
    default void close() {}
}
