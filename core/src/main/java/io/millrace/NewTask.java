package io.millrace;

import io.millrace.internal.TimeOrderedIds;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task as it is given to Millrace; immutable and checked. What is not set is left to the topic's policy when it is
 * needed, so that a change of policy reaches tasks that are already there.
 *
 * <pre>{@code NewTask.builder("email").payload(Payload.json("{}")).delay(Duration.ofMinutes(5)).build()}</pre>
 */
public final class NewTask {
    public static final int DEFAULT_PRIORITY = 100;

    private final UUID id;
    private final String topic;
    private final Payload payload;
    private final @Nullable String entityId;
    private final List<String> scope;
    private final int priority;
    private final When runAt;
    private final @Nullable When deadline;
    private final @Nullable Duration timeout;
    private final @Nullable OnTimeout onTimeout;
    private final @Nullable Retry retry;
    private final @Nullable String uniqueKey;
    private final @Nullable URI callback;
    private final Retention retention;
    private final int waitFor;
    private final @Nullable Origin origin;

    private NewTask(Builder builder) {
        id = builder.id == null ? TimeOrderedIds.next() : builder.id;
        topic = builder.topic;
        payload = builder.payload;
        entityId = builder.entityId;
        scope = builder.scope;
        priority = builder.priority;
        runAt = builder.runAt == null ? When.NOW : builder.runAt;
        deadline = builder.deadline;
        timeout = builder.timeout;
        onTimeout = builder.onTimeout;
        retry = builder.retry;
        uniqueKey = builder.uniqueKey;
        callback = builder.callback;
        retention = builder.retention;
        waitFor = builder.waitFor;
        origin = builder.origin;
    }

    public static Builder builder(String topic) {
        return new Builder(topic);
    }

    /** A builder that starts with everything this task has, its id included. */
    public Builder toBuilder() {
        Builder copy = new Builder(topic);
        copy.id = id;
        copy.payload = payload;
        copy.entityId = entityId;
        copy.scope = scope;
        copy.priority = priority;
        copy.runAt = runAt.equals(When.NOW) ? null : runAt;
        copy.deadline = deadline;
        copy.timeout = timeout;
        copy.onTimeout = onTimeout;
        copy.retry = retry;
        copy.uniqueKey = uniqueKey;
        copy.callback = callback;
        copy.retention = retention;
        copy.waitFor = waitFor;
        copy.origin = origin;
        return copy;
    }

    public UUID id() {
        return id;
    }

    public String topic() {
        return topic;
    }

    public Payload payload() {
        return payload;
    }

    public @Nullable String entityId() {
        return entityId;
    }

    /** Tags from general to particular; queries match any leading part. */
    public List<String> scope() {
        return scope;
    }

    /** Lower runs first. */
    public int priority() {
        return priority;
    }

    public When runAt() {
        return runAt;
    }

    /** Not started by then, the task ends as EXPIRED. */
    public @Nullable When deadline() {
        return deadline;
    }

    /** Time-to-run of an attempt, counted from its start where the worker says when that is, otherwise from its claim. */
    public @Nullable Duration timeout() {
        return timeout;
    }

    /** What follows when an attempt exceeds its time-to-run; null for what the topic says. */
    public @Nullable OnTimeout onTimeout() {
        return onTimeout;
    }

    public @Nullable Retry retry() {
        return retry;
    }

    /** No second task with this key is taken into the topic while this one is pending. */
    public @Nullable String uniqueKey() {
        return uniqueKey;
    }

    public @Nullable URI callback() {
        return callback;
    }

    public Retention retention() {
        return retention;
    }

    /** How many arrivals the task waits for before it can run. */
    public int waitFor() {
        return waitFor;
    }

    /** Set on dead letters only. */
    public @Nullable Origin origin() {
        return origin;
    }

    /**
     * Checks what can only be checked when the time is known.
     *
     * @throws InvalidValueException if the deadline has passed already, or lies before {@code runAt}
     */
    public void checkAgainst(Instant now) {
        if (deadline == null) {
            return;
        }
        Instant end = deadline.from(now);
        if (end.isBefore(now)) {
            throw new InvalidValueException("deadline", end, "it must not lie in the past; it is " + now);
        }
        if (end.isBefore(runAt.from(now))) {
            throw new InvalidValueException("deadline", end, "it must not lie before runAt, " + runAt.from(now));
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NewTask that
                && id.equals(that.id)
                && topic.equals(that.topic)
                && payload.equals(that.payload)
                && Objects.equals(entityId, that.entityId)
                && scope.equals(that.scope)
                && priority == that.priority
                && runAt.equals(that.runAt)
                && Objects.equals(deadline, that.deadline)
                && Objects.equals(timeout, that.timeout)
                && onTimeout == that.onTimeout
                && Objects.equals(retry, that.retry)
                && Objects.equals(uniqueKey, that.uniqueKey)
                && Objects.equals(callback, that.callback)
                && retention.equals(that.retention)
                && waitFor == that.waitFor
                && Objects.equals(origin, that.origin);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return topic + "/" + id;
    }

    /** Collects and checks the fields; each setter throws {@link InvalidValueException} at once. */
    public static final class Builder {
        private final String topic;
        private @Nullable UUID id;
        private Payload payload = Payload.EMPTY;
        private @Nullable String entityId;
        private List<String> scope = List.of();
        private int priority = DEFAULT_PRIORITY;
        private @Nullable When runAt;
        private @Nullable When deadline;
        private @Nullable Duration timeout;
        private @Nullable OnTimeout onTimeout;
        private @Nullable Retry retry;
        private @Nullable String uniqueKey;
        private @Nullable URI callback;
        private Retention retention = Retention.UNSET;
        private int waitFor;
        private @Nullable Origin origin;

        private Builder(String topic) {
            this.topic = Limits.topic("topic", topic);
        }

        /** The caller's own id; without it, the task gets a time-ordered one. The same id again is a duplicate. */
        public Builder id(UUID value) {
            id = Limits.present("id", value);
            return this;
        }

        public Builder payload(Payload value) {
            payload = Limits.present("payload", value);
            return this;
        }

        public Builder entityId(String value) {
            entityId = Limits.text("entityId", value, Limits.TAG_LENGTH);
            return this;
        }

        public Builder scope(String... tags) {
            return scope(Arrays.asList(Limits.present("scope", tags)));
        }

        public Builder scope(List<String> tags) {
            if (Limits.present("scope", tags).size() > Limits.SCOPE_TAGS) {
                throw new InvalidValueException("scope", tags, "it may have up to " + Limits.SCOPE_TAGS + " tags");
            }
            tags.forEach(tag -> Limits.text("scope", tag, Limits.TAG_LENGTH));
            scope = List.copyOf(tags);
            return this;
        }

        public Builder priority(int value) {
            priority = value;
            return this;
        }

        public Builder delay(Duration value) {
            return runAt("delay", new When.After(Limits.notNegative("delay", value)));
        }

        /** A moment in the past means now. */
        public Builder runAt(Instant value) {
            return runAt("runAt", new When.At(Limits.moment("runAt", value)));
        }

        private Builder runAt(String field, When value) {
            if (runAt != null) {
                throw new InvalidValueException(field, value, "delay and runAt exclude each other and are set once");
            }
            runAt = value;
            return this;
        }

        public Builder deadline(Instant value) {
            deadline = new When.At(Limits.moment("deadline", value));
            return this;
        }

        /** A deadline counted from the enqueue. */
        public Builder deadline(Duration value) {
            deadline = new When.After(Limits.positive("deadline", value));
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

        public Builder retry(Retry value) {
            retry = Limits.present("retry", value);
            return this;
        }

        public Builder uniqueKey(String value) {
            uniqueKey = Limits.text("uniqueKey", value, Limits.TAG_LENGTH);
            return this;
        }

        /** Not for new tasks yet: until there is push, an enqueue of a task with a callback is refused. */
        public Builder callback(String url) {
            callback = checkedUrl(Limits.text("callback", url, Limits.CALLBACK_LENGTH));
            return this;
        }

        public Builder retention(Retention value) {
            retention = Limits.present("retention", value);
            return this;
        }

        public Builder waitFor(int arrivals) {
            waitFor = Limits.between("waitFor", arrivals, 0, 1_000_000);
            return this;
        }

        /** For dead letters: what this is a copy of. */
        public Builder origin(@Nullable Origin value) {
            origin = value;
            return this;
        }

        /** @throws InvalidValueException if the deadline lies before the start */
        public NewTask build() {
            if (runAt != null
                    && deadline != null
                    && runAt.getClass() == deadline.getClass()
                    && deadline.from(Instant.EPOCH).isBefore(runAt.from(Instant.EPOCH))) {
                throw new InvalidValueException("deadline", deadline, "it must not lie before the start, " + runAt);
            }
            return new NewTask(this);
        }

        private static URI checkedUrl(String url) {
            try {
                URI uri = new URI(url);
                boolean isHttp = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
                if (isHttp && uri.getRawAuthority() != null) {
                    return uri;
                }
            } catch (URISyntaxException e) {
                // answered below, like every other text that is no such URL
            }
            throw new InvalidValueException("callback", url, "it must be an http or https URL");
        }
    }
}
