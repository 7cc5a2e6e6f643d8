package io.millrace;

import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks are meant: those that match every filter that is set. {@link #ALL} has none.
 *
 * @param states empty for any
 * @param scope a leading part of the task's scope
 * @param worker the worker that holds the task now
 * @param text a part of the error of any attempt, in any case
 */
public record TaskQuery(
        @Nullable String topic,
        Set<TaskState> states,
        List<String> scope,
        @Nullable String entityId,
        @Nullable UUID worker,
        @Nullable Instant createdAfter,
        @Nullable Instant createdBefore,
        @Nullable String text) {
    public static final TaskQuery ALL = new TaskQuery(null, Set.of(), List.of(), null, null, null, null, null);

    public TaskQuery {
        if (topic != null) {
            Limits.topic("topic", topic);
        }
        Limits.present("states", states);
        Limits.present("scope", scope);
        states = states.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(states));
        scope.forEach(tag -> Limits.text("scope", tag, Limits.TAG_LENGTH));
        scope = List.copyOf(scope);
        if (entityId != null) {
            Limits.text("entityId", entityId, Limits.TAG_LENGTH);
        }
        if (text != null) {
            Limits.text("text", text, Limits.ERROR_LENGTH);
        }
    }

    public TaskQuery topic(String value) {
        return new TaskQuery(value, states, scope, entityId, worker, createdAfter, createdBefore, text);
    }

    public TaskQuery states(Set<TaskState> value) {
        return new TaskQuery(topic, value, scope, entityId, worker, createdAfter, createdBefore, text);
    }

    public TaskQuery state(TaskState first, TaskState... others) {
        return states(EnumSet.of(first, others));
    }

    public TaskQuery pending() {
        return states(TaskState.PENDING);
    }

    /** Tasks that ended in any way but success. */
    public TaskQuery unsuccessful() {
        return states(TaskState.UNSUCCESSFUL);
    }

    public TaskQuery scope(String... tags) {
        return new TaskQuery(topic, states, Arrays.asList(tags), entityId, worker, createdAfter, createdBefore, text);
    }

    public TaskQuery entityId(String value) {
        return new TaskQuery(topic, states, scope, value, worker, createdAfter, createdBefore, text);
    }

    public TaskQuery heldBy(UUID value) {
        return new TaskQuery(topic, states, scope, entityId, value, createdAfter, createdBefore, text);
    }

    public TaskQuery createdAfter(Instant value) {
        return new TaskQuery(topic, states, scope, entityId, worker, value, createdBefore, text);
    }

    public TaskQuery createdBefore(Instant value) {
        return new TaskQuery(topic, states, scope, entityId, worker, createdAfter, value, text);
    }

    public TaskQuery text(String value) {
        return new TaskQuery(topic, states, scope, entityId, worker, createdAfter, createdBefore, value);
    }

    /** No filter at all. */
    public boolean matchesEverything() {
        return equals(ALL);
    }

    /** Only by topic and state, which every store counts without looking at tasks. */
    public boolean isByTopicAndStateOnly() {
        return scope.isEmpty()
                && entityId == null
                && worker == null
                && createdAfter == null
                && createdBefore == null
                && text == null;
    }
}
