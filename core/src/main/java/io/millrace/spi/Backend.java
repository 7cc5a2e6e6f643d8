package io.millrace.spi;

import io.millrace.TaskClient;
import io.millrace.TopicClient;
import io.millrace.WorkerClient;
import java.nio.file.Path;

/** What a {@link io.millrace.Millrace} stands on: an engine over a store in this process, or a server elsewhere. */
public interface Backend extends AutoCloseable {
    TaskClient tasks();

    TopicClient topics();

    WorkerClient workers();

    WorkerProtocol protocol();

    /** Writes a copy of the store, as {@link TaskStore#backUp} says. */
    void backUp(Path directory);

    @Override
    void close();
}
