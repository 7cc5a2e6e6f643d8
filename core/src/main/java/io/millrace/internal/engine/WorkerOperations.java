package io.millrace.internal.engine;

import io.millrace.Event;
import io.millrace.Worker;
import io.millrace.WorkerClient;
import io.millrace.internal.Events;
import io.millrace.spi.TaskStore;
import java.util.List;
import java.util.UUID;

/** What users ask of workers. */
final class WorkerOperations implements WorkerClient {
    private final TaskStore store;
    private final Events events;

    WorkerOperations(Node node) {
        store = node.store();
        events = node.events();
    }

    @Override
    public List<Worker> list() {
        return store.workers().list().stream()
                .filter(worker -> !Reaper.isEngine(worker))
                .toList();
    }

    @Override
    public boolean stop(UUID id) {
        boolean asked = store.workers().requestStop(id);
        if (asked) {
            events.tell(() -> new Event.WorkerStopRequested(id));
        }
        return asked;
    }
}
