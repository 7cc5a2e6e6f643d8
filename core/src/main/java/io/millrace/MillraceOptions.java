package io.millrace;

import io.millrace.internal.SystemClock;
import io.millrace.spi.EngineClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settings of one {@link Millrace}. All have defaults that fit most; topics are configured by their policies. */
public final class MillraceOptions {
    public static final MillraceOptions DEFAULT = builder().build();

    private static final Duration SHORTEST_EXPIRY = Duration.ofSeconds(1);
    private static final int LONGEST_KEY = 1_000;

    private final Staffing workers;
    private final @Nullable Schedule schedule;
    private final boolean virtualThreads;
    private final String workerName;
    private final int prefetch;
    private final ClaimOrder claimOrder;
    private final @Nullable Integer maxTasks;
    private final Duration workerExpiry;
    private final Duration scanEvery;
    private final Duration reapEvery;
    private final Duration cleanEvery;
    private final Duration closeTimeout;
    private final int payloadLimit;
    private final @Nullable Codec codec;
    private final List<Observer> observers;
    private final @Nullable EngineClock clock;
    private final @Nullable String accessKey;
    private final Duration serverPatience;

    private MillraceOptions(Builder builder) {
        workers = builder.workers;
        schedule = builder.schedule;
        if (schedule != null) {
            var unused = schedule.over(workers);
        }
        virtualThreads = builder.virtualThreads;
        workerName = builder.workerName;
        prefetch = builder.prefetch;
        claimOrder = builder.claimOrder;
        maxTasks = builder.maxTasks;
        workerExpiry = builder.workerExpiry;
        scanEvery = builder.scanEvery;
        reapEvery = builder.reapEvery;
        cleanEvery = builder.cleanEvery;
        closeTimeout = builder.closeTimeout;
        payloadLimit = builder.payloadLimit;
        codec = builder.codec;
        observers = List.copyOf(builder.observers);
        clock = builder.clock;
        accessKey = builder.accessKey;
        serverPatience = builder.serverPatience;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** How many tasks this process runs at once, outside of the schedule's ranges. */
    public Staffing workers() {
        return workers;
    }

    /** Other numbers of workers at certain times of the day; null for none. */
    public @Nullable Schedule schedule() {
        return schedule;
    }

    /** Whether handlers run on virtual threads where the JDK has them (21 and later). */
    public boolean virtualThreads() {
        return virtualThreads;
    }

    public String workerName() {
        return workerName;
    }

    /** The most tasks that wait in this process for a free thread; the quicker the handlers, the more are fetched. */
    public int prefetch() {
        return prefetch;
    }

    /** Which tasks the handlers of several topics get first. */
    public ClaimOrder claimOrder() {
        return claimOrder;
    }

    /** After so many tasks the worker leaves, and {@link Millrace#stopped} tells; null for no end. */
    public @Nullable Integer maxTasks() {
        return maxTasks;
    }

    /** A worker not heard of for this long is taken for dead, and its tasks run elsewhere. */
    public Duration workerExpiry() {
        return workerExpiry;
    }

    /** How often everything is looked at although no signal came. */
    public Duration scanEvery() {
        return scanEvery;
    }

    /** How often lost workers and overrun tasks are looked for. */
    public Duration reapEvery() {
        return reapEvery;
    }

    /** How often tasks are removed whose retention has passed. */
    public Duration cleanEvery() {
        return cleanEvery;
    }

    /** How long {@link Millrace#close} lets running handlers finish before it interrupts them. */
    public Duration closeTimeout() {
        return closeTimeout;
    }

    /** The largest payload and result, in bytes. */
    public int payloadLimit() {
        return payloadLimit;
    }

    /** The codec for typed payloads; null to look for one on the class path. */
    public @Nullable Codec codec() {
        return codec;
    }

    public List<Observer> observers() {
        return observers;
    }

    /** The clock: the system's, or one that a test sets. */
    public EngineClock clock() {
        return clock == null ? SystemClock.shared() : clock;
    }

    /** The key that a server elsewhere asks for; null for that of the environment, or none. */
    public @Nullable String accessKey() {
        return accessKey;
    }

    /** How long a call tries to reach a server elsewhere before it fails with {@link StoreUnavailableException}. */
    public Duration serverPatience() {
        return serverPatience;
    }

    /** Collects and checks the settings; each setter throws {@link InvalidValueException} at once. */
    public static final class Builder {
        private Staffing workers = Staffing.fixed(Runtime.getRuntime().availableProcessors());
        private @Nullable Schedule schedule;
        private boolean virtualThreads = true;
        private String workerName = "millrace";
        private int prefetch = 2_000;
        private ClaimOrder claimOrder = ClaimOrder.SHARE;
        private @Nullable Integer maxTasks;
        private Duration workerExpiry = Duration.ofSeconds(30);
        private Duration scanEvery = Duration.ofSeconds(5);
        private Duration reapEvery = Duration.ofSeconds(1);
        private Duration cleanEvery = Duration.ofMinutes(1);
        private Duration closeTimeout = Duration.ofSeconds(30);
        private int payloadLimit = Limits.PAYLOAD_BYTES;
        private @Nullable Codec codec;
        private final List<Observer> observers = new ArrayList<>();
        private @Nullable EngineClock clock;
        private @Nullable String accessKey;
        private Duration serverPatience = Duration.ofMinutes(1);

        private Builder() {}

        /** Always so many; by default as many as there are processors. */
        public Builder workers(int count) {
            workers = Staffing.fixed(count);
            return this;
        }

        /** As many as there are tasks for: more while fetched tasks wait for a thread, fewer while none do. */
        public Builder workers(int fewest, int most) {
            workers = Staffing.between(fewest, most);
            return this;
        }

        public Builder schedule(Schedule value) {
            schedule = Limits.present("schedule", value);
            return this;
        }

        public Builder virtualThreads(boolean value) {
            virtualThreads = value;
            return this;
        }

        public Builder workerName(String value) {
            workerName = Limits.text("workerName", value, Limits.TAG_LENGTH);
            return this;
        }

        /** Which tasks the handlers of several topics get first: each topic's share, unless set otherwise. */
        public Builder claimOrder(ClaimOrder value) {
            claimOrder = Limits.present("claimOrder", value);
            return this;
        }

        /**
         * The most tasks that this process runs in all, counted when a handler starts; a retry counts again. When the last of them
         * has ended, the worker leaves and {@link Millrace#stopped} tells.
         */
        public Builder maxTasks(int value) {
            maxTasks = Limits.between("maxTasks", value, 1, Integer.MAX_VALUE);
            return this;
        }

        public Builder prefetch(int value) {
            prefetch = Limits.between("prefetch", value, 0, Limits.BATCH);
            return this;
        }

        public Builder workerExpiry(Duration value) {
            workerExpiry = Limits.positive("workerExpiry", value);
            if (workerExpiry.compareTo(SHORTEST_EXPIRY) < 0) {
                throw new InvalidValueException("workerExpiry", value, "it must be at least " + SHORTEST_EXPIRY);
            }
            return this;
        }

        public Builder scanEvery(Duration value) {
            scanEvery = Limits.positive("scanEvery", value);
            return this;
        }

        public Builder reapEvery(Duration value) {
            reapEvery = Limits.positive("reapEvery", value);
            return this;
        }

        public Builder cleanEvery(Duration value) {
            cleanEvery = Limits.positive("cleanEvery", value);
            return this;
        }

        public Builder closeTimeout(Duration value) {
            closeTimeout = Limits.notNegative("closeTimeout", value);
            return this;
        }

        public Builder payloadLimit(int bytes) {
            payloadLimit = Limits.between("payloadLimit", bytes, 1, 1 << 30);
            return this;
        }

        public Builder codec(Codec value) {
            codec = Limits.present("codec", value);
            return this;
        }

        /** Adds an observer; several are called in the order in which they were added. */
        public Builder observer(Observer value) {
            observers.add(Limits.present("observer", value));
            return this;
        }

        public Builder clock(EngineClock value) {
            clock = Limits.present("clock", value);
            return this;
        }

        public Builder accessKey(String value) {
            String key = Limits.present("accessKey", value);
            if (key.isEmpty() || key.length() > LONGEST_KEY || !key.chars().allMatch(Builder::isVisible)) {
                // a key does not belong in messages, not even a wrong one
                throw new InvalidValueException(
                        "accessKey",
                        key.length() + " characters",
                        "it must have 1 to " + LONGEST_KEY + " letters, digits and signs of ASCII, and no spaces");
            }
            accessKey = key;
            return this;
        }

        private static boolean isVisible(int character) {
            return character > ' ' && character < 127;
        }

        public Builder serverPatience(Duration value) {
            serverPatience = Limits.notNegative("serverPatience", value);
            return this;
        }

        public MillraceOptions build() {
            return new MillraceOptions(this);
        }
    }
}
