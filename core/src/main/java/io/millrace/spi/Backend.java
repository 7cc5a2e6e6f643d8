package io.millrace.spi;

import io.millrace.Enqueued;
import io.millrace.NewTask;
import io.millrace.TaskClient;
import io.millrace.TopicClient;
import io.millrace.WorkerClient;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;

/** What a {@link io.millrace.Millrace} stands on: an engine over a store in this process, or a server elsewhere. */
public interface Backend extends AutoCloseable {
    TaskClient tasks();

    TopicClient topics();

    WorkerClient workers();

    WorkerProtocol protocol();

    /** Takes tasks in as part of a transaction, as {@link TaskStore#enqueueIn} says. */
    default List<Enqueued> enqueueIn(Connection transaction, List<NewTask> tasks) {
        throw new UnsupportedOperationException(
                "tasks can be part of a transaction only where Millrace is opened on the same database");
    }

    /** Writes a copy of the store, as {@link TaskStore#backUp} says. */
    void backUp(Path directory);

    @Override
    void close();
}
