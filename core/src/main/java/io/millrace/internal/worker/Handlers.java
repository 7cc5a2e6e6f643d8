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

    void add(String topic, Handler<Payload> handler) {
        Limits.topic("topic", topic);
        Limits.present("handler", handler);
        if (byTopic.putIfAbsent(topic, handler) != null) {
            throw new InvalidValueException("topic", topic, "it has a handler already");
        }
        topics = Set.copyOf(byTopic.keySet());
    }

    void remove(String topic) {
        byTopic.remove(topic);
        topics = Set.copyOf(byTopic.keySet());
    }

    Set<String> topics() {
        return topics;
    }

    /** Runs a job. Errors come out; everything else is an ending. */
    Ending handle(Job job) {
        Handler<Payload> handler = byTopic.get(job.task().topic());
        if (handler == null) {
            return new Ending.Released();
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
