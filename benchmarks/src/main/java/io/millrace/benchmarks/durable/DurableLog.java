package io.millrace.benchmarks.durable;

import java.io.IOException;
import java.util.List;

/** Keeps records on disk. All calls may come from many threads at once, except {@link #close}, which comes last. */
public interface DurableLog extends AutoCloseable {
    /** Returns when the record is durable. */
    void append(byte[] record) throws IOException;

    /** Returns when all the records are durable, by one step for all of them. */
    void appendAll(List<byte[]> records) throws IOException;

    /** All records kept, those of one thread in the order in which it appended them. */
    List<byte[]> read() throws IOException;

    @Override
    void close() throws IOException;
}
