package io.millrace.internal.engine;

import io.millrace.ClaimOrder;
import io.millrace.Event;
import io.millrace.Leak;
import io.millrace.NewTask;
import io.millrace.Origin;
import io.millrace.Outcome;
import io.millrace.TaskState;
import io.millrace.TopicPolicy;
import io.millrace.internal.Events;
import io.millrace.internal.lifecycle.DeadLetters;
import io.millrace.spi.Change;
import io.millrace.spi.ChangeResult;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.FromTopic;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.Completion;
import io.millrace.spi.CompletionResult;
import io.millrace.spi.Ending;
import io.millrace.spi.EnqueueRequest;
import io.millrace.spi.EnqueueResult;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.Next;
import io.millrace.spi.Selection;
import io.millrace.spi.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Moves tasks between topics and their dead-letter topics. It claims them like a worker, and ends the attempt with the
 * new task spawned: one atomic step of the store, so that none is lost or doubled by a crash.
 */
final class DeadLetterOffice implements Producer.Overflow {
    private static final int BATCH = 500;

    private final TaskStore store;
    private final Topics topics;
    private final Reporter reporter;
    private final Expiry expiry;
    private final Events events;
    private final Supplier<UUID> self;
    private final Set<UUID> held = ConcurrentHashMap.newKeySet();

    DeadLetterOffice(Node node, Reporter reporter, Expiry expiry, Supplier<UUID> self) {
        store = node.store();
        topics = node.topics();
        events = node.events();
        this.reporter = reporter;
        this.expiry = expiry;
        this.self = self;
    }

    @Override
    public void leakFront(String topic, int tasks) {
        TopicPolicy policy = topics.policy(topic);
        String deadLetter = policy.deadLetter();
        if (deadLetter == null) {
            return;
        }
        List<LeasedTask> claimed = claim(topic, Math.min(tasks, BATCH));
        try {
            List<CompletableFuture<CompletionResult>> moves = new ArrayList<>();
            for (LeasedTask leased : claimed) {
                NewTask task = leased.task().given();
                if (task.origin() != null && task.origin().cameThrough(deadLetter)) {
                    moves.add(reporter.end(leased, Ending.Released.NOT_STARTED));
                    continue;
                }
                NewTask letter = DeadLetters.leaked(task, deadLetter);
                String error = letter.origin() == null ? null : letter.origin().error();
                Duration retention = policy.retentionOf(task, TaskState.FAILED);
                moves.add(move(leased, Outcome.FAILED, error, finish(TaskState.FAILED, retention, List.of(letter))));
                events.tell(() -> new Event.TaskLeaked(task, deadLetter, Leak.FRONT));
            }
            join(moves);
        } finally {
            letGo(claimed);
        }
    }

    /**
     * Enqueues the letters anew where they came from: those that are there now. Tasks that are no letters stay, and so
     * do letters whose unique key is taken, whose original was retried and is pending, or whose origin is none of these
     * topics; they are held until the end, so that no claim gives them again.
     */
    long redrive(String topic, Predicate<String> origins) {
        Instant start = store.now();
        long redriven = 0;
        List<LeasedTask> staying = new ArrayList<>();
        List<LeasedTask> batch = claim(topic, BATCH);
        try {
            while (!batch.isEmpty()) {
                redriven += redrive(batch, start, origins, staying);
                letGoBut(batch, staying);
                batch = claim(topic, BATCH);
            }
            join(staying.stream()
                    .map(other -> reporter.end(other, Ending.Released.NOT_STARTED))
                    .toList());
        } finally {
            letGo(batch);
            letGo(staying);
        }
        long total = redriven;
        events.tell(() -> new Event.TopicRedriven(topic, total));
        return total;
    }

    private long redrive(List<LeasedTask> batch, Instant start, Predicate<String> origins, List<LeasedTask> staying) {
        Map<LeasedTask, List<NewTask>> letters = new LinkedHashMap<>();
        for (LeasedTask leased : batch) {
            Origin origin = leased.task().given().origin();
            boolean isLetter = origin != null
                    && origins.test(origin.topic())
                    && !leased.task().moments().created().isAfter(start);
            List<NewTask> spawned = isLetter ? toSpawn(leased.task().given()) : null;
            if (spawned == null) {
                staying.add(leased);
            } else {
                letters.put(leased, spawned);
            }
        }
        for (LeasedTask leased : ofPending(letters.keySet())) {
            letters.remove(leased);
            staying.add(leased);
        }
        List<CompletableFuture<CompletionResult>> moves = new ArrayList<>();
        letters.forEach((leased, spawned) ->
                moves.add(move(leased, Outcome.SUCCEEDED, null, finish(TaskState.SUCCEEDED, Duration.ZERO, spawned))));
        return join(moves);
    }

    /**
     * Marks the originals, which must not be retried besides. They are marked before the letters are moved: if this
     * node dies in between, the letters are still there for another redrive. One that is gone needs no mark.
     *
     * @return the letters whose original was retried and is pending: its work would be done twice
     */
    private List<LeasedTask> ofPending(Collection<LeasedTask> letters) {
        List<UUID> originals =
                letters.stream().map(DeadLetterOffice::originalOf).distinct().toList();
        if (originals.isEmpty()) {
            return List.of();
        }
        Set<UUID> pending = new HashSet<>();
        for (ChangeResult.Item item : store.change(
                        new Selection.Ids(originals), new Change.Redriven(), originals.size())
                .items()) {
            if (item.status() == ChangeResult.Status.WRONG_STATE) {
                pending.add(item.id());
            }
        }
        return letters.stream()
                .filter(letter -> pending.contains(originalOf(letter)))
                .toList();
    }

    private static UUID originalOf(LeasedTask letter) {
        return Objects.requireNonNull(letter.task().given().origin()).id();
    }

    /**
     * What is to be spawned with the removal of a letter; null if it must stay. A letter with a unique key is enqueued
     * before: if the key is taken it must not vanish as a duplicate. Its id is always the same, so that a crash in
     * between makes no second task.
     */
    private @Nullable List<NewTask> toSpawn(NewTask letter) {
        NewTask revived = DeadLetters.revived(letter);
        if (revived.uniqueKey() == null) {
            return List.of(revived);
        }
        EnqueueRequest request = EnqueueRequest.of(revived);
        Supplier<EnqueueResult> enqueue = () -> store.enqueue(List.of(request)).get(0);
        EnqueueResult result = expiry.clearTheWay(enqueue.get(), enqueue);
        boolean isThere = result instanceof EnqueueResult.Stored stored
                && stored.items().get(0).id().equals(revived.id());
        return isThere ? List.of() : null;
    }

    private List<LeasedTask> claim(String topic, int max) {
        FromTopic all = new FromTopic(topic, max, TopicPolicy.DEFAULT);
        // nothing of it runs here: none of these tasks may end by its time-to-run, nor count as tried, if this takes
        // long or fails
        ClaimRequest request =
                new ClaimRequest(self.get(), List.of(all), max, ClaimRequest.TimeFrom.START, ClaimOrder.SHARE);
        ClaimResult result;
        do {
            result = store.claim(List.of(request)).get(0);
            result.overdue().forEach(reporter::expire);
        } while (result.tasks().isEmpty() && !result.overdue().isEmpty());
        List<LeasedTask> claimed = result.tasks();
        claimed.forEach(leased -> held.add(leased.task().id()));
        return claimed;
    }

    /** What is on the way now. What the engine holds otherwise is left over from a failure, and is given up. */
    Set<UUID> held() {
        return Set.copyOf(held);
    }

    private void letGo(Collection<LeasedTask> claimed) {
        claimed.forEach(leased -> held.remove(leased.task().id()));
    }

    private void letGoBut(List<LeasedTask> claimed, List<LeasedTask> staying) {
        List<LeasedTask> moved = new ArrayList<>(claimed);
        moved.removeAll(staying);
        letGo(moved);
    }

    private static Next finish(TaskState end, Duration retention, List<NewTask> spawned) {
        return new Next.Finish(end, retention, null, spawned, List.of());
    }

    private CompletableFuture<CompletionResult> move(
            LeasedTask leased, Outcome outcome, @Nullable String error, Next next) {
        return reporter.move(leased, new Completion(leased.lease(), outcome, error, next, next));
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
