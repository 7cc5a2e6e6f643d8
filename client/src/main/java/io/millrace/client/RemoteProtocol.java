package io.millrace.client;

import io.millrace.spi.CompletionResult;
import io.millrace.spi.Ending;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Renewal;
import io.millrace.spi.WorkerProtocol;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.spi.WorkerStanding;
import io.millrace.wire.ClaimForm;
import io.millrace.wire.PingForm;
import io.millrace.wire.ProgressForm;
import io.millrace.wire.RegistrationForm;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * How a worker in this process talks to a server. What it says again by itself (pings, claims, reports) is sent once
 * each: the session on top knows best when, and what has changed meanwhile.
 *
 * <p>The server tells of lost and cancelled tasks when it is pinged, so the listener has nothing to hear.
 */
final class RemoteProtocol implements WorkerProtocol {
    private final Transport transport;
    /** By worker; a process has one at a time, and two while it changes. */
    private final Map<UUID, Outcomes> outcomes = new ConcurrentHashMap<>();

    private volatile @Nullable Registered registered;

    /** The last registration; a claim that goes along with reports is one for its topics. */
    private record Registered(UUID worker, Set<String> topics) {}

    RemoteProtocol(Transport transport) {
        this.transport = transport;
    }

    static String path(UUID worker) {
        return "/v1/workers/" + worker;
    }

    /** The server does not know the worker any more. */
    static boolean isGone(Answer answer) {
        return standing(answer) != WorkerStanding.ALIVE;
    }

    static WorkerStanding standing(Answer answer) {
        return switch (answer.status()) {
            case 404 -> Trouble.kind(answer).equals("unknown-worker") ? WorkerStanding.UNKNOWN : WorkerStanding.ALIVE;
            case 410 -> WorkerStanding.EXPIRED;
            default -> WorkerStanding.ALIVE;
        };
    }

    /** The first time it is worth waiting for a server that is not there yet; later the heartbeat comes again. */
    @Override
    public Registration register(Introduction introduction, LeaseListener listener) {
        Call call = Call.post("/v1/workers", RegistrationForm.writeRequest(introduction));
        Answer answer = RemoteTasks.good(transport.call(registered == null ? call : call.once()));
        Registration registration = RegistrationForm.readAnswer(answer.body());
        registered = new Registered(registration.id(), Set.copyOf(introduction.topics()));
        outcomes.clear();
        return registration;
    }

    private Outcomes outcomes(UUID worker) {
        return outcomes.computeIfAbsent(worker, any -> new Outcomes(transport, worker));
    }

    @Override
    public Renewal ping(UUID worker, @Nullable Set<UUID> holding, Set<UUID> started, List<Heartbeat.Report> reports) {
        List<Boolean> applied = List.of();
        if (!reports.isEmpty()) {
            Answer answer = transport.call(progress(worker, reports));
            if (isGone(answer)) {
                return gone(standing(answer), reports.size());
            }
            applied = ProgressForm.readAnswer(RemoteTasks.good(answer).body());
            if (holding == null && started.isEmpty()) {
                return new Renewal(WorkerStanding.ALIVE, Set.of(), Set.of(), applied);
            }
        }
        Call call = Call.post(path(worker) + "/ping", PingForm.writeRequest(new PingForm.Request(holding, started)));
        Renewal renewal = PingForm.readAnswer(
                RemoteTasks.good(transport.call(call.once())).body());
        return new Renewal(renewal.worker(), renewal.lost(), renewal.cancel(), applied);
    }

    /** A handler waits for more time and fails without it, so that is asked for again; the rest is told later anyway. */
    private static Call progress(UUID worker, List<Heartbeat.Report> reports) {
        Call call = Call.post(path(worker) + "/progress", ProgressForm.writeRequest(reports));
        return reports.stream().anyMatch(report -> report.extend() != null) ? call : call.once();
    }

    private static Renewal gone(WorkerStanding standing, int reports) {
        return new Renewal(standing, Set.of(), Set.of(), Collections.nCopies(reports, false));
    }

    /** The server does the looking, so the executor has nothing to do. */
    @Override
    public CompletableFuture<Claim> claim(UUID worker, Wanted wanted, Executor executor) {
        CompletableFuture<Claim> claim = new CompletableFuture<>();
        if (wanted.patience().isZero() || !new Registered(worker, Set.copyOf(wanted.topics())).equals(registered)) {
            ask(worker, wanted, claim);
            return claim;
        }
        var unused = outcomes(worker).claimAlong(wanted).thenAccept(given -> {
            if (given.worker() == WorkerStanding.ALIVE && given.tasks().isEmpty()) {
                ask(worker, wanted, claim);
            } else {
                give(worker, given, claim);
            }
        });
        return claim;
    }

    private void ask(UUID worker, Wanted wanted, CompletableFuture<Claim> claim) {
        if (claim.isDone()) {
            return;
        }
        Call call = Call.post(path(worker) + "/claim", ClaimForm.writeRequest(wanted));
        CompletableFuture<Answer> asked = transport.send(call.once().held(wanted.patience()));
        giveUpAlong(asked, claim);
        var unused = asked.whenComplete((answer, error) -> {
            try {
                claimed(worker, claim, answer, error);
            } catch (RuntimeException e) {
                claim.completeExceptionally(e);
            }
        });
    }

    private static void giveUpAlong(CompletableFuture<Answer> asked, CompletableFuture<Claim> claim) {
        var unused = claim.whenComplete((any, error) -> {
            if (claim.isCancelled()) {
                asked.cancel(true);
            }
        });
    }

    private void claimed(
            UUID worker, CompletableFuture<Claim> claim, @Nullable Answer answer, @Nullable Throwable error) {
        if (answer == null) {
            claim.completeExceptionally(Trouble.cause(error));
            return;
        }
        WorkerStanding standing = standing(answer);
        Claim given = standing == WorkerStanding.ALIVE
                ? ClaimForm.readAnswer(RemoteTasks.good(answer).body(), worker)
                : new Claim(standing, List.of());
        give(worker, given, claim);
    }

    private void give(UUID worker, Claim given, CompletableFuture<Claim> claim) {
        if (!claim.complete(given)) {
            // nobody waits any more: the tasks need not wait until a ping tells that nobody holds them
            given.tasks().forEach(task -> handBack(worker, task));
        }
    }

    private void handBack(UUID worker, LeasedTask task) {
        var unused = report(worker, new Report(task.lease(), Ending.Released.NOT_STARTED));
    }

    @Override
    public CompletableFuture<CompletionResult> report(UUID worker, Report report) {
        return outcomes(worker).report(report);
    }

    @Override
    public void leave(UUID worker) {
        Answer answer = transport.call(Call.delete(path(worker)).once());
        if (!isGone(answer)) {
            var unused = RemoteTasks.good(answer);
        }
    }
}
