package io.millrace.internal.engine;

import io.millrace.InvalidValueException;
import io.millrace.TopicPolicy;
import io.millrace.spi.Records;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is configured for topics: policies and pauses, kept in the store's records and read from a copy in memory. */
final class Topics {
    private static final Logger log = LoggerFactory.getLogger(Topics.class);
    private static final String POLICY = "policy/";
    private static final String PAUSED = "paused/";

    private final Records records;
    private volatile Settings current = new Settings(Map.of(), Set.of());

    private record Settings(Map<String, TopicPolicy> policies, Set<String> paused) {}

    Topics(Records records) {
        this.records = records;
        refresh();
    }

    TopicPolicy policy(String topic) {
        return current.policies.getOrDefault(topic, TopicPolicy.DEFAULT);
    }

    Map<String, TopicPolicy> policies() {
        return current.policies;
    }

    boolean isPaused(String topic) {
        return current.paused.contains(topic);
    }

    Set<String> configured() {
        Set<String> names = new TreeSet<>(current.policies.keySet());
        names.addAll(current.paused);
        return names;
    }

    /** Reads all settings anew. */
    synchronized void refresh() {
        Map<String, TopicPolicy> policies = new HashMap<>();
        for (Records.Entry entry : records.list(POLICY)) {
            String topic = entry.key().substring(POLICY.length());
            try {
                policies.put(topic, TopicPolicy.parse(entry.value()));
            } catch (InvalidValueException e) {
                log.error(
                        "The policy of topic {} cannot be read; the one known before stays in force. Set it anew",
                        topic,
                        e);
                policies.put(topic, policy(topic));
            }
        }
        Set<String> paused = new HashSet<>();
        records.list(PAUSED).forEach(entry -> paused.add(entry.key().substring(PAUSED.length())));
        current = new Settings(Map.copyOf(policies), Set.copyOf(paused));
    }

    void setPolicy(String topic, @Nullable TopicPolicy policy) {
        write(POLICY + topic, policy == null ? null : policy.toString());
    }

    void setPaused(String topic, boolean paused) {
        write(PAUSED + topic, paused ? "" : null);
    }

    /** The last writer wins: a setting is replaced as a whole. */
    private void write(String key, @Nullable String value) {
        boolean written = false;
        while (!written) {
            long version = records.get(key).map(Records.Entry::version).orElse(Records.ABSENT);
            written = value != null
                    ? records.put(key, value, version)
                    : version == Records.ABSENT || records.remove(key, version);
        }
        refresh();
    }
}
