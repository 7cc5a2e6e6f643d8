package io.millrace;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the tasks of a topic are treated. A task's own settings come first.
 *
 * <pre>{@code TopicPolicy.builder().retry(Retry.DEFAULT.max(3)).deadLetter("email-dead").build()}</pre>
 */
public final class TopicPolicy {
    public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(30);
    public static final int DEFAULT_LOSS_LIMIT = 5;
    /** Ends of a task that may send a copy of it to the dead-letter topic. */
    public static final Set<TaskState> DEAD_LETTER_ENDS =
            Collections.unmodifiableSet(EnumSet.of(TaskState.FAILED, TaskState.TIMED_OUT, TaskState.EXPIRED));

    static final Set<TaskState> DEFAULT_DEAD_LETTER_ON =
            Collections.unmodifiableSet(EnumSet.of(TaskState.FAILED, TaskState.TIMED_OUT));

    public static final TopicPolicy DEFAULT = builder().build();

    private final Retry retry;
    private final Duration timeout;
    private final OnTimeout onTimeout;
    private final Retention retention;
    private final @Nullable Integer capacity;
    private final Leak leak;
    private final @Nullable String deadLetter;
    private final Set<TaskState> deadLetterOn;
    private final @Nullable Integer concurrency;
    private final @Nullable Rate rate;
    private final int weight;
    private final int lossLimit;

    private TopicPolicy(Builder builder) {
        retry = builder.retry;
        timeout = builder.timeout;
        onTimeout = builder.onTimeout;
        retention = builder.retention;
        capacity = builder.capacity;
        leak = builder.leak;
        deadLetter = builder.deadLetter;
        deadLetterOn = builder.deadLetterOn;
        concurrency = builder.concurrency;
        rate = builder.rate;
        weight = builder.weight;
        lossLimit = builder.lossLimit;
    }

    public static Builder builder() {
        return new Builder();
    }

    public Retry retry() {
        return retry;
    }

    /** Time-to-run of an attempt. */
    public Duration timeout() {
        return timeout;
    }

    public OnTimeout onTimeout() {
        return onTimeout;
    }

    public Retention retention() {
        return retention;
    }

    /** How many READY and SCHEDULED tasks the topic takes; null for any number. */
    public @Nullable Integer capacity() {
        return capacity;
    }

    public Leak leak() {
        return leak;
    }

    /** Where copies of failed tasks go, and what leaks; null for nowhere. */
    public @Nullable String deadLetter() {
        return deadLetter;
    }

    /** Which ends of a task send a copy to the dead-letter topic: FAILED and TIMED_OUT, unless set otherwise. */
    public Set<TaskState> deadLetterOn() {
        return deadLetterOn;
    }

    /** Where the copy of a task goes that ended in this state; null for nowhere. */
    public @Nullable String deadLetterOf(NewTask task, TaskState state) {
        Origin origin = task.origin();
        boolean wasThere = deadLetter != null && origin != null && origin.cameThrough(deadLetter);
        return wasThere || !deadLetterOn.contains(state) ? null : deadLetter;
    }

    /** How many tasks of the topic run at once, over all workers; null for any number. */
    public @Nullable Integer concurrency() {
        return concurrency;
    }

    public @Nullable Rate rate() {
        return rate;
    }

    /** The topic's share where several compete for workers. */
    public int weight() {
        return weight;
    }

    /** The loss that makes a task poison: at this many lost workers it fails. */
    public int lossLimit() {
        return lossLimit;
    }

    /** What follows when a task exceeds its time-to-run: its own setting, or the topic's. */
    public OnTimeout onTimeoutOf(NewTask task) {
        OnTimeout own = task.onTimeout();
        return own == null ? onTimeout : own;
    }

    /** The retries of a task: its own, or the topic's. */
    public Retry retryOf(NewTask task) {
        Retry own = task.retry();
        return own == null ? retry : own;
    }

    /** How long a task is kept that ended in this state: its own setting, the topic's, or the default. */
    public Duration retentionOf(NewTask task, TaskState state) {
        Duration own = task.retention().of(state);
        if (own != null) {
            return own;
        }
        Duration topics = retention.of(state);
        if (topics != null) {
            return topics;
        }
        return Objects.requireNonNull(Retention.DEFAULT.of(state));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TopicPolicy that && PolicyText.of(this).equals(PolicyText.of(that));
    }

    @Override
    public int hashCode() {
        return PolicyText.of(this).hashCode();
    }

    /** One {@code name=value} a line, the form in which stores keep it; {@link #parse} reads it. */
    @Override
    public String toString() {
        return PolicyText.of(this);
    }

    /** @throws InvalidValueException for an unknown name or a bad value */
    public static TopicPolicy parse(String text) {
        return PolicyText.parse(Limits.present("policy", text));
    }

    /** Collects and checks the fields; each setter throws {@link InvalidValueException} at once. */
    public static final class Builder {
        private Retry retry = Retry.DEFAULT;
        private Duration timeout = DEFAULT_TIMEOUT;
        private OnTimeout onTimeout = OnTimeout.FINAL;
        private Retention retention = Retention.UNSET;
        private @Nullable Integer capacity;
        private Leak leak = Leak.REAR;
        private @Nullable String deadLetter;
        private Set<TaskState> deadLetterOn = DEFAULT_DEAD_LETTER_ON;
        private @Nullable Integer concurrency;
        private @Nullable Rate rate;
        private int weight = 1;
        private int lossLimit = DEFAULT_LOSS_LIMIT;

        private Builder() {}

        public Builder retry(Retry value) {
            retry = Limits.present("retry", value);
            return this;
        }

        public Builder timeout(Duration value) {
            timeout = Limits.positive("timeout", value);
            return this;
        }

        public Builder onTimeout(OnTimeout value) {
            onTimeout = Limits.present("onTimeout", value);
            return this;
        }

        public Builder retention(Retention value) {
            retention = Limits.present("retention", value);
            return this;
        }

        public Builder capacity(int value) {
            capacity = Limits.between("capacity", value, 1, Integer.MAX_VALUE);
            return this;
        }

        public Builder leak(Leak value) {
            leak = Limits.present("leak", value);
            return this;
        }

        public Builder deadLetter(String topic) {
            deadLetter = Limits.topic("deadLetter", topic);
            return this;
        }

        /** @param ends one or more of FAILED, TIMED_OUT and EXPIRED */
        public Builder deadLetterOn(Set<TaskState> ends) {
            if (Limits.present("deadLetterOn", ends).isEmpty() || !DEAD_LETTER_ENDS.containsAll(ends)) {
                throw new InvalidValueException(
                        "deadLetterOn", ends, "it must have one or more of " + DEAD_LETTER_ENDS);
            }
            deadLetterOn = Collections.unmodifiableSet(EnumSet.copyOf(ends));
            return this;
        }

        public Builder concurrency(int value) {
            concurrency = Limits.between("concurrency", value, 1, Integer.MAX_VALUE);
            return this;
        }

        public Builder rate(Rate value) {
            rate = Limits.present("rate", value);
            return this;
        }

        public Builder weight(int value) {
            weight = Limits.between("weight", value, 1, 1_000_000);
            return this;
        }

        public Builder lossLimit(int value) {
            lossLimit = Limits.between("lossLimit", value, 1, Integer.MAX_VALUE);
            return this;
        }

        /** @throws InvalidValueException if the topic leaks at the front but has no dead-letter topic */
        public TopicPolicy build() {
            if (leak == Leak.FRONT && deadLetter == null) {
                throw new InvalidValueException("leak", leak, "a topic that leaks at the front needs a deadLetter");
            }
            return new TopicPolicy(this);
        }
    }
}
