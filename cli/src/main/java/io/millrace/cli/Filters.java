package io.millrace.cli;

import io.millrace.InvalidValueException;
import io.millrace.TaskQuery;
import io.millrace.wire.QueryForm;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which tasks are meant: those of {@code GET /v1/tasks}, with the same names. */
final class Filters {
    @Option(names = "--topic", description = "Of this topic.")
    private @Nullable String topic;

    @Option(
            names = "--state",
            split = ",",
            paramLabel = "STATE",
            completionCandidates = Choices.States.class,
            description = {
                "In one of these states, such as READY,EXPIRED.",
                "pending: every state that is not final. failed, in lower case: every end but success; FAILED: that state alone."
            })
    private List<String> states = List.of();

    @Option(
            names = "--scope",
            paramLabel = "TAG",
            description = "With this leading part of the scope; may be repeated.")
    private List<String> scope = List.of();

    @Option(names = "--entity-id", paramLabel = "ID", description = "Of this entity.")
    private @Nullable String entityId;

    @Option(names = "--worker", paramLabel = "ID", description = "Held by this worker now.")
    private @Nullable String worker;

    @Option(
            names = "--created-after",
            paramLabel = "TIME",
            description = "Enqueued after this time, such as 2030-01-02T03:04:05Z.")
    private @Nullable String createdAfter;

    @Option(names = "--created-before", paramLabel = "TIME", description = "Enqueued before this time.")
    private @Nullable String createdBefore;

    @Option(names = "--text", description = "With this text in the error of an attempt.")
    private @Nullable String text;

    /** @throws InvalidValueException for all values that are not allowed */
    TaskQuery query() {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        put(parameters, "topic", topic);
        put(parameters, "entityId", entityId);
        put(parameters, "worker", worker);
        put(parameters, "createdAfter", createdAfter);
        put(parameters, "createdBefore", createdBefore);
        put(parameters, "text", text);
        parameters.put("scope", scope);
        parameters.put("state", states);
        List<InvalidValueException> refused = new ArrayList<>();
        TaskQuery query = QueryForm.read(parameters, refused::add);
        if (!refused.isEmpty()) {
            throw InvalidValueException.told(
                    refused.get(0).field(),
                    refused.stream().map(Complaints::text).toList());
        }
        return query;
    }

    private static void put(Map<String, List<String>> parameters, String name, @Nullable String value) {
        if (value != null) {
            parameters.put(name, List.of(value));
        }
    }
}
