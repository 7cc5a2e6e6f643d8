package io.millrace.testkit.mutants;

import io.millrace.spi.ClaimResult;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.CompletionResult.Status;
import io.millrace.spi.Lease;
import io.millrace.spi.OverdueLease;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry.Introduction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Stores that apply reports they should not, or answer them wrongly. */
final class FenceMutants {
    private FenceMutants() {}

    /** Knows the lease in force for each task. */
    private abstract static class LeaseKeeper extends RewritingStore {
        final Map<UUID, Lease> inForce = new ConcurrentHashMap<>();

        LeaseKeeper(TaskStore store) {
            super(store);
        }

        @Override
        ClaimResult rewrite(ClaimResult result) {
            result.tasks().forEach(leased -> inForce.put(leased.task().id(), leased.lease()));
            return result;
        }

        @Override
        OverdueLease rewrite(OverdueLease overdue) {
            inForce.put(overdue.leased().task().id(), overdue.leased().lease());
            return overdue;
        }

        @Override
        Completion rewrite(Completion completion) {
            Lease current = inForce.get(completion.lease().task());
            return current != null && isTakenFor(current, completion.lease()) ? with(completion, current) : completion;
        }

        abstract boolean isTakenFor(Lease current, Lease given);
    }

    static final class IgnoresTheToken extends LeaseKeeper {
        IgnoresTheToken(TaskStore store) {
            super(store);
        }

        @Override
        boolean isTakenFor(Lease current, Lease given) {
            return current.attempt() == given.attempt() && current.worker().equals(given.worker());
        }
    }

    static final class IgnoresTheWorker extends LeaseKeeper {
        IgnoresTheWorker(TaskStore store) {
            super(store);
        }

        @Override
        boolean isTakenFor(Lease current, Lease given) {
            return current.attempt() == given.attempt() && current.token().equals(given.token());
        }
    }

    static final class IgnoresTheAttempt extends LeaseKeeper {
        IgnoresTheAttempt(TaskStore store) {
            super(store);
        }

        @Override
        boolean isTakenFor(Lease current, Lease given) {
            return current.attempt() != given.attempt() && current.worker().equals(given.worker());
        }
    }

    static final class IgnoresTheReaper extends LeaseKeeper {
        IgnoresTheReaper(TaskStore store) {
            super(store);
        }

        @Override
        boolean isTakenFor(Lease current, Lease given) {
            return current.attempt() == given.attempt() && !current.worker().equals(given.worker());
        }
    }

    /** Asks for the lease back in the name of a worker that is dead. */
    static final class LetsTheDeadReport extends RewritingStore {
        LetsTheDeadReport(TaskStore store) {
            super(store);
        }

        @Override
        CompletionResult completeOne(Completion completion) {
            CompletionResult result = super.completeOne(completion);
            if (result.status() != Status.LEASE_LOST) {
                return result;
            }
            UUID medium = store.workers().register(Introduction.ANONYMOUS, Duration.ofDays(1));
            return store.claimExpired(medium, 1_000).stream()
                    .map(overdue -> overdue.leased().lease())
                    .filter(lease -> lease.task().equals(completion.lease().task()))
                    .findFirst()
                    .map(lease -> super.completeOne(with(completion, lease)))
                    .orElse(result);
        }
    }

    /** Answers with one status where it should answer with another. */
    static final class Confuses extends RewritingStore {
        private final Status right;
        private final Status wrong;

        Confuses(Status right, Status wrong, TaskStore store) {
            super(store);
            this.right = right;
            this.wrong = wrong;
        }

        @Override
        CompletionResult completeOne(Completion completion) {
            CompletionResult result = super.completeOne(completion);
            return result.status() == right ? new CompletionResult(wrong, result.state(), result.released()) : result;
        }
    }

    static final class GivesUpAtTheFirstStaleReport extends ForwardingStore {
        GivesUpAtTheFirstStaleReport(TaskStore store) {
            super(store);
        }

        @Override
        public List<CompletionResult> complete(List<Completion> completions) {
            List<CompletionResult> results = new ArrayList<>();
            boolean stale = false;
            for (Completion completion : completions) {
                CompletionResult result = stale
                        ? CompletionResult.LEASE_LOST
                        : store.complete(List.of(completion)).get(0);
                stale |= result.status() == Status.LEASE_LOST;
                results.add(result);
            }
            return results;
        }
    }

    /** Knows a report again by task, token and outcome alone. */
    static final class TakesAnotherWorkersReportForARepetition extends RewritingStore {
        private final Map<String, UUID> holders = new ConcurrentHashMap<>();

        TakesAnotherWorkersReportForARepetition(TaskStore store) {
            super(store);
        }

        @Override
        CompletionResult completeOne(Completion completion) {
            Lease given = completion.lease();
            CompletionResult result = super.completeOne(completion);
            if (result.status() == CompletionResult.Status.APPLIED) {
                holders.put(given.token(), given.worker());
            }
            UUID holder = holders.get(given.token());
            return result.status() == CompletionResult.Status.LEASE_LOST && holder != null
                    ? super.completeOne(
                            with(completion, new Lease(given.task(), given.attempt(), holder, given.token())))
                    : result;
        }
    }
}
