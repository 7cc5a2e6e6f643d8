package io.millrace.client;

import io.millrace.InvalidValueException;
import io.millrace.Limits;
import io.millrace.StoreUnavailableException;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.Ending;
import io.millrace.spi.WorkerProtocol.Report;
import io.millrace.wire.JsonText;
import io.millrace.wire.OutcomeForm;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Reports how attempts ended: what ends at the same time goes to the server in one request. */
final class Outcomes {
    private static final double REQUEST_BYTES = 4 << 20;

    private final Transport transport;
    /** By worker; a process has one at a time, and two while it changes. */
    private final Map<UUID, Gathering<Report, CompletionResult>> gatherings = new ConcurrentHashMap<>();

    Outcomes(Transport transport) {
        this.transport = transport;
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

    CompletableFuture<CompletionResult> report(UUID worker, Report report) {
        try {
            check(report.ending());
            return gatherings
                    .computeIfAbsent(worker, any -> new Gathering<>(Outcomes::share, reports -> send(worker, reports)))
                    .submit(report);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
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

    private CompletableFuture<List<CompletionResult>> send(UUID worker, List<Report> reports) {
        byte[] body = OutcomeForm.writeRequest(reports);
        Call call = Call.post(RemoteProtocol.path(worker) + "/outcomes", body).once();
        return transport.send(call).thenApply(answer -> results(worker, answer, reports.size()));
    }

    /** Another worker begins; what is under way for others goes on. */
    void begin() {
        gatherings.clear();
    }

    private static List<CompletionResult> results(UUID worker, Answer answer, int reports) {
        if (RemoteProtocol.isGone(answer)) {
            return Collections.nCopies(reports, CompletionResult.LEASE_LOST);
        }
        if (answer.isGood()) {
            return OutcomeForm.readAnswer(answer.body(), worker).results();
        }
        RuntimeException trouble = Trouble.of(answer);
        // whatever else is wrong with server or key may be mended, and the outcome must not be lost until then
        throw trouble instanceof InvalidValueException
                ? trouble
                : new StoreUnavailableException(String.valueOf(trouble.getMessage()), trouble);
    }
}
