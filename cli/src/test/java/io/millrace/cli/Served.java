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
    /** Workers ping three times within this, and learn then of what is cancelled. */
    private static final Duration EXPIRY = Duration.ofSeconds(2);

    private final Millrace millrace = Millrace.open(
            "heap:", MillraceOptions.builder().workerExpiry(EXPIRY).build());
    private final MillraceServer server;

    Served() {
        this(List.of());
    }

    Served(List<AccessKey> keys) {
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
