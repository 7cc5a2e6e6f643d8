package io.millrace.server;

import io.millrace.Enqueued;
import io.millrace.InvalidValueException;
import io.millrace.NewTask;
import io.millrace.spi.LocalBackend;
import io.millrace.wire.EnqueuedForm;
import io.millrace.wire.Problem.FieldError;
import io.millrace.wire.TaskForm;
import io.vertx.core.http.HttpHeaders;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Takes tasks in: one, an array, or NDJSON. */
final class EnqueueApi {
    private final LocalBackend local;
    private final int payloadLimit;

    EnqueueApi(Service service) {
        local = service.local();
        payloadLimit = local.payloadLimit();
    }

    void enqueue(Exchange exchange) {
        exchange.parameters();
        String type = exchange.request().getHeader(HttpHeaders.CONTENT_TYPE);
        if (type != null && BodyReader.isType(type, Exchange.NDJSON.toString())) {
            new NdjsonIntake(exchange, local, payloadLimit).start();
        } else {
            exchange.body(bytes -> enqueue(exchange, TaskForm.readBody(bytes, payloadLimit)));
        }
    }

    private void enqueue(Exchange exchange, TaskForm.Body body) {
        check(exchange, body);
        var stored = local.enqueue(body.tasks());
        exchange.chargeUntil(stored);
        var unused = stored.whenComplete((answers, error) -> exchange.onLoop(() -> {
            if (error != null) {
                exchange.fail(error);
            } else {
                answer(exchange, body, answers);
            }
        }));
    }

    private void check(Exchange exchange, TaskForm.Body body) {
        Instant now = null;
        List<FieldError> errors = new ArrayList<>(0);
        for (int i = 0; i < body.tasks().size(); i++) {
            NewTask task = body.tasks().get(i);
            exchange.caller().checkTopic(task.topic());
            if (task.deadline() != null) {
                now = now == null ? local.now() : now;
                checkDeadline(task, now, body.many() ? "/" + i : "", errors);
            }
        }
        if (!errors.isEmpty()) {
            throw Problems.badFields(errors);
        }
    }

    /** The engine checks it too, but cannot say which tasks of many they were. */
    static void checkDeadline(NewTask task, Instant now, String prefix, List<FieldError> errors) {
        try {
            task.checkAgainst(now);
        } catch (InvalidValueException e) {
            errors.add(FieldError.field(prefix + "/" + e.field(), String.valueOf(e.getMessage())));
        }
    }

    private static void answer(Exchange exchange, TaskForm.Body body, List<Enqueued> answers) {
        if (body.many()) {
            var unused = exchange.json(201, EnqueuedForm.write(new EnqueuedForm.Many(answers)));
            return;
        }
        Enqueued answer = answers.get(0);
        exchange.response().putHeader(HttpHeaders.LOCATION, "/v1/tasks/" + answer.id());
        var unused = exchange.json(answer.duplicate() ? 200 : 201, EnqueuedForm.write(answer));
    }
}
