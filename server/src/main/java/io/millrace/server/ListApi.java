package io.millrace.server;

import io.millrace.InvalidValueException;
import io.millrace.Limits;
import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.wire.TaskView;
import io.millrace.wire.TaskViewForm;
import io.vertx.core.http.HttpHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists tasks: all of them as a stream, or page by page. */
final class ListApi {
    private final Service service;

    ListApi(Service service) {
        this.service = service;
    }

    void list(Exchange exchange) {
        list(exchange, true);
    }

    /** Without payloads and results. */
    void summary(Exchange exchange) {
        list(exchange, false);
    }

    private void list(Exchange exchange, boolean whole) {
        Parameters parameters = exchange.parameters(Exchange.filtersAnd("limit", "cursor"));
        int limit = parameters.number("limit", 1, Limits.PAGE, 0);
        String cursor = parameters.one("cursor");
        TaskQuery query = exchange.filters(parameters);
        if (limit != 0 || cursor != null) {
            page(exchange, query, cursor, limit == 0 ? Limits.PAGE : limit, whole);
        } else {
            String accept = exchange.request().getHeader(HttpHeaders.ACCEPT);
            boolean lines = accept != null && accept.contains(Exchange.NDJSON);
            new ListStream(exchange, service, query, whole, lines).start();
        }
    }

    private void page(Exchange exchange, TaskQuery query, @Nullable String cursor, int limit, boolean whole) {
        exchange.reading(
                () -> {
                    Page<Task> page = pageOf(exchange, query, cursor, limit);
                    List<TaskView> views = page.items().stream()
                            .map(task -> service.view(task, null))
                            .toList();
                    return TaskViewForm.writePage(new Page<>(views, page.next()), whole);
                },
                body -> exchange.json(200, body));
    }

    private Page<Task> pageOf(Exchange exchange, TaskQuery query, @Nullable String cursor, int limit) {
        try {
            return service.local().list(query, cursor, limit, exchange::isWanted);
        } catch (InvalidValueException e) {
            throw Problems.badParameter(e.field(), String.valueOf(e.getMessage()));
        }
    }
}
