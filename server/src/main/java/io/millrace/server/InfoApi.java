package io.millrace.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** What the server says of itself: metrics, probes, the contract, the page. */
final class InfoApi {
    private static final String UP = "{\"status\":\"up\"}";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
    /** The page is one file with all it needs, and asks nobody else for anything. */
    private static final String PAGE_POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline';"
                    + " connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

    private final Service service;
    private final byte[] page = resource("status.html");
    private final byte[] openApi = resource("openapi.json");

    InfoApi(Service service) {
        this.service = service;
    }

    private static byte[] resource(String name) {
        try (InputStream in = InfoApi.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing in the jar");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The process answers; that is all. */
    void live(Exchange exchange) {
        exchange.parameters();
        var unused = exchange.json(200, UP.getBytes(StandardCharsets.UTF_8));
    }

    /** The store would take in a task too, and the server is not about to stop. */
    void ready(Exchange exchange) {
        exchange.parameters();
        if (service.isStopping()) {
            throw Problems.unavailable("The server is being closed.");
        }
        var unused = service.readiness()
                .ask()
                .onComplete(asked -> exchange.onLoop(() -> {
                    if (asked.failed()) {
                        throw Problems.notReady(asked.cause());
                    }
                    exchange.json(200, UP.getBytes(StandardCharsets.UTF_8));
                }));
    }

    void metrics(Exchange exchange) {
        exchange.parameters();
        if (exchange.caller().isLimited()) {
            throw Problems.forbidden("metrics tell of all topics");
        }
        exchange.reading(
                () -> service.metrics().scrape(exchange::isWanted).getBytes(StandardCharsets.UTF_8),
                text -> exchange.send(200, PROMETHEUS, text));
    }

    void openApi(Exchange exchange) {
        exchange.parameters();
        var unused = exchange.json(200, openApi);
    }

    void page(Exchange exchange) {
        exchange.parameters();
        exchange.response().putHeader("Content-Security-Policy", PAGE_POLICY);
        var unused = exchange.send(200, "text/html; charset=utf-8", page);
    }
}
