package io.millrace.benchmarks.http;

import io.millrace.Millrace;
import io.millrace.server.MillraceServer;
import io.millrace.server.ServerOptions;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** A server in a process of its own: tells its port, and ends when its input does. */
final class ServerMain {
    static final String BARE = "bare";
    static final String PORT = "port ";

    private ServerMain() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals(BARE)) {
            serveBare();
        } else {
            serve(arguments[0]);
        }
    }

    private static void serve(String store) throws IOException {
        try (Millrace millrace = Millrace.open(store);
                MillraceServer server = MillraceServer.start(
                        millrace, ServerOptions.builder().port(0).build())) {
            untilTold(server.port());
        }
    }

    private static void serveBare() throws Exception {
        int loops = Runtime.getRuntime().availableProcessors();
        Vertx vertx =
                Vertx.vertx(new VertxOptions().setPreferNativeTransport(false).setEventLoopPoolSize(loops));
        CompletableFuture<Integer> port = new CompletableFuture<>();
        vertx.deployVerticle(() -> new BareServer(port), new DeploymentOptions().setInstances(loops))
                .await();
        untilTold(port.join());
        vertx.close().await();
    }

    private static void untilTold(int port) throws IOException {
        System.out.println(PORT + port);
        var unused = System.in.read();
    }
}
