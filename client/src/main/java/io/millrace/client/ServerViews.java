package io.millrace.client;

import io.millrace.MillraceOptions;
import io.millrace.Page;
import io.millrace.TaskQuery;
import io.millrace.Worker;
import io.millrace.wire.TaskView;
import io.millrace.wire.TopicView;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a server for those who show what it says: a {@link io.millrace.Millrace} over the same server leaves out what
 * other stores do not know, such as rates. Calls throw and are repeated like those of a Millrace; nothing is sent before
 * the first.
 */
public final class ServerViews implements AutoCloseable {
    private final Transport transport;
    private final RemoteTasks tasks;
    private final RemoteTopics topics;
    private final RemoteWorkers workers;

    private ServerViews(Transport transport, MillraceOptions options) {
        this.transport = transport;
        tasks = new RemoteTasks(transport, new Intake(transport, options.payloadLimit()), new Finishes(transport));
        topics = new RemoteTopics(transport);
        workers = new RemoteWorkers(transport);
    }

    /** @throws io.millrace.InvalidValueException if the URL is not one of a server */
    public static ServerViews of(String url, MillraceOptions options) {
        return new ServerViews(HttpProvider.transport(url, options), options);
    }

    /** The task with the retries it has left, and why it is not done yet. */
    public Optional<TaskView> task(UUID id) {
        return tasks.look(id);
    }

    /**
     * A page in the order of creation.
     *
     * @param cursor the {@link Page#next} of the page before; null for the first
     * @param limit 1 to {@value io.millrace.Limits#PAGE}
     * @param whole false leaves out payloads and results
     */
    public Page<TaskView> tasks(TaskQuery query, @Nullable String cursor, int limit, boolean whole) {
        return tasks.views(whole ? RemoteTasks.WHOLE : RemoteTasks.SUMMARY, query, cursor, limit);
    }

    /** All topics with their rates. */
    public List<TopicView> topics() {
        return topics.views();
    }

    public TopicView topic(String topic) {
        return topics.view(topic);
    }

    public List<Worker> workers() {
        return workers.list();
    }

    @Override
    public void close() {
        tasks.close();
        transport.close();
    }
}
