package io.millrace.server;

import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.wire.JsonOut;
import io.millrace.wire.TaskViewForm;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Writes all tasks that match. They come from the store in pages, which are small where tasks are large. */
final class ListStream implements PartStream.Source {
    private static final int LARGEST_PAGE = 100;

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
        new PartStream(exchange, lines ? Exchange.NDJSON : Exchange.JSON, this).start();
    }

    @Override
    public boolean writePart() {
        int tasks = 0;
        while (!ended && !PartStream.isFull(out)) {
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
        long fitting = (long) tasks * PartStream.PART_BYTES / Math.max(1, out.size());
        pageSize = (int) Math.max(1, Math.min(LARGEST_PAGE, Math.min(fitting, 4L * pageSize)));
        if (ended && !lines) {
            out.endArray();
        }
        return ended;
    }

    private void fetch() {
        Page<Task> fetched = service.local().list(query, cursor, pageSize, exchange::isWanted);
        page = fetched.items().iterator();
        cursor = fetched.next();
        isLastPage = cursor == null;
    }

    @Override
    public byte[] takeBytes() {
        byte[] taken = out.takeBytes();
        if (!ended || !lines) {
            return taken;
        }
        byte[] closed = Arrays.copyOf(taken, taken.length + 1);
        closed[taken.length] = '\n';
        return closed;
    }
}
