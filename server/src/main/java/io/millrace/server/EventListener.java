package io.millrace.server;

import io.millrace.server.Access.Caller;
import io.netty.buffer.Unpooled;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One client that listens. If it does not keep up, it misses events and is told how many; if it takes nothing at all,
 * its connection is cut off like any other ({@link Connections}).
 */
final class EventListener {
    /** Batches on their way to the event loop. */
    private static final int MOST_PENDING = 10;

    private static final ByteBuffer STILL_HERE =
            ByteBuffer.wrap(": still here\n\n".getBytes(StandardCharsets.US_ASCII));
    private static final byte[] NOTHING = {};

    private final Exchange exchange;
    private final HttpServerResponse response;
    private final AtomicInteger pending = new AtomicInteger();
    private final AtomicLong missed = new AtomicLong();

    EventListener(Exchange exchange) {
        this.exchange = exchange;
        response = exchange.response();
    }

    Caller caller() {
        return exchange.caller();
    }

    boolean maySee(EventText text) {
        String topic = text.topic();
        return !caller().isLimited() || (topic != null && caller().mayUse(topic));
    }

    /** Adds to what it will be told to have missed; an upper bound where it may not see all topics. */
    void miss(long count) {
        missed.addAndGet(count);
    }

    /** On the thread of the fan-out: hands over, or counts what is missed. */
    void offer(EventFanOut.Batch batch) {
        if (pending.incrementAndGet() > MOST_PENDING) {
            pending.decrementAndGet();
            miss(batch.count());
            return;
        }
        exchange.onLoop(() -> {
            pending.decrementAndGet();
            write(batch.frames(), batch.count());
        });
    }

    void keepAlive() {
        write(STILL_HERE, 0);
    }

    /** All listeners share the bytes: what one does not read takes no room of its own. */
    private void write(ByteBuffer frames, int count) {
        if (response.closed() || response.ended()) {
            return;
        }
        if (response.writeQueueFull()) {
            miss(count);
            return;
        }
        var unused = response.write(
                BufferInternal.buffer(Unpooled.wrappedBuffer(ByteBuffer.wrap(notice()), frames.duplicate())));
    }

    private byte[] notice() {
        long count = missed.getAndSet(0);
        return count == 0
                ? NOTHING
                : ("event: missed\ndata: {\"count\":" + count + "}\n\n").getBytes(StandardCharsets.US_ASCII);
    }

    void end() {
        if (!response.closed() && !response.ended()) {
            exchange.watch().end();
            var unused = response.end();
        }
    }
}
