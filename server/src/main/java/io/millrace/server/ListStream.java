package io.millrace.server;

import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.wire.JsonOut;
import io.millrace.wire.TaskViewForm;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.util.Collections;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Writes all tasks that match, in parts of limited size: the next one is made when the client has taken the one before.
 * Tasks come from the store in pages, which are small where tasks are large. So memory does not grow with the list.
 */
final class ListStream {
    private static final int LARGEST_PAGE = 100;
    private static final int PART_BYTES = 64 << 10;

    private final Exchange exchange;
    private final Service service;
    private final TaskQuery query;
    private final boolean whole;
    private final boolean lines;
    private final JsonOut out;
    private Iterator<Task> page = Collections.emptyIterator();
    private @Nullable String cursor;
    private int pageSize = 1;
    private boolean isLastPage;
    private boolean ended;

    ListStream(Exchange exchange, Service service, TaskQuery query, boolean whole, boolean lines) {
        this.exchange = exchange;
        this.service = service;
        this.query = query;
        this.whole = whole;
        this.lines = lines;
        out = lines ? JsonOut.inOneLine() : new JsonOut().startArray();
    }

    void start() {
        exchange.blocking(this::nextPart, this::write);
    }

    private Buffer nextPart() {
        int tasks = 0;
        while (!ended && out.size() < PART_BYTES) {
            if (page.hasNext()) {
                TaskViewForm.write(service.view(page.next(), null), whole, out);
                tasks++;
            } else if (isLastPage) {
                ended = true;
            } else {
                fetch();
            }
        }
        // the next page is about as large as a part
        long fitting = (long) tasks * PART_BYTES / Math.max(1, out.size());
        pageSize = (int) Math.max(1, Math.min(LARGEST_PAGE, Math.min(fitting, 4L * pageSize)));
        if (ended && !lines) {
            out.endArray();
        }
        return Buffer.buffer(out.takeBytes());
    }

    private void fetch() {
        Page<Task> fetched = service.millrace().list(query, cursor, pageSize);
        page = fetched.items().iterator();
        cursor = fetched.next();
        isLastPage = cursor == null;
    }

    private void write(Buffer part) {
        HttpServerResponse response = exchange.response();
        if (response.closed()) {
            return;
        }
        if (!response.headWritten()) {
            response.setChunked(true).putHeader(HttpHeaders.CONTENT_TYPE, lines ? Exchange.NDJSON : Exchange.JSON);
        }
        if (ended) {
            exchange.watch().end();
            var unused = response.end(lines ? part.appendString("\n") : part);
            return;
        }
        var unused = response.write(part);
        if (response.writeQueueFull()) {
            response.drainHandler(any -> exchange.guarded(this::start));
        } else {
            start();
        }
    }
}
