package io.millrace.testkit.mutants;

import io.millrace.ClaimOrder;
import io.millrace.TopicPolicy;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.FromTopic;
import io.millrace.spi.ClaimRequest.TimeFrom;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.Lease;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry.Introduction;
import io.millrace.spi.WorkerStanding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** Stores that hand out wrongly. */
final class ClaimMutants {
    private ClaimMutants() {}

    static final class HandsOutATaskTwice extends RewritingStore {
        private final AtomicReference<LeasedTask> last = new AtomicReference<>();

        HandsOutATaskTwice(TaskStore store) {
            super(store);
        }

        @Override
        ClaimResult rewrite(ClaimResult result) {
            if (!result.tasks().isEmpty()) {
                last.set(result.tasks().get(0));
                return result;
            }
            LeasedTask again = last.getAndSet(null);
            return again == null || result.worker() != WorkerStanding.ALIVE
                    ? result
                    : new ClaimResult(result.worker(), List.of(again), result.overdue(), result.nextDue());
        }
    }

    static final class ComesLastInFirstOut extends RewritingStore {
        ComesLastInFirstOut(TaskStore store) {
            super(store);
        }

        @Override
        ClaimResult rewrite(ClaimResult result) {
            List<LeasedTask> reversed = new ArrayList<>(result.tasks());
            Collections.reverse(reversed);
            return new ClaimResult(result.worker(), reversed, result.overdue(), result.nextDue());
        }
    }

    static final class GivesOneTooMany extends RewritingStore {
        GivesOneTooMany(TaskStore store) {
            super(store);
        }

        @Override
        ClaimRequest rewrite(ClaimRequest request) {
            return new ClaimRequest(
                    request.worker(), request.topics(), request.max() + 1, request.timeFrom(), request.order());
        }
    }

    static final class IgnoresTheConcurrency extends RewritingStore {
        IgnoresTheConcurrency(TaskStore store) {
            super(store);
        }

        @Override
        ClaimRequest rewrite(ClaimRequest request) {
            return withPolicies(request, policy -> {
                TopicPolicy.Builder builder = copy(policy);
                if (policy.rate() != null) {
                    builder.rate(policy.rate());
                }
                return builder.build();
            });
        }
    }

    static final class IgnoresTheRate extends RewritingStore {
        IgnoresTheRate(TaskStore store) {
            super(store);
        }

        @Override
        ClaimRequest rewrite(ClaimRequest request) {
            return withPolicies(request, policy -> {
                TopicPolicy.Builder builder = copy(policy);
                if (policy.concurrency() != null) {
                    builder.concurrency(policy.concurrency());
                }
                return builder.build();
            });
        }
    }

    private static TopicPolicy.Builder copy(TopicPolicy policy) {
        return TopicPolicy.builder().timeout(policy.timeout()).retention(policy.retention());
    }

    private static ClaimRequest withPolicies(ClaimRequest request, UnaryOperator<TopicPolicy> change) {
        List<FromTopic> topics = request.topics().stream()
                .map(from -> new FromTopic(from.topic(), from.share(), change.apply(from.policy())))
                .toList();
        return new ClaimRequest(request.worker(), topics, request.max(), request.timeFrom(), request.order());
    }

    static final class IgnoresShares extends RewritingStore {
        IgnoresShares(TaskStore store) {
            super(store);
        }

        @Override
        ClaimRequest rewrite(ClaimRequest request) {
            List<FromTopic> topics = request.topics().stream()
                    .map(from -> new FromTopic(from.topic(), request.max(), from.policy()))
                    .toList();
            return new ClaimRequest(request.worker(), topics, request.max(), request.timeFrom(), request.order());
        }
    }

    static final class StopsAtTheShares extends RewritingStore {
        StopsAtTheShares(TaskStore store) {
            super(store);
        }

        @Override
        ClaimRequest rewrite(ClaimRequest request) {
            int shares = request.topics().stream().mapToInt(FromTopic::share).sum();
            return new ClaimRequest(
                    request.worker(),
                    request.topics(),
                    Math.min(shares, request.max()),
                    request.timeFrom(),
                    request.order());
        }
    }

    static final class DoesNotTellWhenTheNextIsDue extends RewritingStore {
        DoesNotTellWhenTheNextIsDue(TaskStore store) {
            super(store);
        }

        @Override
        ClaimResult rewrite(ClaimResult result) {
            return new ClaimResult(result.worker(), result.tasks(), result.overdue(), null);
        }
    }

    static final class HidesWhatIsOverdue extends RewritingStore {
        HidesWhatIsOverdue(TaskStore store) {
            super(store);
        }

        @Override
        ClaimResult rewrite(ClaimResult result) {
            return new ClaimResult(result.worker(), result.tasks(), List.of(), result.nextDue());
        }
    }

    /** Serves workers of a standing that should get nothing, under another name. */
    static final class ServesAlso extends RewritingStore {
        private final WorkerStanding served;

        ServesAlso(WorkerStanding served, TaskStore store) {
            super(store);
            this.served = served;
        }

        @Override
        ClaimResult claimOne(ClaimRequest request) {
            ClaimResult result = super.claimOne(request);
            if (result.worker() != served) {
                return result;
            }
            UUID revenant = store.workers().register(Introduction.ANONYMOUS, Duration.ofDays(1));
            return super.claimOne(
                    new ClaimRequest(revenant, request.topics(), request.max(), request.timeFrom(), request.order()));
        }
    }

    /** Has one token for all; the attempt and the worker are the only fence. */
    static final class HasOneTokenForAll extends RewritingStore {
        private static final String TOKEN = "token";
        private final Map<List<Object>, Lease> real = new ConcurrentHashMap<>();

        HasOneTokenForAll(TaskStore store) {
            super(store);
        }

        @Override
        ClaimResult rewrite(ClaimResult result) {
            List<LeasedTask> tasks = result.tasks().stream()
                    .map(leased -> new LeasedTask(leased.task(), hide(leased.lease()), leased.timeToRun()))
                    .toList();
            return new ClaimResult(result.worker(), tasks, result.overdue(), result.nextDue());
        }

        private Lease hide(Lease lease) {
            real.put(List.of(lease.task(), lease.attempt(), lease.worker()), lease);
            return new Lease(lease.task(), lease.attempt(), lease.worker(), TOKEN);
        }

        @Override
        CompletionResult completeOne(Completion completion) {
            Lease shown = completion.lease();
            Lease lease = real.get(List.of(shown.task(), shown.attempt(), shown.worker()));
            return super.completeOne(
                    lease != null && shown.token().equals(TOKEN) ? with(completion, lease) : completion);
        }
    }

    static final class CountsFromTheClaim extends RewritingStore {
        CountsFromTheClaim(TaskStore store) {
            super(store);
        }

        @Override
        ClaimRequest rewrite(ClaimRequest request) {
            return new ClaimRequest(request.worker(), request.topics(), request.max(), TimeFrom.CLAIM, request.order());
        }
    }

    static final class IgnoresTheOrder extends RewritingStore {
        IgnoresTheOrder(TaskStore store) {
            super(store);
        }

        @Override
        ClaimRequest rewrite(ClaimRequest request) {
            return new ClaimRequest(
                    request.worker(), request.topics(), request.max(), request.timeFrom(), ClaimOrder.SHARE);
        }
    }
}
