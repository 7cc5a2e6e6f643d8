package io.millrace.server;

import io.millrace.Millrace;
import io.millrace.testkit.environment.OtherJvm;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** A server for a process of its own, which answers questions about itself, and ends with its input. */
final class ServerMain {
    private static final String STRICT = "strict";

    private ServerMain() {}

    /** @param store the URL of its store */
    static OtherJvm start(int megabytes, String store) {
        return new OtherJvm(megabytes, ServerMain.class, store);
    }

    /** One with narrow limits: 100,000 bytes for a body, 300 ms for it to come, 1 s without a request. */
    static OtherJvm startStrict(int megabytes, String store) {
        return new OtherJvm(megabytes, ServerMain.class, store, STRICT);
    }

    public static void main(String[] arguments) throws Exception {
        ServerOptions.Builder options = ServerOptions.builder().port(0);
        if (List.of(arguments).contains(STRICT)) {
            options.bodyLimit(100_000).requestTimeout(Duration.ofMillis(300)).idleTimeout(Duration.ofSeconds(1));
        }
        try (Millrace millrace = Millrace.open(arguments[0]);
                MillraceServer server = MillraceServer.start(millrace, options.build())) {
            System.out.println(server.port());
            BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = questions.readLine(); line != null; line = questions.readLine()) {
                System.out.println(answer(line, server));
            }
        }
    }

    private static long answer(String question, MillraceServer server) {
        return switch (question) {
            case "waiting" -> server.waiting();
            case "underWay" -> server.underWay();
            case "heap" -> usedMegabytes();
            default -> throw new IllegalArgumentException(question);
        };
    }

    private static long usedMegabytes() {
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        return (runtime.totalMemory() - runtime.freeMemory()) >> 20;
    }
}
