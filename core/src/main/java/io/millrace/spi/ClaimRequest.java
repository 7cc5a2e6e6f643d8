package io.millrace.spi;

import io.millrace.ClaimOrder;
import io.millrace.Rate;
import io.millrace.TopicPolicy;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * @param max the most tasks that are wanted in all
 * @param timeFrom when the time-to-run of what is given begins
 * @param order with {@link ClaimOrder#OLDEST}, shares are not looked at
 */
public record ClaimRequest(UUID worker, List<FromTopic> topics, int max, TimeFrom timeFrom, ClaimOrder order) {
    public enum TimeFrom {
        CLAIM,
        /** When the worker names the task as started, or reports on it. Until then the lease has no end. */
        START
    }

    public ClaimRequest(UUID worker, List<FromTopic> topics, int max) {
        this(worker, topics, max, TimeFrom.CLAIM, ClaimOrder.SHARE);
    }

    /**
     * @param share how many the topic may give before any other is asked for more than its own share
     * @param policy the limits to hold: concurrency, rate and time-to-run
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
