package io.millrace.wire;

import io.millrace.InvalidValueException;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Filters as query parameters: {@code topic=email&state=pending&scope=acme&scope=/room1}. */
public final class QueryForm {
    /** All parameters that filter. */
    public static final List<String> PARAMETERS =
            List.of("topic", "state", "scope", "entityId", "worker", "createdAfter", "createdBefore", "text");

    private static final String PENDING = "pending";
    /** In lower case: every end but success. In upper case it is a state. */
    private static final String FAILED = "failed";

    private QueryForm() {}

    /**
     * Reads the filters among the parameters; others are left alone.
     *
     * @throws InvalidValueException with the parameter as its field
     */
    public static TaskQuery read(Map<String, List<String>> parameters) {
        return read(parameters, e -> {
            throw e;
        });
    }

    /**
     * Reads the filters among the parameters; others are left alone.
     *
     * @param refused hears of every parameter that is bad; the query lacks it then
     */
    public static TaskQuery read(Map<String, List<String>> parameters, Consumer<InvalidValueException> refused) {
        Reading reading = new Reading(parameters, refused);
        reading.one("topic", TaskQuery::topic);
        reading.one("entityId", TaskQuery::entityId);
        reading.one("text", TaskQuery::text);
        reading.one("worker", (query, text) -> query.heldBy(uuid(text)));
        reading.one("createdAfter", (query, text) -> query.createdAfter(time("createdAfter", text)));
        reading.one("createdBefore", (query, text) -> query.createdBefore(time("createdBefore", text)));
        reading.all("scope", (query, tags) -> query.scope(tags.toArray(new String[0])));
        reading.all("state", (query, names) -> query.states(states(names)));
        return reading.query;
    }

    private static final class Reading {
        private final Map<String, List<String>> parameters;
        private final Consumer<InvalidValueException> refused;
        private TaskQuery query = TaskQuery.ALL;

        Reading(Map<String, List<String>> parameters, Consumer<InvalidValueException> refused) {
            this.parameters = parameters;
            this.refused = refused;
        }

        void one(String name, BiFunction<TaskQuery, String, TaskQuery> filter) {
            all(name, (before, values) -> {
                if (values.size() > 1) {
                    throw new InvalidValueException(name, values.get(1), "it can be given once only");
                }
                return filter.apply(before, values.get(0));
            });
        }

        void all(String name, BiFunction<TaskQuery, List<String>, TaskQuery> filter) {
            List<String> values = parameters.getOrDefault(name, List.of());
            if (values.isEmpty()) {
                return;
            }
            try {
                query = filter.apply(query, values);
            } catch (InvalidValueException e) {
                refused.accept(e);
            }
        }
    }

    private static UUID uuid(String text) {
        UUID parsed = JsonIn.uuidOrNull(text);
        if (parsed == null) {
            throw new InvalidValueException("worker", text, "it must be a worker's id, a UUID");
        }
        return parsed;
    }

    private static Instant time(String name, String text) {
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
                TaskState state = Names.STATE.find(name.toUpperCase(Locale.ROOT));
                if (name.equals(FAILED)) {
                    states.addAll(TaskState.UNSUCCESSFUL);
                } else if (state != null) {
                    states.add(state);
                } else if (name.equalsIgnoreCase(PENDING)) {
                    states.addAll(TaskState.PENDING);
                } else {
                    throw new InvalidValueException(
                            "state",
                            name,
                            Names.STATE.allowed() + ", or " + PENDING + ", or " + FAILED
                                    + " in lower case for every end but success");
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
