package io.millrace.client;

import io.millrace.Millrace;
import io.millrace.MillraceOptions;
import io.millrace.server.MillraceServer;
import io.millrace.server.ServerOptions;
import io.millrace.testkit.environment.OtherJvm;
import java.io.IOException;
import java.time.Duration;

/** A server in a process of its own, which can be killed, and started again on the same port. */
final class ServedProcess implements AutoCloseable {
    private static final int HEAP_MEGABYTES = 256;

    private final String store;
    private OtherJvm process;
    private final int port;

    ServedProcess(String store) {
        this.store = store;
        process = start(0);
        port = Integer.parseInt(process.line());
    }

    /** What the process runs. It ends with its input, and so with the one who started it. */
    public static void main(String[] arguments) throws IOException {
        MillraceOptions options = MillraceOptions.builder()
                .reapEvery(Duration.ofMillis(200))
                .scanEvery(Duration.ofMillis(200))
                .build();
        try (Millrace millrace = Millrace.open(arguments[0], options);
                MillraceServer server = MillraceServer.start(
                        millrace,
                        ServerOptions.builder()
                                .port(Integer.parseInt(arguments[1]))
                                .build())) {
            System.out.println(server.port());
            var unused = System.in.read();
        }
    }

    private OtherJvm start(int onPort) {
        return new OtherJvm(HEAP_MEGABYTES, ServedProcess.class, store, Integer.toString(onPort));
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    /** Kills it after so many milliseconds, as {@code kill -9} does, and starts it again. */
    void killAndStart(int millis) throws InterruptedException {
        if (process.ends(millis)) {
            throw new IllegalStateException("the server ended by itself");
        }
        process.close();
        process = start(port);
        var unused = process.line();
    }

    @Override
    public void close() {
        process.close();
    }
}
