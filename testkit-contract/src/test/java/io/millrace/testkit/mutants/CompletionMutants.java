package io.millrace.testkit.mutants;

import io.millrace.Attempt;
import io.millrace.NewTask;
import io.millrace.Task;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.FromTopic;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.CompletionResult.Status;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.Lease;
import io.millrace.spi.Next;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerRegistry.Introduction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.UnaryOperator;

/** Stores that do not write all that belongs to the end of an attempt. */
final class CompletionMutants {
    private CompletionMutants() {}

    /** Changes the end of a task before it is written. */
    private static class ChangesFinishes extends RewritingStore {
        private final UnaryOperator<Next.Finish> change;

        ChangesFinishes(TaskStore store, UnaryOperator<Next.Finish> change) {
            super(store);
            this.change = change;
        }

        @Override
        Completion rewrite(Completion completion) {
            return completion.next() instanceof Next.Finish finish
                    ? with(completion, change.apply(finish))
                    : completion;
        }
    }

    static final class LosesSpawned extends ChangesFinishes {
        LosesSpawned(TaskStore store) {
            super(store, end -> new Next.Finish(end.state(), end.retention(), end.result(), List.of(), end.arrivals()));
        }
    }

    static final class LosesArrivals extends ChangesFinishes {
        LosesArrivals(TaskStore store) {
            super(store, end -> new Next.Finish(end.state(), end.retention(), end.result(), end.spawned(), List.of()));
        }
    }

    static final class ForgetsHowLongToKeep extends ChangesFinishes {
        ForgetsHowLongToKeep(TaskStore store) {
            super(store, end -> {
                Duration retention = end.retention().isZero() ? Duration.ZERO : Duration.ofDays(10_000);
                return new Next.Finish(end.state(), retention, end.result(), end.spawned(), end.arrivals());
            });
        }
    }

    static final class KeepsWhatIsNotToBeKept extends ChangesFinishes {
        KeepsWhatIsNotToBeKept(TaskStore store) {
            super(store, end -> {
                Duration retention = end.retention().isZero() ? Duration.ofDays(1) : end.retention();
                return new Next.Finish(end.state(), retention, end.result(), end.spawned(), end.arrivals());
            });
        }
    }

    static final class DropsResults extends RewritingStore {
        DropsResults(TaskStore store) {
            super(store);
        }

        @Override
        Task show(Task task) {
            return Shown.withResult(null, task);
        }
    }

    static final class ForgetsAttempts extends RewritingStore {
        ForgetsAttempts(TaskStore store) {
            super(store);
        }

        @Override
        Task show(Task task) {
            return Shown.withoutAttempts(task);
        }
    }

    /** Shows all attempts that it has ever seen. */
    static final class KeepsEveryAttempt extends RewritingStore {
        private final Map<UUID, SortedMap<Integer, Attempt>> seen = new ConcurrentHashMap<>();

        KeepsEveryAttempt(TaskStore store) {
            super(store);
        }

        @Override
        CompletionResult completeOne(Completion completion) {
            CompletionResult result = super.completeOne(completion);
            get(List.of(completion.lease().task()));
            return result;
        }

        @Override
        Task show(Task task) {
            SortedMap<Integer, Attempt> all = seen.computeIfAbsent(task.id(), any -> new ConcurrentSkipListMap<>());
            task.attempts().forEach(attempt -> all.put(attempt.number(), attempt));
            return Shown.withAttempts(List.copyOf(all.values()), task);
        }
    }

    /** Takes no attempt in where others had to go. */
    static final class DropsTheNewestAttempt extends RewritingStore {
        DropsTheNewestAttempt(TaskStore store) {
            super(store);
        }

        @Override
        Task show(Task task) {
            List<Attempt> ended = task.attempts();
            return task.attemptsDropped() == 0 ? task : Shown.withAttempts(ended.subList(0, ended.size() - 1), task);
        }
    }

    /** Counts attempts only, however long their errors are. */
    static final class KeepsLongErrors extends RewritingStore {
        private final KeepsEveryAttempt all;

        KeepsLongErrors(TaskStore store) {
            super(store);
            all = new KeepsEveryAttempt(store);
        }

        @Override
        CompletionResult completeOne(Completion completion) {
            return all.completeOne(completion);
        }

        @Override
        Task show(Task task) {
            List<Attempt> ended = all.show(task).attempts();
            int first = Math.max(0, ended.size() - Task.ATTEMPTS_KEPT);
            return Shown.withAttempts(ended.subList(first, ended.size()), task);
        }
    }

    static final class ForgetsErrors extends RewritingStore {
        ForgetsErrors(TaskStore store) {
            super(store);
        }

        @Override
        Completion rewrite(Completion given) {
            return new Completion(given.lease(), given.outcome(), null, given.next(), given.ifCancelled());
        }
    }

    static final class RunsOnThoughAskedToStop extends RewritingStore {
        RunsOnThoughAskedToStop(TaskStore store) {
            super(store);
        }

        @Override
        Completion rewrite(Completion given) {
            return new Completion(given.lease(), given.outcome(), given.error(), given.next(), given.next());
        }
    }

    static final class RetriesAtOnce extends RewritingStore {
        RetriesAtOnce(TaskStore store) {
            super(store);
        }

        @Override
        Completion rewrite(Completion completion) {
            return completion.next() instanceof Next.Requeue requeue
                    ? with(completion, new Next.Requeue(Duration.ZERO, requeue.reason()))
                    : completion;
        }
    }

    static final class CountsReleasesAsRetries extends RewritingStore {
        CountsReleasesAsRetries(TaskStore store) {
            super(store);
        }

        @Override
        Completion rewrite(Completion completion) {
            return completion.next() instanceof Next.Requeue requeue && requeue.reason() == Next.Reason.RELEASE
                    ? with(completion, new Next.Requeue(requeue.delay(), Next.Reason.RETRY))
                    : completion;
        }
    }

    /** Arrives once more with a task of its own when a report is repeated. */
    static final class ArrivesAgainWhenRepeated extends RewritingStore {
        ArrivesAgainWhenRepeated(TaskStore store) {
            super(store);
        }

        @Override
        CompletionResult completeOne(Completion completion) {
            CompletionResult result = super.completeOne(completion);
            if (result.status() == Status.REPEATED && completion.next() instanceof Next.Finish finish) {
                Next again = new Next.Finish(TaskState.SUCCEEDED, Duration.ZERO, null, List.of(), finish.arrivals());
                store.complete(List.of(with(with(completion, leaseOfAGhost()), again)));
            }
            return result;
        }

        private Lease leaseOfAGhost() {
            UUID worker = store.workers().register(Introduction.ANONYMOUS, Duration.ofDays(1));
            store.enqueue(List.of(EnqueueRequest.of(NewTask.builder("ghost").build())));
            FromTopic ghosts = new FromTopic("ghost", 1, TopicPolicy.DEFAULT);
            ClaimRequest claim = new ClaimRequest(worker, List.of(ghosts), 1);
            return store.claim(List.of(claim)).get(0).tasks().get(0).lease();
        }
    }

    /** Takes every arrival after the last for the last. */
    static final class ReleasesTwice extends RewritingStore {
        private final Set<UUID> released = ConcurrentHashMap.newKeySet();

        ReleasesTwice(TaskStore store) {
            super(store);
        }

        @Override
        CompletionResult completeOne(Completion completion) {
            CompletionResult result = super.completeOne(completion);
            if (result.status() != Status.APPLIED || !(completion.next() instanceof Next.Finish finish)) {
                return result;
            }
            List<UUID> all = new ArrayList<>(result.released());
            finish.arrivals().stream().filter(released::contains).forEach(all::add);
            released.addAll(all);
            return CompletionResult.applied(result.state(), all);
        }
    }

    static final class CountsWhatWasNotStarted extends RewritingStore {
        CountsWhatWasNotStarted(TaskStore store) {
            super(store);
        }

        @Override
        Completion rewrite(Completion given) {
            return new Completion(given.lease(), given.outcome(), given.error(), given.next(), given.ifCancelled());
        }
    }
}
