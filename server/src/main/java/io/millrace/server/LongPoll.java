package io.millrace.server;

import io.millrace.spi.Ending;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.WorkerProtocol;
import io.millrace.spi.WorkerProtocol.Claim;
import io.millrace.spi.WorkerProtocol.Report;
import io.millrace.spi.WorkerProtocol.Wanted;
import io.millrace.spi.WorkerStanding;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request for tasks while it waits for its answer. If the client goes meanwhile, the poll is withdrawn; what was
 * given to it at that moment, or could not be written, is ready again at once.
 */
final class LongPoll {
    private static final Claim NOTHING = new Claim(WorkerStanding.ALIVE, List.of());
    private final Exchange exchange;
    private final Service service;
    private final WorkerProtocol protocol;
    private final Executor executor;
    private final UUID worker;
    private final Runnable withdraw = this::withdraw;
    private @Nullable CompletableFuture<Claim> claim;

    LongPoll(Exchange exchange, Service service, UUID worker) {
        this.exchange = exchange;
        this.service = service;
        this.worker = worker;
        protocol = service.local().protocol();
        executor = service.local().executor();
    }

    /**
     * Asks, on a thread that may wait.
     *
     * @param writer makes the body of the answer, or throws a problem
     */
    void start(Wanted wanted, Function<Claim, byte[]> writer) {
        CompletableFuture<Claim> asked = protocol.claim(worker, wanted, executor);
        if (!asked.isDone()) {
            exchange.onLoop(() -> park(asked, wanted.patience()));
        }
        var unused = asked.whenComplete((answer, error) -> exchange.onLoop(() -> answered(answer, error, writer)));
    }

    private void park(CompletableFuture<Claim> asked, Duration patience) {
        claim = asked;
        if (exchange.isGone()) {
            withdraw();
            return;
        }
        exchange.whenGone(withdraw);
        // a claim may wait for long, and takes no memory of others meanwhile
        exchange.charge().drop();
        service.park(withdraw);
        // a request that is held shows that its worker lives; the store is told as often as a worker would tell it
        long every = Math.max(1, service.pingEvery().toMillis());
        if (patience.toMillis() > every) {
            long timer = service.vertx().setPeriodic(every, any -> executor.execute(this::keepAlive));
            var unused = asked.whenComplete((any, error) -> service.vertx().cancelTimer(timer));
        }
    }

    private void keepAlive() {
        var unused = protocol.ping(worker, null, Set.of(), List.of());
    }

    private void withdraw() {
        CompletableFuture<Claim> asked = claim;
        if (asked != null) {
            // a store's call may hang on it
            executor.execute(() -> asked.cancel(true));
        }
    }

    private void answered(@Nullable Claim answer, @Nullable Throwable error, Function<Claim, byte[]> writer) {
        service.unpark(withdraw);
        Claim given = answer == null && error instanceof CancellationException ? NOTHING : answer;
        if (given == null) {
            exchange.fail(error == null ? new IllegalStateException("no answer") : error);
            return;
        }
        byte[] body = writer.apply(given);
        var sent = exchange.json(200, body);
        if (!given.tasks().isEmpty()) {
            sent.onFailure(e -> release(given.tasks()));
        }
    }

    private void release(List<LeasedTask> tasks) {
        executor.execute(() -> tasks.forEach(task -> {
            var unused = protocol.report(worker, new Report(task.lease(), Ending.Released.NOT_STARTED));
        }));
    }
}
