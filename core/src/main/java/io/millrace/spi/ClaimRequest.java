package io.millrace.spi;

import io.millrace.Rate;
import io.millrace.TopicPolicy;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** @param max the most tasks that are wanted in all */
public record ClaimRequest(UUID worker, List<FromTopic> topics, int max) {
    /**
     * @param share how many the topic may give before any other is asked for more than its own share
     * @param policy the limits to hold: concurrency, rate, time-to-run, and the retention of what has expired
     */
    public record FromTopic(String topic, int share, TopicPolicy policy) {
        public @Nullable Integer concurrency() {
            return policy.concurrency();
        }

        public @Nullable Rate rate() {
            return policy.rate();
        }
    }
}
