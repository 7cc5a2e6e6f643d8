package io.millrace.server;

import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Listens: one HTTP server for each event loop, all on the same port. */
final class Listener {
    private static final Set<String> PROTOCOLS = Set.of("TLSv1.3", "TLSv1.2");
    /** Those of TLS 1.3, and of 1.2 what has forward secrecy and authenticated encryption. */
    private static final List<String> CIPHERS = List.of(
            "TLS_AES_256_GCM_SHA384",
            "TLS_AES_128_GCM_SHA256",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private final ServerOptions options;
    private final Service service;
    private final Queue<HttpServer> servers = new ConcurrentLinkedQueue<>();

    Listener(ServerOptions options, Service service) {
        this.options = options;
        this.service = service;
    }

    Deployable instance() {
        return new Instance();
    }

    int port() {
        return servers.element().actualPort();
    }

    /** Takes no more connections; done when all requests have ended, or the time is over. */
    Future<?> shutDown(Duration patience) {
        List<Future<?>> all = new ArrayList<>();
        servers.forEach(server -> all.add(server.shutdown(patience)));
        return Future.join(all);
    }

    /** Any free port means the same one for all instances. */
    private SocketAddress address() {
        return options.port() == 0
                ? SocketAddress.sharedRandomPort(1, options.host())
                : SocketAddress.inetSocketAddress(options.port(), options.host());
    }

    private HttpServerOptions settings() {
        HttpServerOptions settings = new HttpServerOptions()
                .setHttp2ClearTextEnabled(false)
                .setUseAlpn(false)
                .setMaxInitialLineLength(options.urlLimit())
                .setMaxHeaderSize(options.headerLimit())
                .setHandle100ContinueAutomatically(true)
                .setTcpNoDelay(true);
        if (options.isTls()) {
            settings.setSsl(true)
                    .setEnabledSecureTransportProtocols(PROTOCOLS)
                    .setKeyCertOptions(new PemKeyCertOptions()
                            .setCertPath(String.valueOf(options.certificate()))
                            .setKeyPath(String.valueOf(options.privateKey())));
            CIPHERS.forEach(settings::addEnabledCipherSuite);
        }
        return settings;
    }

    private final class Instance extends VerticleBase {
        @Override
        public Future<?> start() {
            Connections connections = new Connections(vertx, options, new OpenFiles(service.troubles()));
            Dispatch dispatch = new Dispatch(service, connections, context);
            HttpServer server = vertx.createHttpServer(settings())
                    .connectionHandler(connections::opened)
                    .invalidRequestHandler(dispatch::malformed)
                    .requestHandler(dispatch::handle);
            return server.listen(address()).onSuccess(servers::add);
        }
    }
}
