package io.millrace.spi;

import io.millrace.TaskClient;
import io.millrace.TopicClient;
import io.millrace.WorkerClient;

/** What a {@link io.millrace.Millrace} stands on: an engine over a store in this process, or a server elsewhere. */
public interface Backend extends AutoCloseable {
    TaskClient tasks();

    TopicClient topics();

    WorkerClient workers();

    WorkerProtocol protocol();

    @Override
    void close();
}
