package io.millrace.benchmarks.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonRecyclerPools;

/** The least that a server on the same library can do: parses the body, keeps nothing, and answers what we answer. */
final class BareServer extends VerticleBase {
    private static final String ID = "0190d6a4-93f5-7c1b-8f2e-3a5d7c9b1e42";
    private static final byte[] ANSWER = ("{\"id\":\"" + ID + "\",\"duplicate\":false}").getBytes(ISO_8859_1);
    private static final CharSequence JSON_TYPE = HttpHeaders.createOptimized("application/json");
    private static final JsonFactory JSON = JsonFactory.builder()
            .recyclerPool(JsonRecyclerPools.threadLocalPool())
            .build();

    private final CompletableFuture<Integer> port;

    BareServer(CompletableFuture<Integer> port) {
        this.port = port;
    }

    @Override
    public Future<?> start() {
        HttpServerOptions options =
                new HttpServerOptions().setHttp2ClearTextEnabled(false).setTcpNoDelay(true);
        return vertx.createHttpServer(options)
                .requestHandler(BareServer::handle)
                .listen(SocketAddress.sharedRandomPort(1, "127.0.0.1"))
                .map(HttpServer::actualPort)
                .onSuccess(port::complete);
    }

    private static void handle(HttpServerRequest request) {
        request.bodyHandler(body -> {
            parse(body.getBytes());
            request.response()
                    .setStatusCode(201)
                    .putHeader(HttpHeaders.LOCATION, "/v1/tasks/" + ID)
                    .putHeader(HttpHeaders.CONTENT_TYPE, JSON_TYPE)
                    .end(Buffer.buffer(ANSWER));
        });
    }

    private static void parse(byte[] bytes) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), bytes, 0, bytes.length)) {
            while (parser.nextToken() != null) {
                // to the end
            }
        }
    }
}
