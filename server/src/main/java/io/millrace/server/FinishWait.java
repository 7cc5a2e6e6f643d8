package io.millrace.server;

import io.millrace.Task;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A request that waits for a task to be final, until the time is over, the server stops, or the client goes. */
final class FinishWait {
    private static final long LONGEST_MILLIS = Duration.ofDays(1).toMillis();

    private final Exchange exchange;
    private final Service service;
    private final UUID id;
    private final long millis;
    private final Consumer<@Nullable Task> then;

    FinishWait(Exchange exchange, Service service, UUID id, Duration patience, Consumer<@Nullable Task> then) {
        this.exchange = exchange;
        this.service = service;
        this.id = id;
        this.then = then;
        millis = patience.compareTo(Duration.ofMillis(LONGEST_MILLIS)) > 0 ? LONGEST_MILLIS : patience.toMillis();
    }

    void start() {
        exchange.blocking(() -> service.millrace().finished(id), this::await);
    }

    private void await(CompletableFuture<Task> finished) {
        // a cancelled wait, for whatever reason, shows the task as it is
        Runnable giveUp = () -> finished.cancel(false);
        long timer = service.vertx().setTimer(Math.max(1, millis), any -> giveUp.run());
        exchange.whenGone(giveUp);
        service.park(giveUp);
        var unused = finished.whenComplete((task, error) -> exchange.onLoop(() -> {
            service.vertx().cancelTimer(timer);
            service.unpark(giveUp);
            if (!exchange.isGone()) {
                then.accept(task);
            }
        }));
    }
}
