package io.millrace.testkit.mutants;

import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.Heartbeat;
import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.OverdueLease;
import io.millrace.spi.OverdueLease.Reason;
import io.millrace.spi.Renewal;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry;
import io.millrace.spi.WorkerRegistry.Introduction;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Stores that lose sight of workers and of what they hold. */
final class LeaseMutants {
    private LeaseMutants() {}

    static final class NeverTakesALeaseAway extends ForwardingStore {
        NeverTakesALeaseAway(TaskStore store) {
            super(store);
        }

        @Override
        public List<OverdueLease> claimExpired(UUID reaper, int limit) {
            return List.of();
        }
    }

    static final class TakesAwayMoreThanAskedFor extends ForwardingStore {
        TakesAwayMoreThanAskedFor(TaskStore store) {
            super(store);
        }

        @Override
        public List<OverdueLease> claimExpired(UUID reaper, int limit) {
            return store.claimExpired(reaper, 10 * limit);
        }
    }

    static final class TakesLossesForOverruns extends RewritingStore {
        TakesLossesForOverruns(TaskStore store) {
            super(store);
        }

        @Override
        OverdueLease rewrite(OverdueLease overdue) {
            boolean lost = overdue.reason() == Reason.WORKER_LOST;
            return new OverdueLease(overdue.leased(), lost ? Reason.TIME_EXCEEDED : overdue.reason());
        }
    }

    static final class ShowsTheReaperAsTheHolder extends RewritingStore {
        ShowsTheReaperAsTheHolder(TaskStore store) {
            super(store);
        }

        @Override
        OverdueLease rewrite(OverdueLease overdue) {
            Lease lease = overdue.leased().lease();
            LeasedTask shown = new LeasedTask(
                    Shown.heldBy(lease.worker(), overdue.leased().task()),
                    lease,
                    overdue.leased().timeToRun());
            return new OverdueLease(shown, overdue.reason());
        }
    }

    /** Gets heartbeats wrong. */
    private abstract static class MishearsHeartbeats extends ForwardingStore {
        MishearsHeartbeats(TaskStore store) {
            super(store);
        }

        abstract Renewal renew(Heartbeat heartbeat);

        @Override
        public WorkerRegistry workers() {
            return new ForwardingWorkers(store.workers()) {
                @Override
                public Renewal renew(Heartbeat heartbeat) {
                    return MishearsHeartbeats.this.renew(heartbeat);
                }
            };
        }
    }

    static final class HasNoGrace extends MishearsHeartbeats {
        HasNoGrace(TaskStore store) {
            super(store);
        }

        @Override
        Renewal renew(Heartbeat given) {
            // below zero, as time stands still in most tests
            Duration none = Duration.ofMillis(-1);
            return store.workers()
                    .renew(new Heartbeat(given.worker(), given.holding(), none, given.started(), given.reports()));
        }
    }

    static final class DoesNotListenToWhatIsHeld extends MishearsHeartbeats {
        DoesNotListenToWhatIsHeld(TaskStore store) {
            super(store);
        }

        @Override
        Renewal renew(Heartbeat given) {
            return store.workers()
                    .renew(new Heartbeat(given.worker(), null, given.grace(), given.started(), given.reports()));
        }
    }

    static final class IgnoresExtensions extends MishearsHeartbeats {
        IgnoresExtensions(TaskStore store) {
            super(store);
        }

        @Override
        Renewal renew(Heartbeat given) {
            List<Heartbeat.Report> reports = given.reports().stream()
                    .map(report -> new Heartbeat.Report(report.lease(), report.percent(), report.message(), null))
                    .toList();
            return store.workers()
                    .renew(new Heartbeat(given.worker(), given.holding(), given.grace(), given.started(), reports));
        }
    }

    static final class IgnoresProgress extends MishearsHeartbeats {
        IgnoresProgress(TaskStore store) {
            super(store);
        }

        @Override
        Renewal renew(Heartbeat given) {
            List<Heartbeat.Report> reports = given.reports().stream()
                    .map(report -> new Heartbeat.Report(report.lease(), null, null, report.extend()))
                    .toList();
            return store.workers()
                    .renew(new Heartbeat(given.worker(), given.holding(), given.grace(), given.started(), reports));
        }
    }

    static final class DoesNotHearWhatWasStarted extends MishearsHeartbeats {
        DoesNotHearWhatWasStarted(TaskStore store) {
            super(store);
        }

        @Override
        Renewal renew(Heartbeat given) {
            return store.workers()
                    .renew(new Heartbeat(given.worker(), given.holding(), given.grace(), given.reports()));
        }
    }

    /** Takes what was never started for an attempt. */
    static final class TakesEveryLeaseForAnAttempt extends RewritingStore {
        TakesEveryLeaseForAnAttempt(TaskStore store) {
            super(store);
        }

        @Override
        OverdueLease rewrite(OverdueLease overdue) {
            boolean unstarted = overdue.reason() == Reason.NOT_STARTED;
            return new OverdueLease(overdue.leased(), unstarted ? Reason.GIVEN_UP : overdue.reason());
        }
    }

    static final class DoesNotTellWhatIsToStop extends MishearsHeartbeats {
        DoesNotTellWhatIsToStop(TaskStore store) {
            super(store);
        }

        @Override
        Renewal renew(Heartbeat heartbeat) {
            Renewal renewal = store.workers().renew(heartbeat);
            return new Renewal(renewal.worker(), renewal.lost(), Set.of(), renewal.applied());
        }
    }

    /** Takes the last lease it gave for the one meant. */
    static final class KeepsStaleProgress extends MishearsHeartbeats {
        private volatile Lease last;

        KeepsStaleProgress(TaskStore store) {
            super(store);
        }

        @Override
        public List<ClaimResult> claim(List<ClaimRequest> requests) {
            List<ClaimResult> results = store.claim(requests);
            results.forEach(result -> result.tasks().forEach(leased -> last = leased.lease()));
            return results;
        }

        @Override
        Renewal renew(Heartbeat given) {
            List<Heartbeat.Report> reports = given.reports().stream()
                    .map(report -> new Heartbeat.Report(
                            last.task().equals(report.lease().task()) ? last : report.lease(),
                            report.percent(),
                            report.message(),
                            report.extend()))
                    .toList();
            return store.workers()
                    .renew(new Heartbeat(given.worker(), given.holding(), given.grace(), given.started(), reports));
        }
    }

    /** Gets wrong who registers. */
    private abstract static class MishearsIntroductions extends ForwardingStore {
        MishearsIntroductions(TaskStore store) {
            super(store);
        }

        abstract Introduction heard(Introduction given);

        @Override
        public WorkerRegistry workers() {
            return new ForwardingWorkers(store.workers()) {
                @Override
                public UUID register(Introduction introduction, Duration expiresAfter) {
                    return workers.register(heard(introduction), expiresAfter);
                }
            };
        }
    }

    static final class ForgetsWhoseAWorkerIs extends MishearsIntroductions {
        ForgetsWhoseAWorkerIs(TaskStore store) {
            super(store);
        }

        @Override
        Introduction heard(Introduction given) {
            return new Introduction(given.name(), given.host(), given.topics(), "", given.inProcess());
        }
    }

    /** Workers of the process itself always have room. */
    static final class HasRoomForAnyNumberOfWorkers extends MishearsIntroductions {
        HasRoomForAnyNumberOfWorkers(TaskStore store) {
            super(store);
        }

        @Override
        Introduction heard(Introduction given) {
            return new Introduction(given.name(), given.host(), given.topics(), given.owner(), true);
        }
    }

    static final class DoesNotStopWorkers extends ForwardingStore {
        DoesNotStopWorkers(TaskStore store) {
            super(store);
        }

        @Override
        public WorkerRegistry workers() {
            return new ForwardingWorkers(store.workers()) {
                @Override
                public boolean requestStop(UUID worker) {
                    return true;
                }
            };
        }
    }

    static final class KeepsTheLeasesOfThoseThatLeft extends ForwardingStore {
        KeepsTheLeasesOfThoseThatLeft(TaskStore store) {
            super(store);
        }

        @Override
        public WorkerRegistry workers() {
            return new ForwardingWorkers(store.workers()) {
                @Override
                public boolean leave(UUID worker) {
                    return true;
                }
            };
        }
    }
}
