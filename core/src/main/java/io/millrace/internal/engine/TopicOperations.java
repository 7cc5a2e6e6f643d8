package io.millrace.internal.engine;

import io.millrace.DeadLetterRingException;
import io.millrace.Event;
import io.millrace.Limits;
import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.Topic;
import io.millrace.TopicClient;
import io.millrace.TopicPolicy;
import io.millrace.internal.Events;
import io.millrace.spi.TaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What users ask of topics. */
final class TopicOperations implements TopicClient {
    private final TaskStore store;
    private final Topics topics;
    private final DeadLetterOffice deadLetters;
    private final WaitingList waiting;
    private final Events events;

    TopicOperations(Node node, DeadLetterOffice deadLetters) {
        store = node.store();
        topics = node.topics();
        waiting = node.waiting();
        events = node.events();
        this.deadLetters = deadLetters;
    }

    @Override
    public List<Topic> list() {
        Map<String, Map<TaskState, Long>> depths = new TreeMap<>();
        topics.configured().forEach(name -> depths.put(name, new EnumMap<>(TaskState.class)));
        store.count(TaskQuery.ALL)
                .forEach(count -> depths.computeIfAbsent(count.topic(), any -> new EnumMap<>(TaskState.class))
                        .put(count.state(), count.count()));
        return depths.entrySet().stream()
                .map(entry -> describe(entry.getKey(), entry.getValue()))
                .toList();
    }

    @Override
    public Topic get(String topic) {
        Limits.topic("topic", topic);
        Map<TaskState, Long> depth = new EnumMap<>(TaskState.class);
        for (TaskCount count : store.count(TaskQuery.ALL.topic(topic))) {
            depth.put(count.state(), count.count());
        }
        return describe(topic, depth);
    }

    private Topic describe(String name, Map<TaskState, Long> depth) {
        return new Topic(name, topics.policy(name), topics.isPaused(name), Map.copyOf(depth), oldestReady(name, depth));
    }

    private @Nullable Duration oldestReady(String name, Map<TaskState, Long> depth) {
        if (!depth.containsKey(TaskState.READY)) {
            return null;
        }
        Page<Task> first = store.list(TaskQuery.ALL.topic(name).state(TaskState.READY), null, 1);
        return first.items().isEmpty()
                ? null
                : Duration.between(first.items().get(0).moments().created(), store.now());
    }

    @Override
    public void setPolicy(String topic, TopicPolicy policy) {
        Limits.topic("topic", topic);
        Limits.present("policy", policy);
        refuseRing(topic, policy);
        topics.setPolicy(topic, policy);
        waiting.signal(topic);
        events.tell(() -> new Event.PolicyChanged(topic, policy));
    }

    /** A letter that fails in every topic of a ring would run for ever. */
    private void refuseRing(String topic, TopicPolicy policy) {
        topics.refresh();
        List<String> way = new ArrayList<>(List.of(topic));
        String next = policy.deadLetter();
        while (next != null && !way.contains(next)) {
            way.add(next);
            next = topics.policy(next).deadLetter();
        }
        // a ring that does not come back here was there before
        if (topic.equals(next)) {
            way.add(topic);
            throw new DeadLetterRingException(way);
        }
    }

    @Override
    public void removePolicy(String topic) {
        topics.setPolicy(Limits.topic("topic", topic), null);
        waiting.signal(topic);
        events.tell(() -> new Event.PolicyChanged(topic, null));
    }

    @Override
    public void pause(String topic) {
        topics.setPaused(Limits.topic("topic", topic), true);
        events.tell(() -> new Event.TopicPaused(topic));
    }

    @Override
    public void resume(String topic) {
        topics.setPaused(Limits.topic("topic", topic), false);
        waiting.signal(topic);
        events.tell(() -> new Event.TopicResumed(topic));
    }

    @Override
    public long redrive(String deadLetterTopic) {
        return deadLetters.redrive(Limits.topic("topic", deadLetterTopic), any -> true);
    }
}
