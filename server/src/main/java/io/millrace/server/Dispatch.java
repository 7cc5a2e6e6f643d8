package io.millrace.server;

import io.millrace.server.Access.Caller;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Context;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.Map;

/** The way of a request on one event loop: who is it, what is asked, who answers. */
final class Dispatch {
    private static final CharSequence CACHE_CONTROL = HttpHeaders.createOptimized("Cache-Control");
    private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
    private static final CharSequence CONTENT_TYPE_OPTIONS = HttpHeaders.createOptimized("X-Content-Type-Options");
    private static final CharSequence NO_SNIFF = HttpHeaders.createOptimized("nosniff");

    private final Service service;
    private final Connections connections;
    private final Loop loop;

    Dispatch(Service service, Connections connections, Context context) {
        this.service = service;
        this.connections = connections;
        loop = new Loop(context, Thread.currentThread());
    }

    /** A client that sends request after request and takes no answer gets no further one before it has. */
    void handle(HttpServerRequest request) {
        HttpServerResponse response = request.response();
        if (response.writeQueueFull()) {
            request.pause();
            response.drainHandler(any -> {
                response.drainHandler(null);
                begin(request);
                request.resume();
            });
        } else {
            begin(request);
        }
    }

    private void begin(HttpServerRequest request) {
        Connections.Watch watch = connections.of(request.connection());
        Connections.Turn turn = watch.begin(service.underWay());
        request.response()
                .putHeader(CACHE_CONTROL, NO_STORE)
                .putHeader(CONTENT_TYPE_OPTIONS, NO_SNIFF)
                .endHandler(any -> turn.over());
        try {
            checkHost(request);
            Routes.Match match = service.routes().find(request.method(), request.path());
            checkOrigin(request);
            Caller caller = caller(request, match.route());
            Exchange exchange = new Exchange(request, service, loop, watch, match.values(), caller);
            exchange.guarded(() -> match.route().handler().handle(exchange));
        } catch (RuntimeException e) {
            new Exchange(request, service, loop, watch, Map.of(), Caller.ANYBODY).fail(e);
        }
    }

    private void checkHost(HttpServerRequest request) {
        if (service.access().isOpen()) {
            List<String> hosts = request.headers().getAll(HttpHeaders.HOST);
            if (!service.hosts().isKnown(hosts)) {
                throw Problems.wrongHost(hosts);
            }
        }
    }

    private Caller caller(HttpServerRequest request, Route route) {
        if (route.isOpen()) {
            return Caller.ANYBODY;
        }
        Caller caller = service.access().identify(request.getHeader(HttpHeaders.AUTHORIZATION));
        caller.checkRole(route.roles());
        return caller;
    }

    /** A page of another site that is open in somebody's browser changes nothing here. */
    private static void checkOrigin(HttpServerRequest request) {
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        if (origin != null) {
            String host = request.getHeader(HttpHeaders.HOST);
            if (!origin.equalsIgnoreCase("http://" + host) && !origin.equalsIgnoreCase("https://" + host)) {
                throw Problems.forbidden("a page of " + origin + " may not use this server");
            }
        }
    }

    /** What is not even HTTP. */
    void malformed(HttpServerRequest request) {
        Connections.Watch watch = connections.of(request.connection());
        Throwable cause = request.decoderResult().cause();
        ServerOptions options = service.options();
        ProblemException problem = cause instanceof TooLongHttpLineException
                ? Problems.urlTooLong(options.urlLimit())
                : cause instanceof TooLongHttpHeaderException
                        ? Problems.headersTooLarge(options.headerLimit())
                        : Problems.malformed("it cannot be read");
        new Exchange(request, service, loop, watch, Map.of(), Caller.ANYBODY).fail(problem);
        var unused = request.connection().close();
    }
}
