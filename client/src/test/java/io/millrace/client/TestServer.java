package io.millrace.client;

import io.millrace.Millrace;
import io.millrace.server.AccessKey;
import io.millrace.server.MillraceServer;
import io.millrace.server.ServerOptions;
import io.millrace.testkit.client.MillraceFixture;
import java.time.Duration;
import java.util.List;

/** A real server that can be closed and opened again on the same port. */
final class TestServer implements AutoCloseable {
    private final String store;
    private final List<AccessKey> keys;
    private Millrace millrace;
    private MillraceServer server;
    private final int port;

    TestServer(String store) {
        this(store, List.of());
    }

    TestServer(String store, List<AccessKey> keys) {
        this.store = store;
        this.keys = keys;
        millrace = Millrace.open(store, MillraceFixture.quick().build());
        server = start(millrace, 0, keys);
        port = server.port();
    }

    private static MillraceServer start(Millrace over, int port, List<AccessKey> keys) {
        return MillraceServer.start(
                over,
                ServerOptions.builder()
                        .port(port)
                        .eventLoops(1)
                        .keys(keys)
                        .closeTimeout(Duration.ofSeconds(5))
                        .build());
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    int port() {
        return port;
    }

    /** The engine behind it, past the server. */
    Millrace millrace() {
        return millrace;
    }

    void stop() {
        server.close();
        millrace.close();
    }

    void start() {
        millrace = Millrace.open(store, MillraceFixture.quick().build());
        server = start(millrace, port, keys);
    }

    @Override
    public void close() {
        stop();
    }
}
