package io.millrace.benchmarks.sql;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A queue of tasks in a database. Calls of enqueue may come from many threads at once, all others come alone. */
public interface SqlQueue extends AutoCloseable {
    /** Returns when the task is committed, in a transaction of its own. */
    void enqueue(byte[] payload) throws Exception;

    /** Returns when all the tasks are committed, by the fastest way that the queue has for many. */
    void enqueueAll(List<byte[]> payloads) throws Exception;

    /**
     * Hands tasks to the handler, on several threads, until all are done and committed as such.
     *
     * @param tasks how many there are
     * @return how long that took, without what it took to start
     */
    Duration drain(int tasks, Consumer<byte[]> handler) throws Exception;

    @Override
    void close() throws Exception;
}
