package io.millrace.server;

import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.wire.JsonOut;
import io.millrace.wire.TaskViewForm;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes all tasks that match, a page of the store at a time: the next one is read when the client has taken the one
 * before. Pages shrink where tasks are large, so that memory depends neither on their number nor on their size.
 */
final class ListStream {
    private static final int LARGEST_PAGE = 1_000;
    private static final int PAGE_BYTES = 256 << 10;

    private final Exchange exchange;
    private final Service service;
    private final TaskQuery query;
    private final boolean whole;
    private final boolean lines;
    private @Nullable String cursor;
    private int pageSize = 32;
    private boolean first = true;

    /** A page as it is written, and what comes after it. */
    private static final class Part {
        private final byte[] bytes;
        private final @Nullable String next;
        private final int tasks;

        Part(byte[] bytes, @Nullable String next, int tasks) {
            this.bytes = bytes;
            this.next = next;
            this.tasks = tasks;
        }
    }

    ListStream(Exchange exchange, Service service, TaskQuery query, boolean whole, boolean lines) {
        this.exchange = exchange;
        this.service = service;
        this.query = query;
        this.whole = whole;
        this.lines = lines;
    }

    void start() {
        exchange.blocking(this::read, this::write);
    }

    private Part read() {
        Page<Task> page = service.millrace().list(query, cursor, pageSize);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Task task : page.items()) {
            if (!lines) {
                bytes.write(first ? '[' : ',');
            }
            first = false;
            JsonOut out = lines ? JsonOut.inOneLine() : new JsonOut();
            TaskViewForm.write(service.view(task, null), whole, out);
            bytes.writeBytes(out.toBytes());
            if (lines) {
                bytes.write('\n');
            }
        }
        return new Part(bytes.toByteArray(), page.next(), page.items().size());
    }

    private void write(Part part) {
        HttpServerResponse response = exchange.response();
        if (response.closed()) {
            return;
        }
        if (!response.headWritten()) {
            response.setChunked(true).putHeader(HttpHeaders.CONTENT_TYPE, lines ? Exchange.NDJSON : Exchange.JSON);
        }
        cursor = part.next;
        if (cursor == null) {
            String end = lines ? "" : first ? "[]" : "]";
            exchange.watch().end();
            response.end(Buffer.buffer(part.bytes).appendString(end));
            return;
        }
        adapt(part);
        response.write(Buffer.buffer(part.bytes));
        if (response.writeQueueFull()) {
            response.drainHandler(any -> exchange.guarded(this::start));
        } else {
            start();
        }
    }

    private void adapt(Part part) {
        int size = Math.max(1, part.bytes.length);
        long fitting = (long) part.tasks * PAGE_BYTES / size;
        pageSize = (int) Math.max(1, Math.min(LARGEST_PAGE, Math.min(fitting, 2L * pageSize)));
    }
}
