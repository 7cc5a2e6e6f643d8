package io.millrace.server;

import io.millrace.Millrace;
import io.millrace.Task;
import io.millrace.TaskNotFoundException;
import io.millrace.wire.TaskViewForm;
import java.time.Duration;
import java.util.UUID;

/** One task. */
final class TaskApi {
    private final Service service;
    private final Millrace millrace;

    TaskApi(Service service) {
        this.service = service;
        millrace = service.millrace();
    }

    void get(Exchange exchange) {
        UUID id = exchange.id();
        Parameters parameters = exchange.parameters("wait");
        Duration patience = parameters.duration("wait");
        parameters.check();
        exchange.blocking(() -> find(exchange, id), task -> {
            if (patience.isZero() || task.state().isFinal()) {
                show(exchange, id);
            } else {
                new FinishWait(exchange, service, id, patience, ended -> {
                            if (ended == null) {
                                show(exchange, id);
                            } else {
                                // it may be gone already, if nothing is kept
                                exchange.json(200, TaskViewForm.write(service.view(ended, null)));
                            }
                        })
                        .start();
            }
        });
    }

    private Task find(Exchange exchange, UUID id) {
        return millrace.find(id)
                .filter(task -> exchange.caller().mayUse(task.topic()))
                .orElseThrow(() -> new TaskNotFoundException(id));
    }

    private void show(Exchange exchange, UUID id) {
        exchange.blocking(
                () -> {
                    Task task = find(exchange, id);
                    String why = task.state().isPending() ? millrace.why(id).orElse(null) : null;
                    return TaskViewForm.write(service.view(task, why));
                },
                body -> exchange.json(200, body));
    }
}
