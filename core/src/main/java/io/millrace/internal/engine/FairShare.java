package io.millrace.internal.engine;

import io.millrace.TopicPolicy;
import io.millrace.spi.ClaimRequest.FromTopic;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Divides what workers ask for between topics by weight (stride scheduling). Each topic has a virtual time that
 * advances by 1/weight with every task it gives; the one that is furthest behind is asked first. A topic that had
 * nothing to give does not save up its turns: it starts at the time of those that had.
 */
final class FairShare {
    private static final int REMEMBERED = 10_000;

    private final Map<String, Double> virtualTimes = new HashMap<>();
    private double now;
    private int forgetAt = REMEMBERED;

    /** The topics in the order in which to ask them, with the share of each in {@code max}. */
    synchronized List<FromTopic> divide(Collection<String> topics, int max, Function<String, TopicPolicy> policyOf) {
        List<String> order = new ArrayList<>(topics);
        if (order.size() > 1) {
            order.sort(Comparator.comparingDouble(this::timeOf));
        }
        long weights = 0;
        List<TopicPolicy> policies = new ArrayList<>(order.size());
        for (String topic : order) {
            TopicPolicy policy = policyOf.apply(topic);
            policies.add(policy);
            weights += policy.weight();
        }
        List<FromTopic> shares = new ArrayList<>(order.size());
        int left = max;
        for (int i = 0; i < order.size(); i++) {
            TopicPolicy policy = policies.get(i);
            // rounded up for those who are behind, until nothing is left
            int fair = (int) ((max * (long) policy.weight() + weights - 1) / weights);
            int share = Math.min(left, fair);
            left -= share;
            shares.add(new FromTopic(order.get(i), share, policy));
        }
        return shares;
    }

    /** What the topics gave in one claim. */
    synchronized void given(Map<String, Integer> tasks, Function<String, TopicPolicy> policyOf) {
        double furthestBehind = Double.MAX_VALUE;
        for (Map.Entry<String, Integer> entry : tasks.entrySet()) {
            String topic = entry.getKey();
            double before = timeOf(topic);
            furthestBehind = Math.min(furthestBehind, before);
            virtualTimes.put(
                    topic,
                    before + (double) entry.getValue() / policyOf.apply(topic).weight());
        }
        if (!tasks.isEmpty()) {
            now = Math.max(now, furthestBehind);
        }
        if (virtualTimes.size() > forgetAt) {
            virtualTimes.values().removeIf(time -> time <= now);
            forgetAt = Math.max(REMEMBERED, 2 * virtualTimes.size());
        }
    }

    private double timeOf(String topic) {
        return Math.max(now, virtualTimes.getOrDefault(topic, now));
    }
}
