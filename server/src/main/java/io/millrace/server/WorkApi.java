package io.millrace.server;

import io.millrace.Limits;
import io.millrace.Worker;
import io.millrace.server.Access.Caller;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.Lease;
import io.millrace.spi.LocalBackend;
import io.millrace.spi.Renewal;
import io.millrace.spi.WorkerProtocol;
import io.millrace.spi.WorkerProtocol.Wanted;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.spi.WorkerStanding;
import io.millrace.wire.ClaimForm;
import io.millrace.wire.PingForm;
import io.millrace.wire.ProgressForm;
import io.millrace.wire.RegistrationForm;
import io.millrace.wire.WorkerForm;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** What external workers say, but for outcomes. */
final class WorkApi {
    /** What a worker is told that is not there, or is somebody else's. */
    private static final Renewal UNKNOWN = new Renewal(WorkerStanding.UNKNOWN, Set.of(), Set.of(), List.of());

    private final Service service;
    private final LocalBackend local;
    private final WorkerProtocol protocol;
    private final WorkerAccess access;

    WorkApi(Service service) {
        this.service = service;
        local = service.local();
        access = service.workerAccess();
        protocol = local.protocol();
    }

    void register(Exchange exchange) {
        exchange.parameters();
        exchange.body(bytes -> {
            Introduction given = RegistrationForm.readRequest(bytes);
            Set<String> topics = open(exchange.caller(), given.topics());
            Caller caller = exchange.caller();
            Introduction introduction = new Introduction(given.name(), given.host(), topics, caller.name(), false);
            call(
                    exchange,
                    () -> protocol.register(introduction, WorkerProtocol.LeaseListener.NONE),
                    registration -> exchange.json(201, RegistrationForm.writeAnswer(registration)));
        });
    }

    /** The topics a caller may work on: those it names, or all that are open to it. */
    private static Set<String> open(Caller caller, Set<String> named) {
        if (named.isEmpty() || named.contains(Limits.ALL_TOPICS)) {
            return caller.topics();
        }
        named.forEach(caller::checkTopic);
        return named;
    }

    /** Makes a short call of the store: at once where it never waits, otherwise on a thread that may. */
    private <T> void call(Exchange exchange, Callable<T> call, Consumer<T> then) {
        local.executor().execute(() -> {
            try {
                T result = call.call();
                exchange.onLoop(() -> then.accept(result));
            } catch (Exception e) {
                exchange.onLoop(() -> exchange.fail(e));
            }
        });
    }

    void ping(Exchange exchange) {
        exchange.parameters();
        UUID worker = exchange.id();
        exchange.body(bytes -> {
            PingForm.Request ping = PingForm.readRequest(bytes);
            call(
                    exchange,
                    () -> access.isOpen(worker, exchange.caller())
                            ? protocol.ping(worker, ping.holding(), ping.started(), List.of())
                            : UNKNOWN,
                    renewal -> exchange.json(200, PingForm.writeAnswer(renewal)));
        });
    }

    void progress(Exchange exchange) {
        exchange.parameters();
        UUID worker = exchange.id();
        exchange.body(bytes -> {
            List<Heartbeat.Report> sealed = ProgressForm.readRequest(bytes, worker);
            call(
                    exchange,
                    () -> {
                        access.check(worker, exchange.caller());
                        return protocol.ping(worker, null, Set.of(), opened(exchange.caller(), sealed));
                    },
                    renewal -> {
                        checkStanding(worker, renewal.worker());
                        exchange.json(200, ProgressForm.writeAnswer(sealed, renewal));
                    });
        });
    }

    private List<Heartbeat.Report> opened(Caller caller, List<Heartbeat.Report> sealed) {
        List<Lease> leases = service.leases()
                .open(caller, sealed.stream().map(Heartbeat.Report::lease).toList());
        List<Heartbeat.Report> reports = new ArrayList<>(sealed.size());
        for (int i = 0; i < sealed.size(); i++) {
            Heartbeat.Report report = sealed.get(i);
            reports.add(new Heartbeat.Report(leases.get(i), report.percent(), report.message(), report.extend()));
        }
        return reports;
    }

    void leave(Exchange exchange) {
        exchange.parameters();
        UUID worker = exchange.id();
        call(
                exchange,
                () -> {
                    access.check(worker, exchange.caller());
                    Renewal renewal = protocol.ping(worker, null, Set.of(), List.of());
                    checkStanding(worker, renewal.worker());
                    protocol.leave(worker);
                    return true;
                },
                left -> exchange.noContent());
    }

    void list(Exchange exchange) {
        exchange.parameters();
        Caller caller = exchange.caller();
        exchange.reading(
                () -> {
                    List<Worker> workers = service.millrace().workers().list().stream()
                            .filter(worker -> !caller.isLimited()
                                    || worker.topics().stream().anyMatch(caller::mayUse))
                            .map(worker -> WorkerAccess.shown(worker, caller))
                            .toList();
                    return WorkerForm.writeList(workers);
                },
                body -> exchange.json(200, body));
    }

    /** The clean kill switch: it is told with its next ping or claim. */
    void stop(Exchange exchange) {
        exchange.parameters();
        UUID worker = exchange.id();
        exchange.noBody(() -> exchange.blocking(
                () -> {
                    access.check(worker, exchange.caller());
                    if (!service.millrace().workers().stop(worker)) {
                        boolean known = local.worker(worker) != null;
                        checkStanding(worker, known ? WorkerStanding.EXPIRED : WorkerStanding.UNKNOWN);
                    }
                    return true;
                },
                asked -> exchange.noContent()));
    }

    void claim(Exchange exchange) {
        exchange.parameters();
        UUID worker = exchange.id();
        exchange.body(bytes -> {
            Wanted wanted = ClaimForm.readRequest(bytes);
            Caller caller = exchange.caller();
            boolean wantsAll = wanted.topics().contains(Limits.ALL_TOPICS);
            if (!wantsAll) {
                wanted.topics().forEach(caller::checkTopic);
            }
            LongPoll poll = new LongPoll(exchange, service, worker);
            local.executor().execute(() -> {
                try {
                    access.check(worker, caller);
                    Collection<String> topics = wanted.topics();
                    if (caller.isLimited() && (wantsAll || topics.isEmpty())) {
                        topics = wantsAll ? caller.topics() : access.registered(worker, caller);
                    }
                    Wanted open =
                            new Wanted(topics, wanted.max(), wanted.patience(), wanted.timeFrom(), wanted.order());
                    poll.start(open, claim -> {
                        checkStanding(worker, claim.worker());
                        return ClaimForm.writeAnswer(service.leases().seal(claim));
                    });
                } catch (RuntimeException e) {
                    exchange.onLoop(() -> exchange.fail(e));
                }
            });
        });
    }

    static void checkStanding(UUID worker, WorkerStanding standing) {
        if (standing == WorkerStanding.UNKNOWN) {
            throw Problems.unknownWorker(worker.toString());
        }
        if (standing == WorkerStanding.EXPIRED) {
            throw Problems.expiredWorker(worker.toString());
        }
    }
}
