package io.millrace.internal.engine;

import io.millrace.Event;
import io.millrace.Event.BatchDone.Call;
import io.millrace.TaskCount;
import io.millrace.TaskQuery;
import io.millrace.TaskState;
import io.millrace.internal.Events;
import io.millrace.spi.ClaimRequest;
import io.millrace.spi.ClaimRequest.FromTopic;
import io.millrace.spi.ClaimResult;
import io.millrace.spi.EngineClock;
import io.millrace.spi.LeasedTask;
import io.millrace.spi.TaskStore;
import io.millrace.spi.WorkerProtocol.Claim;
import io.millrace.spi.WorkerProtocol.Wanted;
import io.millrace.spi.WorkerStanding;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The way out: gives tasks to workers, shares what they ask for between topics, and lets them wait for more. */
final class Dispatcher {
    private static final int BATCH = 100;

    private final TaskStore store;
    private final Topics topics;
    private final Events events;
    private final EngineClock clock;
    private final Alarm alarm;
    private final Batcher<ClaimRequest, ClaimResult> batcher;
    private final WaitingList waiting;
    private final FairShare fairShare = new FairShare();
    private final HandedOut handedOut;
    private final Consumer<LeasedTask> giveBack;
    private final Consumer<LeasedTask> expire;

    /**
     * @param giveBack for tasks that nobody is there to take
     * @param expire for tasks whose deadline has passed
     */
    Dispatcher(Node node, Consumer<LeasedTask> giveBack, Consumer<LeasedTask> expire) {
        store = node.store();
        topics = node.topics();
        events = node.events();
        clock = node.clock();
        alarm = node.alarm();
        waiting = node.waiting();
        handedOut = node.handedOut();
        this.giveBack = giveBack;
        this.expire = expire;
        batcher = node.batcher(
                Call.CLAIM,
                BATCH,
                request -> 1,
                (request, result) -> result.tasks().size(),
                store::claim);
    }

    /** Claims for a worker, and waits until there is something, the time is over, or the caller cancels. */
    CompletableFuture<Claim> claim(UUID worker, Wanted wanted, Executor executor) {
        LongPoll poll = new LongPoll(worker, wanted, executor);
        poll.start();
        return poll.answer;
    }

    private CompletableFuture<ClaimResult> claimNow(UUID worker, Wanted wanted) {
        List<FromTopic> shares = fairShare.divide(open(wanted.topics()), wanted.max(), topics::policy);
        ClaimRequest request = new ClaimRequest(worker, shares, wanted.max(), wanted.timeFrom(), wanted.order());
        return batcher.submit(request).thenApply(result -> {
            note(worker, shares, result);
            return result;
        });
    }

    private List<String> open(Collection<String> wanted) {
        if (!wanted.isEmpty()) {
            return wanted.stream().filter(topic -> !topics.isPaused(topic)).toList();
        }
        return store.count(TaskQuery.ALL.state(TaskState.READY, TaskState.SCHEDULED)).stream()
                .map(TaskCount::topic)
                .distinct()
                .filter(topic -> !topics.isPaused(topic))
                .toList();
    }

    private void note(UUID worker, List<FromTopic> shares, ClaimResult result) {
        Map<String, Integer> given = new HashMap<>();
        for (LeasedTask leased : result.tasks()) {
            handedOut.add(leased);
            given.merge(leased.task().topic(), 1, Integer::sum);
            if (events.wanted()) {
                events.tell(() -> new Event.TaskClaimed(leased.task(), worker));
            }
        }
        fairShare.given(given, topics::policy);
        result.overdue().forEach(expire);
        if (result.nextDue() != null) {
            for (FromTopic share : shares) {
                alarm.at(share.topic(), result.nextDue());
            }
        }
    }

    /** One worker's request for tasks while it waits for an answer. */
    private final class LongPoll extends WaitingList.Waiter {
        final CompletableFuture<Claim> answer = new Answer();
        private final UUID worker;
        private final Wanted wanted;
        private final Executor executor;
        private final AtomicInteger looks = new AtomicInteger();
        private volatile boolean timeOver;

        /** Whose caller may say that it does not want to wait any longer, but takes what the store is about to give. */
        private final class Answer extends CompletableFuture<Claim> {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                if (mayInterruptIfRunning) {
                    return super.cancel(true);
                }
                endWait();
                return false;
            }
        }

        LongPoll(UUID worker, Wanted wanted, Executor executor) {
            super(wanted.topics());
            this.worker = worker;
            this.wanted = wanted;
            this.executor = executor;
        }

        void start() {
            timeOver = wanted.patience().isZero();
            if (!timeOver) {
                EngineClock.Timer timer = clock.after(wanted.patience(), this::endWait);
                var unused = answer.whenComplete((any, error) -> {
                    timer.cancel();
                    waiting.remove(this);
                });
            }
            wake();
        }

        private void endWait() {
            timeOver = true;
            answerUnlessLooking();
        }

        /** While somebody looks, that one answers: what the store gives it must not come too late. */
        private void answerUnlessLooking() {
            if (looks.compareAndSet(0, 1)) {
                answer.complete(new Claim(WorkerStanding.ALIVE, List.of()));
                looked();
            }
        }

        @Override
        void wake() {
            executor.execute(() -> {
                if (looks.getAndIncrement() == 0) {
                    look();
                }
            });
        }

        /**
         * One look at a time. Where answers come at once, a look after the other is not a recursion. Whether an answer has
         * come is asked once for each: it may come from another thread at any moment, and each look must be counted off.
         */
        private void look() {
            CompletableFuture<?> look = lookOnce();
            while (look.isDone()) {
                if (looks.decrementAndGet() == 0) {
                    answerIfTimeIsOver();
                    return;
                }
                look = lookOnce();
            }
            var unused = look.whenComplete((any, error) -> looked());
        }

        private void looked() {
            if (looks.decrementAndGet() > 0) {
                look();
            } else {
                answerIfTimeIsOver();
            }
        }

        private void answerIfTimeIsOver() {
            if (timeOver && !answer.isDone()) {
                answerUnlessLooking();
            }
        }

        private CompletableFuture<?> lookOnce() {
            if (answer.isDone()) {
                passOn();
                return answer;
            }
            long seen = waiting.version();
            return claim().whenComplete((result, error) -> {
                if (error != null) {
                    answer.completeExceptionally(error);
                    passOn();
                } else if (!result.tasks().isEmpty()) {
                    deliver(result);
                } else if (timeOver || result.worker() != WorkerStanding.ALIVE) {
                    answer.complete(new Claim(result.worker(), List.of()));
                    passOnIfNotAlive(result.worker());
                } else if (!waiting.park(this, seen)) {
                    wake();
                } else if (answer.isDone()) {
                    waiting.remove(this);
                }
            });
        }

        private CompletableFuture<ClaimResult> claim() {
            try {
                return claimNow(worker, wanted);
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        /** A worker that gets nothing must not keep the signal that woke it. */
        private void passOnIfNotAlive(WorkerStanding standing) {
            if (standing != WorkerStanding.ALIVE) {
                passOn();
            }
        }

        /** Someone else may want what there is. */
        private void passOn() {
            if (wanted.topics().isEmpty()) {
                waiting.signalAll();
            } else {
                wanted.topics().forEach(waiting::signal);
            }
        }

        private void deliver(ClaimResult result) {
            if (!answer.complete(new Claim(result.worker(), result.tasks()))) {
                result.tasks().forEach(giveBack);
            }
            if (result.tasks().size() == wanted.max()) {
                passOn();
            }
        }
    }
}
