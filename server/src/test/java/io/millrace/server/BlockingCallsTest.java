package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockingCallsTest {
    private final Vertx vertx = Vertx.vertx();
    private final BlockingCalls calls = new BlockingCalls();
    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void close() {
        gate.countDown();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void their_end_can_be_awaited_however_they_end() throws Exception {
        Future<Boolean> good = calls.make(vertx.getOrCreateContext(), () -> gate.await(60, TimeUnit.SECONDS));
        Future<Boolean> bad = calls.make(vertx.getOrCreateContext(), () -> {
            throw new IllegalStateException(String.valueOf(gate.await(60, TimeUnit.SECONDS)));
        });
        CompletableFuture<Boolean> ended = CompletableFuture.supplyAsync(() -> calls.awaitEnd(Duration.ofSeconds(60)));

        gate.countDown();

        assertThat(ended.get(60, TimeUnit.SECONDS)).isTrue();
        assertThat(good.succeeded()).isTrue();
        assertThat(bad.failed()).isTrue();
    }

    @Test
    void patience_has_an_end() {
        var unused = calls.make(vertx.getOrCreateContext(), () -> gate.await(60, TimeUnit.SECONDS));

        assertThat(calls.awaitEnd(Duration.ofMillis(5))).isFalse();
    }
}
