package io.millrace.server;

import io.millrace.InvalidValueException;
import io.millrace.Limits;
import io.millrace.Millrace;
import io.millrace.Observer;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server over a Millrace.
 *
 * <pre>{@code
 * try (var millrace = Millrace.open("embedded:./data");
 *         var server = MillraceServer.start(millrace, ServerOptions.builder().port(7070).build())) {
 *     System.in.read();
 * }
 * }</pre>
 */
public final class MillraceServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(MillraceServer.class);

    private static final Duration LONGEST = Duration.ofDays(2);

    private final Vertx vertx;
    private final ServerOptions options;
    private final Service service;
    private final Listener listener;
    private boolean closed;

    private MillraceServer(Vertx vertx, ServerOptions options, Service service, Listener listener) {
        this.vertx = vertx;
        this.options = options;
        this.service = service;
        this.listener = listener;
    }

    /**
     * Starts to listen. The Millrace stays the caller's: close it after the server.
     *
     * @throws io.millrace.InvalidValueException if it should listen beyond this machine without access keys
     * @throws IllegalStateException if it cannot listen there, or the TLS files cannot be read
     */
    public static MillraceServer start(Millrace millrace, ServerOptions options) {
        Limits.present("millrace", millrace);
        Limits.present("options", options).checkAccess();
        Vertx vertx = Vertx.vertx(new VertxOptions()
                .setPreferNativeTransport(false)
                .setEventLoopPoolSize(options.eventLoops())
                .setWorkerPoolSize(options.workerThreads()));
        try {
            Service service = new Service(vertx, millrace, options);
            Listener listener = new Listener(options, service);
            await(vertx.deployVerticle(listener::instance, new DeploymentOptions().setInstances(options.eventLoops())));
            if (!options.isLoopback() && !options.isTls()) {
                log.warn(
                        "Listening on {} without TLS: keys and payloads can be read on the way. Set a certificate, or put"
                                + " a proxy with TLS in front",
                        options.host());
            }
            log.info("Listening on {}://{}:{}", options.isTls() ? "https" : "http", options.host(), listener.port());
            return new MillraceServer(vertx, options, service, listener);
        } catch (RuntimeException e) {
            closeQuietly(vertx);
            throw e;
        }
    }

    private static void closeQuietly(Vertx vertx) {
        try {
            await(vertx.close());
        } catch (RuntimeException e) {
            log.warn("What was started could not be stopped", e);
        }
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException("The server failed: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("The server did not answer in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }

    /** The port it listens on, also if any free one was asked for. */
    public int port() {
        return listener.port();
    }

    /**
     * Replaces the access keys, from the next request on. A worker belongs to the name of its key, so that a secret can
     * be exchanged under the same name.
     *
     * @throws io.millrace.InvalidValueException if there is none: that would open the server to everybody
     */
    public void setKeys(List<AccessKey> keys) {
        if (Limits.present("keys", keys).isEmpty()) {
            throw new InvalidValueException("keys", "none", "there must be at least one");
        }
        service.setKeys(keys);
        log.info("{} access keys are in force now", keys.size());
    }

    Service service() {
        return service;
    }

    /** How many requests wait for something to happen. */
    int waiting() {
        return service.waiting();
    }

    /** How many requests are not answered yet. */
    long underWay() {
        return service.underWay().sum();
    }

    /** What bodies and pages take of the memory that they may. */
    Budget budget() {
        return service.budget();
    }

    /** What the engine tells of each event. */
    Observer events() {
        return service.events();
    }

    List<Route> routes() {
        return service.routes().all();
    }

    boolean isStopping() {
        return service.isStopping();
    }

    /**
     * Stops gracefully: takes no more connections, answers those who wait with what there is, and lets requests that
     * are under way end, for as long as {@link ServerOptions#closeTimeout} says.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        long start = System.nanoTime();
        try {
            Future<?> quiet = listener.shutDown(options.closeTimeout());
            service.stop();
            await(quiet);
        } finally {
            var unused = service.calls().awaitEnd(options.closeTimeout().minusNanos(System.nanoTime() - start));
            await(vertx.close());
            service.close();
        }
    }
}
