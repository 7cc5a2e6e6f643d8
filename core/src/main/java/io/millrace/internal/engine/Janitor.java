package io.millrace.internal.engine;

import io.millrace.Event;
import io.millrace.internal.Events;
import io.millrace.spi.Change;
import io.millrace.spi.ChangeResult;
import io.millrace.spi.Selection;
import io.millrace.spi.TaskStore;

/** Removes final tasks whose retention has passed. */
final class Janitor {
    private static final int BATCH = 1_000;

    private final TaskStore store;
    private final Events events;

    Janitor(Node node) {
        store = node.store();
        events = node.events();
    }

    void run() {
        ChangeResult step;
        do {
            step = store.change(new Selection.PastRetention(), new Change.Delete(), BATCH);
            step.items()
                    .forEach(item -> events.tell(
                            () -> new Event.TaskChanged(item.id(), item.topic(), Event.TaskChanged.Kind.DELETED)));
        } while (step.next() != null);
    }
}
