package io.millrace.client;

import io.millrace.StoreUnavailableException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests, and sends them again where that is safe: with growing pauses, until there is an answer or the patience
 * is over. Answers with a problem come back like others; only what passes by itself is tried again.
 */
final class Transport implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Transport.class);
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration ANSWER = Duration.ofSeconds(60);
    private static final long FIRST_PAUSE = 50;
    private static final long LONGEST_PAUSE = 2_000;

    private final ServerUrl server;
    private final @Nullable String key;
    private final Duration patience;
    /** HTTP/1.1: a request that is given up takes its connection along, and the server sees at once that nobody waits. */
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT)
            .build();

    private volatile boolean closed;

    Transport(ServerUrl server, @Nullable String key, Duration patience) {
        this.server = server;
        this.key = key;
        this.patience = patience;
    }

    /** Makes a call and waits for it. An interrupt is kept for later: whether the call took effect must be known. */
    Answer call(Call call) {
        return await(send(call));
    }

    static <T> T await(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** Makes a call. To cancel the future gives the call up. */
    CompletableFuture<Answer> send(Call call) {
        Sending sending = new Sending(call);
        sending.start();
        return sending.result;
    }

    @Override
    public void close() {
        closed = true;
    }

    private HttpRequest request(Call call) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.at(call.path()))
                .timeout(ANSWER.plus(call.hold()))
                .method(call.method(), call.body());
        if (call.body().contentLength() > 0) {
            request.header("Content-Type", "application/json");
        }
        if (key != null) {
            request.header("Authorization", "Bearer " + key);
        }
        return request.build();
    }

    /** One call, with all its tries. */
    private final class Sending {
        private final Call call;
        private final HttpRequest request;
        private final CompletableFuture<Answer> result = new CompletableFuture<>();
        private final long end = System.nanoTime() + patience.toNanos();
        private volatile @Nullable CompletableFuture<?> underWay;
        private int tries;
        private long pause = FIRST_PAUSE;

        Sending(Call call) {
            this.call = call;
            request = request(call);
            var unused = result.whenComplete((answer, error) -> {
                if (result.isCancelled()) {
                    giveUp();
                }
            });
        }

        private void giveUp() {
            CompletableFuture<?> now = underWay;
            if (now != null) {
                now.cancel(true);
            }
        }

        void start() {
            if (closed) {
                result.completeExceptionally(new IllegalStateException("this Millrace is closed"));
                return;
            }
            tries++;
            CompletableFuture<HttpResponse<byte[]>> sent =
                    client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray());
            underWay = sent;
            if (result.isDone()) {
                // it may have been given up between the call and the assignment
                giveUp();
            }
            var unused = sent.whenComplete((response, error) -> {
                try {
                    ended(response, error);
                } catch (RuntimeException e) {
                    result.completeExceptionally(e);
                }
            });
        }

        private void ended(@Nullable HttpResponse<byte[]> response, @Nullable Throwable error) {
            if (result.isDone()) {
                return;
            }
            if (response != null) {
                Answer answer = new Answer(response, tries);
                if (Trouble.isPassing(answer)) {
                    again(call.again() == Call.Again.ALWAYS, answer.retryAfter().toMillis(), unavailable(answer));
                } else {
                    result.complete(answer);
                }
                return;
            }
            Throwable cause = Trouble.cause(error);
            if (isPlain(cause)) {
                result.completeExceptionally(withoutTls(cause));
            } else if (cause instanceof IOException) {
                boolean notSent = cause instanceof ConnectException
                        || cause instanceof HttpConnectTimeoutException
                        || cause instanceof SSLHandshakeException;
                boolean mayRepeat = call.again() == Call.Again.ALWAYS || (notSent && call.again() != Call.Again.NEVER);
                again(mayRepeat, 0, lost(cause, notSent));
            } else {
                result.completeExceptionally(cause);
            }
        }

        private void again(boolean mayRepeat, long atLeast, StoreUnavailableException trouble) {
            // half of it by chance, so that those who lost the same server do not come back all at once
            long wait =
                    Math.max(atLeast, pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1));
            pause = Math.min(LONGEST_PAUSE, pause * 2);
            if (!mayRepeat || System.nanoTime() + wait * 1_000_000 - end > 0) {
                result.completeExceptionally(trouble);
                return;
            }
            if (tries == 1) {
                log.info("{} The call is repeated for up to {}", trouble.getMessage(), patience);
            }
            CompletableFuture.delayedExecutor(wait, TimeUnit.MILLISECONDS).execute(() -> {
                if (!result.isDone()) {
                    start();
                }
            });
        }

        private StoreUnavailableException unavailable(Answer answer) {
            return new StoreUnavailableException(
                    String.valueOf(Trouble.of(answer).getMessage()));
        }

        /** Whether the other side answered in plain text; the JDK has only words for it. */
        private static boolean isPlain(Throwable cause) {
            return cause instanceof SSLException
                    && String.valueOf(cause.getMessage())
                            .toLowerCase(Locale.ROOT)
                            .contains("unrecognized ssl message");
        }

        private StoreUnavailableException withoutTls(Throwable cause) {
            return new StoreUnavailableException(
                    server.base() + " is a server without TLS: use "
                            + server.base().replaceFirst("(?i)^https:", "http:"),
                    cause);
        }

        private StoreUnavailableException lost(Throwable cause, boolean notSent) {
            if (cause instanceof SSLHandshakeException) {
                return new StoreUnavailableException(
                        "No secure connection to " + server.base() + ": " + cause.getMessage() + ".", cause);
            }
            return new StoreUnavailableException(
                    notSent
                            ? server.base() + " cannot be reached."
                            : "The answer of " + server.base()
                                    + " is lost, and whether the call took effect is not known.",
                    cause);
        }
    }
}
