package io.millrace.internal.worker;

import io.millrace.Handler;
import io.millrace.InvalidValueException;
import io.millrace.Limits;
import io.millrace.Payload;
import io.millrace.StopException;
import io.millrace.TimedOutException;
import io.millrace.spi.Ending;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The handlers of a process, by topic, and what their returns and throws mean. */
final class Handlers {
    private final Map<String, Handler<Payload>> byTopic = new ConcurrentHashMap<>();
    private volatile Set<String> topics = Set.of();

    /** All or, if one has a handler already, none of them. */
    synchronized void add(Set<String> added, Handler<Payload> handler) {
        added.forEach(topic -> Limits.topicOrAll("topic", topic));
        Limits.present("handler", handler);
        for (String topic : added) {
            if (byTopic.containsKey(topic)) {
                throw new InvalidValueException("topic", topic, "it has a handler already");
            }
        }
        added.forEach(topic -> byTopic.put(topic, handler));
        topics = Set.copyOf(byTopic.keySet());
    }

    synchronized void remove(Set<String> removed) {
        byTopic.keySet().removeAll(removed);
        topics = Set.copyOf(byTopic.keySet());
    }

    Set<String> topics() {
        return topics;
    }

    /** Runs a job. Errors come out; everything else is an ending. */
    Ending handle(Job job) {
        Handler<Payload> own = byTopic.get(job.task().topic());
        Handler<Payload> handler = own == null ? byTopic.get(Limits.ALL_TOPICS) : own;
        if (handler == null) {
            return Ending.Released.NOT_STARTED;
        }
        try {
            handler.handle(job.task().payload(), job);
            return job.ending();
        } catch (StopException e) {
            return new Ending.Failed(Failures.describe(e), true);
        } catch (TimedOutException e) {
            return new Ending.TimedOut(Failures.describe(e));
        } catch (Exception e) {
            return new Ending.Failed(Failures.describe(e), false);
        }
    }
}
