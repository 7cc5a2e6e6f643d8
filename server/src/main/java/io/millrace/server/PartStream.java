package io.millrace.server;

import io.millrace.wire.JsonOut;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/**
 * Writes an answer of any length in parts of limited size: the next one is made when the client has taken the one
 * before. So memory does not grow with the answer.
 */
final class PartStream {
    static final int PART_BYTES = 64 << 10;

    private final Exchange exchange;
    private final CharSequence type;
    private final Source source;
    private boolean begun;
    private boolean ended;

    /** Where the answer comes from. */
    interface Source {
        /** Writes what follows, about {@link #PART_BYTES}; may wait. @return whether that was the end */
        boolean writePart();

        /** All that was written since this was last asked. */
        byte[] takeBytes();
    }

    PartStream(Exchange exchange, CharSequence type, Source source) {
        this.exchange = exchange;
        this.type = type;
        this.source = source;
    }

    void start() {
        exchange.reading(begun, this::nextPart, this::write);
    }

    private Buffer nextPart() {
        ended = source.writePart();
        return Buffer.buffer(source.takeBytes());
    }

    static boolean isFull(JsonOut out) {
        return out.size() >= PART_BYTES;
    }

    private void write(Buffer part) {
        HttpServerResponse response = exchange.response();
        if (response.closed()) {
            return;
        }
        begun = true;
        if (!response.headWritten()) {
            response.setChunked(true).putHeader(HttpHeaders.CONTENT_TYPE, type);
        }
        if (ended) {
            exchange.watch().end();
            var unused = response.end(part);
            return;
        }
        var unused = response.write(part);
        if (response.writeQueueFull()) {
            response.drainHandler(any -> exchange.guarded(this::start));
        } else {
            start();
        }
    }
}
