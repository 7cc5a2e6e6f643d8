package io.millrace.internal.engine;

import io.millrace.DeadLetterRingException;
import io.millrace.Event;
import io.millrace.Limits;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.Topic;
import io.millrace.TopicClient;
import io.millrace.TopicPolicy;
import io.millrace.internal.Events;
import io.millrace.spi.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** What users ask of topics. */
final class TopicOperations implements TopicClient {
    /** Topics whose oldest tasks are asked for together. */
    private static final int TOGETHER = 500;

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
        List<Topic> all = new ArrayList<>();
        list("", any -> true, () -> true).forEachRemaining(all::add);
        return all;
    }

    /** @see io.millrace.spi.LocalBackend#topics */
    Iterator<Topic> list(String after, Predicate<String> names, BooleanSupplier wanted) {
        NavigableMap<String, Map<TaskState, Long>> depths = new TreeMap<>();
        topics.configured().forEach(name -> depths.put(name, new EnumMap<>(TaskState.class)));
        store.count(TaskQuery.ALL, wanted)
                .forEach(count -> depths.computeIfAbsent(count.topic(), any -> new EnumMap<>(TaskState.class))
                        .put(count.state(), count.count()));
        depths.keySet().removeIf(name -> name.compareTo(after) <= 0 || !names.test(name));
        return new TopicIterator(depths);
    }

    /** Asks for the oldest tasks of some topics at a time, and forgets what was shown. */
    private final class TopicIterator implements Iterator<Topic> {
        private final NavigableMap<String, Map<TaskState, Long>> depths;
        private Map<String, Instant> oldest = Map.of();
        private int left;

        TopicIterator(NavigableMap<String, Map<TaskState, Long>> depths) {
            this.depths = depths;
        }

        @Override
        public boolean hasNext() {
            return !depths.isEmpty();
        }

        @Override
        public Topic next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            if (left == 0) {
                List<String> names = depths.keySet().stream().limit(TOGETHER).toList();
                left = names.size();
                oldest = store.oldestReady(names);
            }
            left--;
            Map.Entry<String, Map<TaskState, Long>> first = depths.pollFirstEntry();
            return describe(first.getKey(), first.getValue(), oldest);
        }
    }

    @Override
    public Topic get(String topic) {
        Limits.topic("topic", topic);
        Map<TaskState, Long> depth = new EnumMap<>(TaskState.class);
        for (TaskCount count : store.count(TaskQuery.ALL.topic(topic))) {
            depth.put(count.state(), count.count());
        }
        return describe(topic, depth, store.oldestReady(List.of(topic)));
    }

    private Topic describe(String name, Map<TaskState, Long> depth, Map<String, Instant> oldestReady) {
        Instant oldest = oldestReady.get(name);
        return new Topic(
                name,
                topics.policy(name),
                topics.isPaused(name),
                Map.copyOf(depth),
                oldest == null ? null : Duration.between(oldest, store.now()));
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
