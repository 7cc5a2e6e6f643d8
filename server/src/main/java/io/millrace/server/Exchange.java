package io.millrace.server;

import io.millrace.TaskQuery;
import io.millrace.server.Access.Caller;
import io.millrace.wire.EmptyForm;
import io.millrace.wire.ProblemForm;
import io.millrace.wire.QueryForm;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One request and its answer. Everything but {@link #onLoop} happens on the event loop of its connection. */
final class Exchange {
    static final CharSequence JSON = HttpHeaders.createOptimized("application/json");
    static final CharSequence NDJSON = HttpHeaders.createOptimized("application/x-ndjson");
    private static final CharSequence PROBLEM = HttpHeaders.createOptimized(ProblemForm.MEDIA_TYPE);

    private static final long LINGER = 1_000;

    private final HttpServerRequest request;
    private final Service service;
    private final Loop loop;
    private final Connections.Watch watch;
    private final Connections.Turn turn;
    private final Map<String, String> pathValues;
    private final Caller caller;
    private Budget.@Nullable Charge charge;

    Exchange(
            HttpServerRequest request,
            Service service,
            Loop loop,
            Connections.Watch watch,
            Map<String, String> pathValues,
            Caller caller) {
        this.request = request;
        this.service = service;
        this.loop = loop;
        this.watch = watch;
        turn = watch.turn();
        this.pathValues = pathValues;
        this.caller = caller;
    }

    HttpServerRequest request() {
        return request;
    }

    HttpServerResponse response() {
        return request.response();
    }

    Connections.Watch watch() {
        return watch;
    }

    Caller caller() {
        return caller;
    }

    Loop loop() {
        return loop;
    }

    Budget budget() {
        return service.budget();
    }

    /** What this request takes of the memory for bodies. */
    Budget.Charge charge() {
        Budget.Charge existing = charge;
        if (existing == null) {
            existing = budget().charge();
            charge = existing;
            turn.whenOver(existing::release);
        }
        return existing;
    }

    /** Keeps the charge until something has ended, even if the client goes before. */
    void chargeUntil(CompletionStage<?> end) {
        Budget.Charge held = charge();
        held.hold();
        var unused = end.whenComplete((any, error) -> held.release());
    }

    /** A part of the path, decoded. */
    String pathValue(String name) {
        return String.valueOf(pathValues.get(name));
    }

    /** An id in the path. A text that is none names nothing that could be there. */
    UUID id() {
        String text = pathValue("id");
        try {
            if (text.length() == 36) {
                return UUID.fromString(text);
            }
        } catch (IllegalArgumentException e) {
            // answered below
        }
        throw Problems.notFound("\"" + text + "\" is not an id: ids are UUIDs");
    }

    /** For requests without query parameters. */
    void parameters() {
        parameters(List.of()).check();
    }

    /** The query parameters, which are to be checked when all were read. */
    Parameters parameters(String... allowed) {
        return parameters(Arrays.asList(allowed));
    }

    Parameters parameters(List<String> allowed) {
        return new Parameters(UrlText.parameters(request.query()), allowed);
    }

    /**
     * The filters among the parameters. These are checked here, so that all others must have been read before. A caller
     * with some topics only must name one of them.
     */
    TaskQuery filters(Parameters parameters) {
        TaskQuery query = parameters.filters();
        parameters.check();
        if (caller.isLimited()) {
            if (query.topic() == null) {
                throw Problems.forbidden("the key \"" + caller.name() + "\" opens some topics only: name one of them");
            }
            caller.checkTopic(query.topic());
        }
        return query;
    }

    static List<String> filtersAnd(String... more) {
        List<String> names = new ArrayList<>(QueryForm.PARAMETERS);
        names.addAll(Arrays.asList(more));
        return names;
    }

    /** Reads the whole body, which must be JSON or nothing, and goes on with it. */
    void body(Consumer<byte[]> then) {
        new BodyReader(this, service.bodyLimit(), then).start();
    }

    /** Reads a body that has nothing to say. */
    void noBody(Runnable then) {
        body(bytes -> {
            EmptyForm.check(bytes);
            then.run();
        });
    }

    /** Makes a call that may wait, on a thread that may, and goes on here. */
    <T> void blocking(Callable<T> call, Consumer<T> then) {
        service.calls()
                .make(loop.context(), call)
                .onComplete(result -> guarded(() -> {
                    if (result.succeeded()) {
                        then.accept(result.result());
                    } else {
                        fail(result.cause());
                    }
                }));
    }

    /**
     * Reads what may take long, in turn with other reads of the same key, and goes on here.
     *
     * @param isBegun whether it is a part of an answer that was begun
     */
    <T> void reading(boolean isBegun, Callable<T> read, Consumer<T> then) {
        read(isBegun, read)
                .onComplete(result -> guarded(() -> {
                    if (result.succeeded()) {
                        then.accept(result.result());
                    } else {
                        fail(result.cause());
                    }
                }));
    }

    /** The same, for those who go on by themselves. */
    <T> Future<T> read(boolean isBegun, Callable<T> read) {
        return service.reads().make(loop.context(), caller.name(), isBegun, () -> {
            if (!isWanted()) {
                throw new CancellationException("the client has gone");
            }
            return read.call();
        });
    }

    <T> void reading(Callable<T> read, Consumer<T> then) {
        reading(false, read, then);
    }

    /** Whether somebody still waits for the answer. */
    boolean isWanted() {
        return !isGone() && !service.isStopping();
    }

    /** Runs something on the event loop: at once, where it is the one at hand. */
    void onLoop(Runnable action) {
        loop.run(() -> guarded(action));
    }

    void guarded(Runnable action) {
        try {
            action.run();
        } catch (Throwable e) {
            fail(e);
        }
    }

    /** Called if the client goes before it is answered. */
    void whenGone(Runnable action) {
        response().closeHandler(any -> action.run());
    }

    /** Called once, on the event loop, when the request is answered or the client has gone; at once, if that is so. */
    void whenOver(Runnable action) {
        turn.whenOver(action);
    }

    boolean isGone() {
        return response().closed();
    }

    Future<Void> json(int status, byte[] body) {
        return send(status, JSON, body);
    }

    Future<Void> send(int status, CharSequence type, byte[] body) {
        HttpServerResponse response = response();
        if (response.ended() || response.closed()) {
            return Future.failedFuture("the client has gone");
        }
        watch.end();
        response.setStatusCode(status).putHeader(HttpHeaders.CONTENT_TYPE, type);
        closeIfStopping();
        return response.end(Buffer.buffer(body));
    }

    private void closeIfStopping() {
        if (service.isStopping()) {
            response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
    }

    void noContent() {
        if (!response().ended() && !response().closed()) {
            watch.end();
            closeIfStopping();
            response().setStatusCode(204).end();
        }
    }

    ProblemException problemOf(Throwable error) {
        return Problems.of(error, service.troubles());
    }

    /** Ends the request with a problem. If the answer has begun already, all that is left is to cut it off. */
    void fail(Throwable error) {
        HttpServerResponse response = response();
        if (response.ended() || response.closed()) {
            return;
        }
        ProblemException problem = problemOf(error);
        if (response.headWritten()) {
            var unused = request.connection().close();
            return;
        }
        problem.headers().forEach(response::putHeader);
        boolean closes = problem.headers().containsKey("Connection");
        var sent = send(problem.problem().status(), PROBLEM, problem.body());
        if (closes) {
            sent.onComplete(any -> closeSoon());
        }
    }

    /**
     * Closes when the client has sent all, or a little later. To close at once would throw away the answer as well, if
     * something that nobody has read is under way.
     */
    private void closeSoon() {
        if (request.isEnded() || response().closed()) {
            var unused = request.connection().close();
            return;
        }
        request.handler(any -> {});
        request.endHandler(any -> request.connection().close());
        request.resume();
        service.vertx().setTimer(LINGER, any -> request.connection().close());
    }
}
