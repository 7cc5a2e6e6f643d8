package io.millrace.server;

import io.millrace.ClaimOrder;
import io.millrace.Limits;
import io.millrace.StoreFullException;
import io.millrace.spi.ClaimRequest.TimeFrom;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.CompletionResult.Status;
import io.millrace.spi.Lease;
import io.millrace.spi.LocalBackend;
import io.millrace.spi.WorkerProtocol;
import io.millrace.spi.WorkerProtocol.Report;
import io.millrace.spi.WorkerProtocol.Wanted;
import io.millrace.spi.WorkerStanding;
import io.millrace.wire.ClaimForm;
import io.millrace.wire.OutcomeForm;
import io.millrace.wire.OutcomeForm.Outcome;
import io.millrace.wire.Problem.FieldError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

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
        Parameters parameters = exchange.parameters("claim", "timeFrom", "order");
        int claim = parameters.number("claim", 1, Limits.CLAIM, 0);
        TimeFrom timeFrom = parameters.value("timeFrom", ClaimForm::timeFrom, TimeFrom.CLAIM);
        ClaimOrder order = parameters.value("order", ClaimForm::order, ClaimOrder.SHARE);
        parameters.check();
        UUID worker = exchange.id();
        exchange.body(bytes -> {
            List<Outcome> outcomes = OutcomeForm.readRequest(bytes, worker, local.payloadLimit());
            refuseOutputs(outcomes);
            // to find a task that another node gave out takes a look into the store
            local.executor().execute(() -> {
                try {
                    report(exchange, worker, outcomes, new Wanted(Set.of(), claim, Duration.ZERO, timeFrom, order));
                } catch (RuntimeException e) {
                    exchange.onLoop(() -> exchange.fail(e));
                }
            });
        });
    }

    private static void refuseOutputs(List<Outcome> outcomes) {
        List<FieldError> errors = new ArrayList<>(0);
        for (int i = 0; i < outcomes.size(); i++) {
            if (!outcomes.get(i).outputs().isEmpty()) {
                errors.add(FieldError.field("/outcomes/" + i + "/outputs", "the task is not a step of a pipeline"));
            }
        }
        if (!errors.isEmpty()) {
            throw Problems.badFields(errors);
        }
    }

    /** @param claim claims nothing if its most is zero */
    private void report(Exchange exchange, UUID worker, List<Outcome> outcomes, Wanted claim) {
        service.workerAccess().check(worker, exchange.caller());
        List<Lease> leases = service.leases()
                .open(
                        exchange.caller(),
                        outcomes.stream()
                                .map(outcome -> outcome.report().lease())
                                .toList());
        List<CompletableFuture<CompletionResult>> reported = new ArrayList<>(outcomes.size());
        for (int i = 0; i < outcomes.size(); i++) {
            Report sealed = outcomes.get(i).report();
            reported.add(protocol.report(worker, new Report(leases.get(i), sealed.ending(), sealed.ran()))
                    .exceptionally(OutcomeApi::refused));
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(reported.toArray(new CompletableFuture<?>[0]));
        exchange.chargeUntil(all);
        var unused = all.whenComplete((any, error) -> {
            if (error != null) {
                exchange.onLoop(() -> exchange.fail(error));
                return;
            }
            List<CompletionResult> results =
                    reported.stream().map(CompletableFuture::join).toList();
            local.executor().execute(() -> reported(exchange, worker, outcomes, results, claim));
        });
    }

    /** What has no room does not hide the answers to the other reports. */
    private static CompletionResult refused(Throwable error) {
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        if (cause instanceof StoreFullException) {
            return CompletionResult.STORE_FULL;
        }
        throw new CompletionException(cause);
    }

    private void reported(
            Exchange exchange, UUID worker, List<Outcome> outcomes, List<CompletionResult> results, Wanted claim) {
        try {
            if (results.stream().noneMatch(result -> result.status() == Status.APPLIED)) {
                checkKnown(worker);
            }
            if (claim.max() == 0) {
                exchange.onLoop(() ->
                        exchange.json(200, OutcomeForm.writeAnswer(outcomes, new OutcomeForm.Answer(results, null))));
            } else {
                new LongPoll(exchange, service, worker)
                        .start(
                                new Wanted(
                                        topicsOf(exchange, worker),
                                        claim.max(),
                                        claim.patience(),
                                        claim.timeFrom(),
                                        claim.order()),
                                given -> OutcomeForm.writeAnswer(
                                        outcomes,
                                        new OutcomeForm.Answer(
                                                results, service.leases().seal(given))));
            }
        } catch (RuntimeException e) {
            exchange.onLoop(() -> exchange.fail(e));
        }
    }

    private Set<String> topicsOf(Exchange exchange, UUID worker) {
        return exchange.caller().isLimited() ? service.workerAccess().registered(worker, exchange.caller()) : Set.of();
    }

    /**
     * A report that counted shows that its worker is known. One that expired has lost its leases, and the results say
     * so; any other call tells it to register again.
     */
    private void checkKnown(UUID worker) {
        if (protocol.ping(worker, null, Set.of(), List.of()).worker() == WorkerStanding.UNKNOWN) {
            throw Problems.unknownWorker(worker.toString());
        }
    }
}
