package io.millrace.server;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads a body as a whole, within its limits of size and time. */
final class BodyReader {
    private static final String TYPE = "application/json";

    private final Exchange exchange;
    private final HttpServerRequest request;
    private final int limit;
    private final Consumer<byte[]> then;
    private @Nullable Buffer body;
    private @Nullable Buffer gathered;
    private boolean refused;

    BodyReader(Exchange exchange, int limit, Consumer<byte[]> then) {
        this.exchange = exchange;
        this.limit = limit;
        this.then = then;
        request = exchange.request();
    }

    void start() {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (length != null && isLongerThanLimit(length)) {
            refuse(Problems.bodyTooLarge(limit));
            return;
        }
        exchange.watch().reading(() -> refuse(Problems.tooSlow()));
        request.handler(this::part);
        request.exceptionHandler(e -> refused = true);
        request.endHandler(any -> exchange.guarded(this::end));
    }

    private boolean isLongerThanLimit(String length) {
        try {
            return Long.parseLong(length) > limit;
        } catch (NumberFormatException e) {
            throw Problems.malformed("Content-Length is not a number");
        }
    }

    private void part(Buffer part) {
        if (refused) {
            return;
        }
        int before = body == null ? 0 : body.length();
        if (before + part.length() > limit) {
            refuse(Problems.bodyTooLarge(limit));
        } else {
            body = body == null ? part : joined(body, part);
        }
    }

    /** Most bodies come in one part, which is taken as it is; the rest is gathered in a buffer that grows. */
    private Buffer joined(Buffer before, Buffer part) {
        if (gathered == null) {
            gathered = Buffer.buffer(before.length() + part.length()).appendBuffer(before);
        }
        return gathered.appendBuffer(part);
    }

    private void refuse(ProblemException problem) {
        refused = true;
        exchange.fail(problem);
    }

    private void end() {
        if (refused) {
            return;
        }
        exchange.watch().readingDone();
        if (body == null) {
            then.accept(new byte[0]);
            return;
        }
        checkType();
        then.accept(body.getBytes());
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
