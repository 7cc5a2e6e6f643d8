package io.millrace.cli;

import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.server.AccessKey;
import io.millrace.server.MillraceServer;
import io.millrace.server.ServerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A real server on a free port, for commands to talk to. */
final class Served implements AutoCloseable {
    private final Millrace millrace;
    private final MillraceServer server;

    Served() {
        this(List.of(), MillraceOptions.DEFAULT);
    }

    Served(List<AccessKey> keys) {
        this(keys, MillraceOptions.DEFAULT);
    }

    /** @param expiry workers ping three times within this, and learn then of what is cancelled */
    Served(Duration expiry) {
        this(List.of(), MillraceOptions.builder().workerExpiry(expiry).build());
    }

    private Served(List<AccessKey> keys, MillraceOptions options) {
        millrace = Millrace.open("heap:", options);
        server = MillraceServer.start(
                millrace,
                ServerOptions.builder().port(0).eventLoops(1).keys(keys).build());
    }

    /** The engine behind it, past the server. */
    Millrace millrace() {
        return millrace;
    }

    String url() {
        return "http://127.0.0.1:" + server.port();
    }

    Run run(String... arguments) {
        return runWith("", arguments);
    }

    Run runWith(String input, String... arguments) {
        return Run.with(Map.of("MILLRACE_URL", url()), input, arguments);
    }

    @Override
    public void close() {
        server.close();
        millrace.close();
    }
}
