package io.millrace.internal.engine;

import io.millrace.Event;
import io.millrace.Leak;
import io.millrace.NewTask;
import io.millrace.Outcome;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.internal.lifecycle.DeadLetters;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.FromTopic;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.Ending;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Moves tasks between topics and their dead-letter topics. It claims them like a worker, and ends the attempt with the
 * new task spawned: one atomic step of the store, so that none is lost or doubled by a crash.
 */
final class DeadLetterOffice implements Producer.Overflow {
    private static final int BATCH = 500;

    private final TaskStore store;
    private final Topics topics;
    private final Reporter reporter;
    private final Events events;
    private final Supplier<UUID> self;
    private final Set<UUID> held = ConcurrentHashMap.newKeySet();

    DeadLetterOffice(Node node, Reporter reporter, Supplier<UUID> self) {
        store = node.store();
        topics = node.topics();
        events = node.events();
        this.reporter = reporter;
        this.self = self;
    }

    @Override
    public void leakFront(String topic, int tasks) {
        TopicPolicy policy = topics.policy(topic);
        String deadLetter = policy.deadLetter();
        if (deadLetter == null) {
            return;
        }
        List<CompletableFuture<CompletionResult>> moves = new ArrayList<>();
        for (LeasedTask leased : claim(topic, Math.min(tasks, BATCH))) {
            NewTask task = leased.task().given();
            NewTask letter = DeadLetters.leaked(task, deadLetter);
            moves.add(move(leased, TaskState.FAILED, policy.retentionOf(task, TaskState.FAILED), letter));
            events.tell(() -> new Event.TaskLeaked(task, deadLetter, Leak.FRONT));
        }
        join(moves);
    }

    /**
     * Enqueues the letters anew where they came from: those that are there now. Tasks that are no letters stay, and so do
     * letters whose unique key is taken.
     */
    long redrive(String topic) {
        Instant start = store.now();
        long redriven = 0;
        List<LeasedTask> others = new ArrayList<>();
        boolean more = true;
        while (more) {
            List<CompletableFuture<CompletionResult>> moves = new ArrayList<>();
            for (LeasedTask leased : claim(topic, BATCH)) {
                NewTask task = leased.task().given();
                boolean isLetter = task.origin() != null
                        && !leased.task().moments().created().isAfter(start);
                if (isLetter && canReturn(task)) {
                    moves.add(move(leased, TaskState.SUCCEEDED, Duration.ZERO, DeadLetters.revived(task)));
                } else {
                    others.add(leased);
                }
            }
            redriven += join(moves);
            more = !moves.isEmpty();
        }
        join(others.stream().map(other -> released(other)).toList());
        long total = redriven;
        events.tell(() -> new Event.TopicRedriven(topic, total));
        return total;
    }

    /**
     * A letter with a unique key is enqueued before it is removed: if the key is taken it must stay, and not vanish as a
     * duplicate. Its id is always the same, so that a crash in between makes no second task.
     */
    private boolean canReturn(NewTask letter) {
        NewTask revived = DeadLetters.revived(letter);
        if (revived.uniqueKey() == null) {
            return true;
        }
        EnqueueResult result =
                store.enqueue(List.of(EnqueueRequest.of(revived))).get(0);
        return result instanceof EnqueueResult.Stored stored
                && stored.items().get(0).id().equals(revived.id());
    }

    private List<LeasedTask> claim(String topic, int max) {
        FromTopic all = new FromTopic(topic, max, TopicPolicy.DEFAULT);
        List<LeasedTask> claimed = store.claim(List.of(new ClaimRequest(self.get(), List.of(all), max)))
                .get(0)
                .tasks();
        claimed.forEach(leased -> held.add(leased.task().id()));
        return claimed;
    }

    /** What is on the way now. What the engine holds otherwise is left over from a failure, and is given up. */
    Set<UUID> held() {
        return Set.copyOf(held);
    }

    private CompletableFuture<CompletionResult> released(LeasedTask leased) {
        return reporter.end(leased, new Ending.Released())
                .whenComplete((result, error) -> held.remove(leased.task().id()));
    }

    private CompletableFuture<CompletionResult> move(
            LeasedTask leased, TaskState end, Duration retention, NewTask moved) {
        Next next = new Next.Finish(end, retention, null, List.of(moved), List.of());
        Outcome outcome = end == TaskState.SUCCEEDED ? Outcome.SUCCEEDED : Outcome.FAILED;
        String error = moved.origin() == null ? null : moved.origin().error();
        return reporter.move(leased, new Completion(leased.lease(), outcome, error, next, next))
                .whenComplete((result, failure) -> held.remove(leased.task().id()));
    }

    private static long join(List<CompletableFuture<CompletionResult>> moves) {
        try {
            return moves.stream()
                    .filter(move -> move.join().status() == CompletionResult.Status.APPLIED)
                    .count();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
