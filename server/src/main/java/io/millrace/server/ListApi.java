package io.millrace.server;

import io.millrace.Limits;
import io.millrace.TaskQuery;
import io.vertx.core.http.HttpHeaders;
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
        Budget.Charge charge = service.budget().charge();
        exchange.read(false, () -> new TaskPage(exchange, service, query, cursor, whole, charge).make(limit))
                .onFailure(error -> {
                    charge.release();
                    exchange.guarded(() -> exchange.fail(error));
                })
                .onSuccess(
                        body -> exchange.guarded(() -> exchange.json(200, body).onComplete(any -> charge.release())));
    }
}
