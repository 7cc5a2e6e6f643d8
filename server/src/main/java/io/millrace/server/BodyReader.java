package io.millrace.server;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Reads a body as a whole, within its limits of size and time. What has come is charged to the budget of all bodies,
 * not what was announced: nobody takes memory from others by announcing.
 */
final class BodyReader {
    private static final String TYPE = "application/json";

    private final Exchange exchange;
    private final HttpServerRequest request;
    private final int limit;
    private final Consumer<byte[]> then;
    private final List<Buffer> parts = new ArrayList<>(1);
    private int length;
    private boolean refused;

    BodyReader(Exchange exchange, int limit, Consumer<byte[]> then) {
        this.exchange = exchange;
        this.limit = limit;
        this.then = then;
        request = exchange.request();
    }

    void start() {
        String announced = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (announced != null && !fits(announced)) {
            return;
        }
        exchange.watch().reading(() -> refuse(Problems.tooSlow()));
        request.handler(this::part);
        request.exceptionHandler(e -> refused = true);
        request.endHandler(any -> exchange.guarded(this::end));
    }

    private boolean fits(String announced) {
        long bytes;
        try {
            bytes = Long.parseLong(announced);
        } catch (NumberFormatException e) {
            throw Problems.malformed("Content-Length is not a number");
        }
        if (bytes > limit) {
            refuse(Problems.bodyTooLarge(limit));
        } else if (bytes > Budget.SMALL && !exchange.budget().hasRoomFor(bytes)) {
            refuse(Problems.noMemory());
        }
        return !refused;
    }

    private void part(Buffer part) {
        if (refused) {
            return;
        }
        if (length + part.length() > limit) {
            refuse(Problems.bodyTooLarge(limit));
            return;
        }
        try {
            exchange.charge().set(length + part.length());
        } catch (ProblemException e) {
            refuse(e);
            return;
        }
        parts.add(part);
        length += part.length();
    }

    private void refuse(ProblemException problem) {
        refused = true;
        parts.clear();
        exchange.fail(problem);
    }

    private void end() {
        if (refused) {
            return;
        }
        exchange.watch().readingDone();
        if (length > 0) {
            checkType();
        }
        then.accept(whole());
    }

    private byte[] whole() {
        if (parts.size() == 1) {
            return parts.remove(0).getBytes();
        }
        byte[] body = new byte[length];
        int at = 0;
        for (Buffer part : parts) {
            part.getBytes(body, at);
            at += part.length();
        }
        parts.clear();
        return body;
    }

    /** A page in a browser can send other types anywhere without asking; JSON it cannot. */
    private void checkType() {
        String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
        if (type != null && !isJson(type)) {
            throw Problems.wrongType(type, TYPE);
        }
    }

    static boolean isJson(String type) {
        return isType(type, TYPE);
    }

    static boolean isType(String given, String wanted) {
        return given.equals(wanted)
                || given.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(wanted);
    }
}
