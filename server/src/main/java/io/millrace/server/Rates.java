package io.millrace.server;

import io.millrace.Event;
import io.millrace.Observer;
import io.millrace.TaskState;
import io.millrace.wire.TopicView;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * How many tasks went in and out of each topic lately, as seen by this server. Each second has a slot of its own, which is
 * used again a minute later; the second at hand does not count, because it is not over.
 */
final class Rates implements Observer {
    /** So many topics have rates; more would be names that are made up for every task. */
    private static final int MOST_TOPICS = 10_000;

    private static final int WINDOW = 10;
    private static final int SLOTS = 16;

    private final Map<String, Counts> topics = new ConcurrentHashMap<>();
    private final LongSupplier seconds;

    Rates(LongSupplier seconds) {
        this.seconds = seconds;
    }

    /** Counters of three kinds by second. A slot holds its second in the upper half, so that an old one is noticed. */
    private static final class Counts {
        private final AtomicLongArray slots = new AtomicLongArray(3 * SLOTS);

        void count(int kind, long second) {
            int slot = kind * SLOTS + (int) (second % SLOTS);
            long tag = second << 32;
            slots.accumulateAndGet(slot, tag, (old, fresh) -> old >>> 32 == fresh >>> 32 ? old + 1 : fresh + 1);
        }

        double rate(int kind, long now) {
            long sum = 0;
            for (long second = now - WINDOW; second < now; second++) {
                long slot = slots.get(kind * SLOTS + (int) (second % SLOTS));
                sum += slot >>> 32 == (second & 0xFFFF_FFFFL) ? slot & 0xFFFF_FFFFL : 0;
            }
            return sum / (double) WINDOW;
        }
    }

    @Override
    public void on(Event event) {
        if (event instanceof Event.TaskEnqueued enqueued) {
            count(enqueued.task().topic(), 0);
        } else if (event instanceof Event.AttemptEnded ended && ended.state().isFinal()) {
            count(ended.task().topic(), ended.state() == TaskState.SUCCEEDED ? 1 : 2);
        } else if (event instanceof Event.TaskExpired expired) {
            count(expired.task().topic(), 2);
        }
    }

    private void count(String topic, int kind) {
        Counts counts = topics.get(topic);
        if (counts == null) {
            if (topics.size() >= MOST_TOPICS) {
                return;
            }
            counts = topics.computeIfAbsent(topic, any -> new Counts());
        }
        counts.count(kind, seconds.getAsLong());
    }

    TopicView.Rates of(String topic) {
        Counts counts = topics.get(topic);
        if (counts == null) {
            return TopicView.Rates.NONE;
        }
        long now = seconds.getAsLong();
        return new TopicView.Rates(counts.rate(0, now), counts.rate(1, now), counts.rate(2, now));
    }
}
