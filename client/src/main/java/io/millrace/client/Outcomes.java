package io.millrace.client;

import io.millrace.InvalidValueException;
import io.millrace.Limits;
import io.millrace.StoreFullException;
import io.millrace.StoreUnavailableException;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.Ending;
import io.millrace.spi.WorkerProtocol.Claim;
import io.millrace.spi.WorkerProtocol.Report;
import io.millrace.spi.WorkerProtocol.Wanted;
import io.millrace.spi.WorkerStanding;
import io.millrace.wire.ClaimForm;
import io.millrace.wire.JsonText;
import io.millrace.wire.OutcomeForm;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reports how attempts of one worker ended: what ends at the same time goes to the server in one request. Where reports
 * wait for their turn anyway, the next request takes the claim for more tasks along.
 */
final class Outcomes {
    private static final double REQUEST_BYTES = 4 << 20;
    private static final Claim NOTHING = new Claim(WorkerStanding.ALIVE, List.of());

    private final Transport transport;
    private final UUID worker;
    private final Gathering<Report, CompletionResult> gathering = new Gathering<>(Outcomes::share, this::send);
    private final AtomicReference<@Nullable ClaimAlong> along = new AtomicReference<>();

    /** A claim that goes along with the next reports. */
    private record ClaimAlong(Wanted wanted, CompletableFuture<Claim> answer) {}

    Outcomes(Transport transport, UUID worker) {
        this.transport = transport;
        this.worker = worker;
    }

    /**
     * Claims with the next reports, if some wait to be sent, from the topics that the worker registered with. No tasks
     * in the answer means that there was no such request, or that it brought none.
     */
    CompletableFuture<Claim> claimAlong(Wanted wanted) {
        ClaimAlong asked = new ClaimAlong(wanted, new CompletableFuture<>());
        // in this order: whoever takes the reports that wait now will find the claim
        if (!along.compareAndSet(null, asked) || (!gathering.hasWaiting() && along.compareAndSet(asked, null))) {
            return CompletableFuture.completedFuture(NOTHING);
        }
        return asked.answer;
    }

    private static double share(Report report) {
        Ending ending = report.ending();
        String error = ending.error();
        int bytes = error == null ? 0 : error.length();
        if (ending instanceof Ending.Succeeded succeeded && succeeded.result() != null) {
            bytes += succeeded.result().size();
        }
        return Math.max(1.0 / Limits.BATCH, bytes / REQUEST_BYTES);
    }

    CompletableFuture<CompletionResult> report(Report report) {
        try {
            check(report.ending());
            return gathering.submit(report).thenApply(Outcomes::orFull);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static CompletionResult orFull(CompletionResult result) {
        if (result.status() == CompletionResult.Status.STORE_FULL) {
            throw new StoreFullException("the server has no room for the result");
        }
        return result;
    }

    private static void check(Ending ending) {
        if (ending instanceof Ending.Succeeded succeeded) {
            if (!succeeded.spawned().isEmpty() || !succeeded.arrivals().isEmpty()) {
                throw new InvalidValueException(
                        "spawn",
                        succeeded.spawned().size() + succeeded.arrivals().size(),
                        "only handlers next to the store can spawn tasks or arrive at them; enqueue instead");
            }
            if (succeeded.result() != null) {
                JsonText.check("result", succeeded.result());
            }
        }
    }

    private CompletableFuture<List<CompletionResult>> send(List<Report> reports) {
        byte[] body = OutcomeForm.writeRequest(reports);
        ClaimAlong claim = along.getAndSet(null);
        String path = RemoteProtocol.path(worker) + "/outcomes"
                + (claim == null ? "" : "?" + ClaimForm.parameters(claim.wanted));
        return transport
                .send(Call.post(path, body).once())
                .thenApply(answer -> read(answer, reports.size()))
                .whenComplete((answer, error) -> {
                    if (claim != null) {
                        Claim given = answer == null ? null : answer.claim();
                        claim.answer.complete(given == null ? NOTHING : given);
                    }
                })
                .thenApply(OutcomeForm.Answer::results);
    }

    private OutcomeForm.Answer read(Answer answer, int reports) {
        if (RemoteProtocol.isGone(answer)) {
            return new OutcomeForm.Answer(Collections.nCopies(reports, CompletionResult.LEASE_LOST), null);
        }
        if (answer.isGood()) {
            return OutcomeForm.readAnswer(answer.body(), worker);
        }
        RuntimeException trouble = Trouble.of(answer);
        // whatever else is wrong with server or key may be mended, and the outcome must not be lost until then
        throw trouble instanceof InvalidValueException
                ? trouble
                : new StoreUnavailableException(String.valueOf(trouble.getMessage()), trouble);
    }
}
