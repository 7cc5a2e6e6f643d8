package io.millrace.wire;

import io.millrace.InvalidValueException;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Filters as query parameters: {@code topic=email&state=pending&scope=acme&scope=/room1}. */
public final class QueryForm {
    /** All parameters that filter. */
    public static final List<String> PARAMETERS =
            List.of("topic", "state", "scope", "entityId", "worker", "createdAfter", "createdBefore", "text");

    private static final String PENDING = "pending";

    private QueryForm() {}

    /**
     * Reads the filters among the parameters; others are left alone.
     *
     * @throws InvalidValueException with the parameter as its field
     */
    public static TaskQuery read(Map<String, List<String>> parameters) {
        TaskQuery query = TaskQuery.ALL;
        query = with(query, one(parameters, "topic"), TaskQuery::topic);
        query = with(query, one(parameters, "entityId"), TaskQuery::entityId);
        query = with(query, one(parameters, "text"), TaskQuery::text);
        query = with(query, uuid(one(parameters, "worker")), TaskQuery::heldBy);
        query = with(query, time("createdAfter", parameters), TaskQuery::createdAfter);
        query = with(query, time("createdBefore", parameters), TaskQuery::createdBefore);
        query = query.scope(parameters.getOrDefault("scope", List.of()).toArray(new String[0]));
        return query.states(states(parameters.getOrDefault("state", List.of())));
    }

    private static <T> TaskQuery with(TaskQuery query, @Nullable T value, BiFunction<TaskQuery, T, TaskQuery> filter) {
        return value == null ? query : filter.apply(query, value);
    }

    private static @Nullable String one(Map<String, List<String>> parameters, String name) {
        List<String> values = parameters.getOrDefault(name, List.of());
        if (values.size() > 1) {
            throw new InvalidValueException(name, values.get(1), "it can be given once only");
        }
        return values.isEmpty() ? null : values.get(0);
    }

    private static @Nullable UUID uuid(@Nullable String text) {
        if (text == null) {
            return null;
        }
        UUID parsed = JsonIn.uuidOrNull(text);
        if (parsed == null) {
            throw new InvalidValueException("worker", text, "it must be a worker's id, a UUID");
        }
        return parsed;
    }

    private static @Nullable Instant time(String name, Map<String, List<String>> parameters) {
        String text = one(parameters, name);
        if (text == null) {
            return null;
        }
        Instant parsed = JsonIn.timeOrNull(text);
        if (parsed == null) {
            throw new InvalidValueException(name, text, "it must be a time such as 2030-01-02T03:04:05Z");
        }
        return parsed;
    }

    private static Set<TaskState> states(List<String> values) {
        Set<TaskState> states = EnumSet.noneOf(TaskState.class);
        for (String value : values) {
            for (String name : value.split(",", -1)) {
                TaskState state = Names.STATE.find(name);
                if (state != null) {
                    states.add(state);
                } else if (name.equals(PENDING)) {
                    states.addAll(TaskState.PENDING);
                } else {
                    throw new InvalidValueException("state", name, Names.STATE.allowed() + ", or " + PENDING);
                }
            }
        }
        return states;
    }

    /** The filters as parameters, not encoded; none for a query without filters. */
    public static Map<String, List<String>> write(TaskQuery query) {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        put(parameters, "topic", query.topic());
        if (!query.states().isEmpty()) {
            String names = query.states().stream().map(Names.STATE::of).collect(Collectors.joining(","));
            put(parameters, "state", names);
        }
        if (!query.scope().isEmpty()) {
            parameters.put("scope", new ArrayList<>(query.scope()));
        }
        put(parameters, "entityId", query.entityId());
        put(parameters, "worker", query.worker());
        put(parameters, "createdAfter", query.createdAfter());
        put(parameters, "createdBefore", query.createdBefore());
        put(parameters, "text", query.text());
        return parameters;
    }

    private static void put(Map<String, List<String>> parameters, String name, @Nullable Object value) {
        if (value != null) {
            parameters.put(name, List.of(value.toString()));
        }
    }
}
