package io.millrace.client;

import io.millrace.MillraceOptions;
import io.millrace.TaskClient;
import io.millrace.TopicClient;
import io.millrace.WorkerClient;
import io.millrace.spi.Backend;
import io.millrace.spi.WorkerProtocol;
import java.nio.file.Path;
import java.util.UUID;

/** A server elsewhere, as a {@link io.millrace.Millrace} needs it. */
final class RemoteBackend implements Backend {
    /** An id that no task has. */
    private static final UUID NOBODY = new UUID(0, 0);

    private final Transport transport;
    private final RemoteTasks tasks;
    private final RemoteTopics topics;
    private final RemoteWorkers workers;
    private final RemoteProtocol protocol;

    RemoteBackend(Transport transport, MillraceOptions options) {
        this.transport = transport;
        tasks = new RemoteTasks(transport, new Intake(transport, options.payloadLimit()), new Finishes(transport));
        topics = new RemoteTopics(transport);
        workers = new RemoteWorkers(transport);
        protocol = new RemoteProtocol(transport);
    }

    /** Asks for something that every key opens, to learn of a wrong key or address at once. */
    void checkAccess() {
        var unused = tasks.find(NOBODY);
    }

    @Override
    public TaskClient tasks() {
        return tasks;
    }

    @Override
    public TopicClient topics() {
        return topics;
    }

    @Override
    public WorkerClient workers() {
        return workers;
    }

    @Override
    public WorkerProtocol protocol() {
        return protocol;
    }

    @Override
    public void backUp(Path directory) {
        throw new UnsupportedOperationException("a server elsewhere keeps these tasks: make the copy there");
    }

    @Override
    public void close() {
        tasks.close();
        transport.close();
    }
}
