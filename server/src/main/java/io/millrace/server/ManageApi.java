package io.millrace.server;

import io.millrace.Millrace;
import io.millrace.TaskCount;
import io.millrace.TaskNotFoundException;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.When;
import io.millrace.spi.LocalBackend;
import io.millrace.wire.CountForm;
import io.millrace.wire.WhenForm;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Counts and changes tasks. */
final class ManageApi {
    private final Millrace millrace;
    private final LocalBackend local;

    ManageApi(Service service) {
        local = service.local();
        millrace = service.millrace();
    }

    void count(Exchange exchange) {
        Parameters parameters = exchange.parameters(Exchange.filtersAnd("by"));
        List<String> groups = groups(parameters);
        TaskQuery query = exchange.filters(parameters);
        exchange.reading(() -> local.count(query, exchange::isWanted), counts -> {
            if (groups.isEmpty()) {
                exchange.json(200, CountForm.write("count", sum(counts)));
            } else {
                boolean byTopic = groups.contains("topic");
                boolean byState = groups.contains("state");
                exchange.json(200, CountForm.writeGroups(grouped(counts, byTopic, byState), byTopic, byState));
            }
        });
    }

    private static List<String> groups(Parameters parameters) {
        String by = parameters.one("by");
        List<String> names = by == null ? List.of() : List.of(by.split(",", -1));
        if (!List.of("topic", "state").containsAll(names)) {
            parameters.refuse("by", "\"" + by + "\" is not allowed; it must be topic, state, or topic,state");
        }
        return names;
    }

    private static long sum(List<TaskCount> counts) {
        return counts.stream().mapToLong(TaskCount::count).sum();
    }

    /** Adds up what differs only in what nobody asked for. */
    private static List<TaskCount> grouped(List<TaskCount> counts, boolean byTopic, boolean byState) {
        record Group(@Nullable String topic, @Nullable TaskState state) {}
        Map<Group, TaskCount> sums = new LinkedHashMap<>();
        for (TaskCount count : counts) {
            Group group = new Group(byTopic ? count.topic() : null, byState ? count.state() : null);
            sums.merge(group, count, (a, b) -> new TaskCount(a.topic(), a.state(), a.count() + b.count()));
        }
        return new ArrayList<>(sums.values());
    }

    void deleteMatching(Exchange exchange) {
        TaskQuery query = exchange.filters(exchange.parameters(Exchange.filtersAnd()));
        if (query.matchesEverything()) {
            throw Problems.badParameter("topic", "at least one filter must be given; to mean all, name all states");
        }
        exchange.blocking(
                () -> millrace.deleteAll(query), count -> exchange.json(200, CountForm.write("deleted", count)));
    }

    void delete(Exchange exchange) {
        change(exchange, millrace::delete);
    }

    void cancel(Exchange exchange) {
        exchange.noBody(() -> change(exchange, millrace::cancel));
    }

    void retry(Exchange exchange) {
        exchange.noBody(() -> change(exchange, millrace::retry));
    }

    void reschedule(Exchange exchange) {
        exchange.body(bytes -> {
            When when = WhenForm.read(bytes);
            change(exchange, id -> millrace.reschedule(id, when));
        });
    }

    private interface TaskChange {
        void apply(UUID id);
    }

    private void change(Exchange exchange, TaskChange change) {
        exchange.parameters();
        UUID id = exchange.id();
        exchange.blocking(
                () -> {
                    checkTopic(exchange, id);
                    change.apply(id);
                    return true;
                },
                done -> exchange.noContent());
    }

    /** A task of a topic that is not open to the caller does not exist for it. */
    private void checkTopic(Exchange exchange, UUID id) {
        if (exchange.caller().isLimited()) {
            var unused = millrace.find(id)
                    .filter(task -> exchange.caller().mayUse(task.topic()))
                    .orElseThrow(() -> new TaskNotFoundException(id));
        }
    }
}
