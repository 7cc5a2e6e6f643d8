package io.millrace.server;

import io.millrace.Limits;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.CompletionResult.Status;
import io.millrace.spi.LocalBackend;
import io.millrace.spi.WorkerProtocol;
import io.millrace.spi.WorkerStanding;
import io.millrace.wire.OutcomeForm;
import io.millrace.wire.OutcomeForm.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Workers report outcomes, and may take the next tasks along. */
final class OutcomeApi {
    private final Service service;
    private final LocalBackend local;
    private final WorkerProtocol protocol;

    OutcomeApi(Service service) {
        this.service = service;
        local = service.local();
        protocol = local.protocol();
    }

    void report(Exchange exchange) {
        int claim = claimed(Exchange.one(exchange.parameters("claim"), "claim"));
        UUID worker = exchange.id();
        exchange.body(bytes -> {
            List<Outcome> outcomes = OutcomeForm.readRequest(bytes, worker, local.payloadLimit());
            refuseOutputs(outcomes);
            // to find a task that another node gave out takes a look into the store
            local.executor().execute(() -> {
                try {
                    report(exchange, worker, outcomes, claim);
                } catch (RuntimeException e) {
                    exchange.onLoop(() -> exchange.fail(e));
                }
            });
        });
    }

    private static int claimed(@Nullable String text) {
        if (text == null) {
            return 0;
        }
        try {
            int claimed = Integer.parseInt(text);
            if (claimed >= 1 && claimed <= Limits.CLAIM) {
                return claimed;
            }
        } catch (NumberFormatException e) {
            // answered below
        }
        throw Problems.badParameter("claim", "it must be between 1 and " + Limits.CLAIM);
    }

    private static void refuseOutputs(List<Outcome> outcomes) {
        for (int i = 0; i < outcomes.size(); i++) {
            if (!outcomes.get(i).outputs().isEmpty()) {
                throw Problems.badField("/outcomes/" + i + "/outputs", "the task is not a step of a pipeline");
            }
        }
    }

    private void report(Exchange exchange, UUID worker, List<Outcome> outcomes, int claim) {
        List<CompletableFuture<CompletionResult>> reported = new ArrayList<>(outcomes.size());
        for (Outcome outcome : outcomes) {
            reported.add(protocol.report(worker, outcome.report()));
        }
        var unused = CompletableFuture.allOf(reported.toArray(new CompletableFuture<?>[0]))
                .whenComplete((any, error) -> {
                    if (error != null) {
                        exchange.onLoop(() -> exchange.fail(error));
                        return;
                    }
                    List<CompletionResult> results =
                            reported.stream().map(CompletableFuture::join).toList();
                    local.executor().execute(() -> reported(exchange, worker, outcomes, results, claim));
                });
    }

    private void reported(
            Exchange exchange, UUID worker, List<Outcome> outcomes, List<CompletionResult> results, int claim) {
        try {
            if (results.stream().noneMatch(result -> result.status() == Status.APPLIED)) {
                checkKnown(worker);
            }
            if (claim == 0) {
                exchange.onLoop(() ->
                        exchange.json(200, OutcomeForm.writeAnswer(outcomes, new OutcomeForm.Answer(results, null))));
            } else {
                new LongPoll(exchange, service, worker)
                        .start(
                                topicsOf(exchange, worker),
                                claim,
                                Duration.ZERO,
                                given -> OutcomeForm.writeAnswer(outcomes, new OutcomeForm.Answer(results, given)));
            }
        } catch (RuntimeException e) {
            exchange.onLoop(() -> exchange.fail(e));
        }
    }

    private Set<String> topicsOf(Exchange exchange, UUID worker) {
        return exchange.caller().isLimited() ? service.registered(worker, exchange.caller()) : Set.of();
    }

    /**
     * A report that counted shows that its worker is known. One that expired has lost its leases, and the results say so;
     * any other call tells it to register again.
     */
    private void checkKnown(UUID worker) {
        if (protocol.ping(worker, null, List.of()).worker() == WorkerStanding.UNKNOWN) {
            throw Problems.unknownWorker(worker.toString());
        }
    }
}
