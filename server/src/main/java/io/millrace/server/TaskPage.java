package io.millrace.server;

import io.millrace.InvalidValueException;
import io.millrace.Page;
import io.millrace.Task;
import io.millrace.TaskQuery;
import io.millrace.wire.JsonOut;
import io.millrace.wire.TaskViewForm;
import org.jspecify.annotations.Nullable;

/**
 * Makes one page, from smaller ones of the store, which are about as large as a part of a stream. It ends early when it
 * has grown large, or the server has no memory to spare for more of it.
 */
final class TaskPage {
    static final int MOST_BYTES = 8 << 20;
    private static final int LARGEST_PART = 250;

    private final Exchange exchange;
    private final Service service;
    private final TaskQuery query;
    private final boolean whole;
    private final Budget.Charge charge;
    private final JsonOut out = new JsonOut();
    private @Nullable String cursor;
    private int tasks;

    TaskPage(
            Exchange exchange,
            Service service,
            TaskQuery query,
            @Nullable String cursor,
            boolean whole,
            Budget.Charge charge) {
        this.exchange = exchange;
        this.service = service;
        this.query = query;
        this.cursor = cursor;
        this.whole = whole;
        this.charge = charge;
    }

    byte[] make(int limit) {
        TaskViewForm.startPage(out);
        int size = 4;
        do {
            int before = out.size();
            Page<Task> part = fetch(Math.min(size, limit - tasks));
            for (Task task : part.items()) {
                TaskViewForm.write(service.view(task, null), whole, out);
            }
            tasks += part.items().size();
            cursor = part.next();
            int each =
                    Math.max(1, (out.size() - before) / Math.max(1, part.items().size()));
            size = Math.max(1, Math.min(LARGEST_PART, Math.min(PartStream.PART_BYTES / each, 4 * size)));
        } while (cursor != null && tasks < limit && out.size() < MOST_BYTES && mayGrow());
        TaskViewForm.endPage(cursor, out);
        return out.toBytes();
    }

    private boolean mayGrow() {
        try {
            charge.set(out.size());
            return true;
        } catch (ProblemException e) {
            return false;
        }
    }

    private Page<Task> fetch(int most) {
        try {
            return service.local().list(query, cursor, most, exchange::isWanted);
        } catch (InvalidValueException e) {
            throw Problems.badParameter(e.field(), String.valueOf(e.getMessage()));
        }
    }
}
